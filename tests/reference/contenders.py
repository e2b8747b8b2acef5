"""MST partitioning, TFRP and μ-Approx by looking at every pair for every question; ties go to the lowest row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.reference import partitions
from tests.reference.records import Floats, Scale, average, squared_distance

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


def sse(X: Floats, members: Sequence[int], scales: Sequence[Scale]) -> float:
    """Squared distances from the average, added in the order of the rows."""
    centre = average(X[sorted(members)], scales)
    return sum((squared_distance(X[i], centre, scales) for i in sorted(members)), 0.0)


def tfrp(X: Floats, k: int, scales: Sequence[Scale]) -> Labels:
    """Cells around the records farthest from two fixed points; then those dissolved that are better so."""
    labels = tfrp_cells(X, k, scales)
    cells = {cell: np.flatnonzero(labels == cell).tolist() for cell in range(labels.max() + 1)}
    for cell in sorted(cells, key=lambda cell: (-sse(X, cells[cell], scales), cell)):
        others = {other: members for other, members in cells.items() if other != cell}
        if others:
            cells = better(X, cells, dissolved(X, cells[cell], others, scales), scales)
    for number, cell in enumerate(sorted(cells)):
        labels[cells[cell]] = number
    return labels


def tfrp_cells(X: Floats, k: int, scales: Sequence[Scale]) -> Labels:
    """The cells around the records farthest from two fixed points by turns."""
    left = partitions.Left(X, scales)
    points = [X.max(axis=0), X.min(axis=0)]
    while len(left.rows) >= k:
        left.form_around(left.farthest(points[len(left.cells) % 2]), k)
    left.join_nearest()
    return left.labels


def dissolved(
    X: Floats, members: Sequence[int], others: dict[int, list[int]], scales: Sequence[Scale]
) -> dict[int, list[int]]:
    """The other cells with the members, each in the one whose average, before any joined, is nearest."""
    averages = {cell: average(X[rows], scales) for cell, rows in others.items()}
    result = {cell: list(rows) for cell, rows in others.items()}
    for i in members:
        result[min(others, key=lambda cell: (squared_distance(X[i], averages[cell], scales), cell))].append(i)
    return {cell: sorted(rows) for cell, rows in result.items()}


def better(
    X: Floats, before: dict[int, list[int]], after: dict[int, list[int]], scales: Sequence[Scale]
) -> dict[int, list[int]]:
    """The cells after, if those that differ have less SSE than before."""
    gone = [cell for cell in before if cell not in after]
    changed = sorted(cell for cell in after if after[cell] != before[cell])
    old = sum((sse(X, before[cell], scales) for cell in [*gone, *changed]), 0.0)
    new = sum((sse(X, after[cell], scales) for cell in changed), 0.0)
    return after if new < old else before
