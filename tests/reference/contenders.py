"""MST partitioning, TFRP and μ-Approx by looking at every pair for every question; ties go to the lowest row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.reference import partitions
from tests.reference.records import Floats, Scale, squared_distance

Labels = NDArray[np.int64]
Edge = tuple[float, int, int]


def spanning_tree(X: Floats, scales: Sequence[Scale]) -> list[Edge]:
    """Kruskal: all pairs from the shortest to the longest; each joins what is not joined yet."""
    n = len(X)
    pairs = sorted((squared_distance(X[i], X[j], scales), i, j) for i in range(n) for j in range(i + 1, n))
    part = list(range(n))
    edges = []
    for edge in pairs:
        _, i, j = edge
        if part[i] != part[j]:
            part = [part[i] if name == part[j] else name for name in part]
            edges.append(edge)
    return edges


def connected(start: int, edges: Sequence[Edge]) -> set[int]:
    """All records that a path of edges leads to."""
    reached, new = {start}, {start}
    while new:
        new = {b if a in reached else a for _, a, b in edges if (a in reached) != (b in reached)}
        reached |= new
    return reached


def mst(X: Floats, k: int, scales: Sequence[Scale], split: str = "md") -> Labels:
    """The longest edges are cut as long as k records are left on both sides; what stays 2k is split by MD."""
    edges = spanning_tree(X, scales)
    for edge in sorted(edges, key=lambda edge: (-edge[0], edge[1], edge[2])):
        rest = [other for other in edges if other != edge]
        if len(connected(edge[1], rest)) >= k and len(connected(edge[2], rest)) >= k:
            edges = rest
    labels, cells = np.full(len(X), -1), 0
    for row in range(len(X)):
        if labels[row] < 0:
            members = sorted(connected(row, edges))
            large = split == "md" and len(members) >= 2 * k
            part = partitions.md(X[members], k, scales) if large else np.zeros(len(members), dtype=np.int64)
            labels[members] = part + cells
            cells += part.max() + 1
    return labels
