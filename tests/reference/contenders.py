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


Links = dict[int, set[int]]


def mu_approx(X: Floats, k: int, scales: Sequence[Scale]) -> Labels:
    """A forest of trees of k records or more, each decomposed to at most max(2k − 1, 3k − 5)."""
    links = forest(X, k, scales)
    parts: list[set[int]] = []
    for row in range(len(X)):
        if not any(row in part for part in parts):
            decomposition = Decomposition(X, k, scales, links)
            decomposition.run(reached(row, links), row)
            parts += decomposition.parts
    labels = np.empty(len(X), dtype=np.int64)
    for cell, part in enumerate(sorted(parts, key=min)):
        labels[list(part)] = cell
    return labels


def forest(X: Floats, k: int, scales: Sequence[Scale]) -> Links:
    """Every record from the outside in: if its tree is too small, a link to the nearest record outside."""
    links: Links = {i: set() for i in range(len(X))}
    centre = average(X, scales)
    for i in sorted(links, key=lambda i: (-squared_distance(X[i], centre, scales), i)):
        tree = reached(i, links)
        if len(tree) < k:
            outside = [j for j in links if j not in tree]
            link(links, i, min(outside, key=lambda j: (squared_distance(X[i], X[j], scales), j)))
    return links


def link(links: Links, i: int, j: int) -> None:
    links[i].add(j)
    links[j].add(i)


def reached(start: int, links: Links, but: int = -1) -> set[int]:
    """The records connected with one, not by way of another."""
    found, new = {start}, [start]
    while new:
        new = [j for i in new for j in links[i] if j not in found and j != but]
        found |= set(new)
    return found


class Decomposition:
    """Parts of a tree of at most max(2k − 1, 3k − 5) records."""

    def __init__(self, X: Floats, k: int, scales: Sequence[Scale], links: Links) -> None:
        self.X, self.k, self.scales, self.links = X, k, scales, links
        self.most = max(2 * k - 1, 3 * k - 5)
        self.parts: list[set[int]] = []

    def run(self, rows: set[int], u: int) -> None:
        """Decomposes the tree of these rows, u being the candidate."""
        if len(rows) <= self.most:
            self.parts.append(rows)
            return
        subtrees = {v: reached(v, self.links, but=u) for v in self.links[u]}
        v = min(subtrees, key=lambda v: (-len(subtrees[v]), v))
        large, rest = subtrees[v], rows - subtrees[v]
        if len(rest) < self.k - 1:
            self.run(rows, v)
        elif len(large) < self.k - 1:
            self.sweep(subtrees, u)
        elif len(large) >= self.k and len(rest) >= self.k:
            self.unlink(u, v)
            self.run(large, v)
            self.run(rest, u)
        elif len(large) >= self.k:
            self.unlink(u, v)
            self.parts.append(rest | {v})
            self.run(large - {v}, self.replace(v))
        else:
            self.unlink(u, v)
            self.parts.append(large | {u})
            self.run(rest - {u}, self.replace(u))

    def sweep(self, subtrees: dict[int, set[int]], u: int) -> None:
        """Small subtrees are taken from the nearest on; with just k − 1 records goes the candidate."""
        order = self.nearest_first(self.links[u], u)
        while sum(map(len, subtrees.values())) + 1 > self.most:
            taken: set[int] = set()
            while len(taken) < self.k - 1:
                taken |= subtrees.pop(order.pop(0))
            if len(taken) == self.k - 1:
                taken.add(u)
                u = order.pop(0)
                inside = subtrees.pop(u)
                below = self.nearest_first(self.links[u] & inside, u)
                subtrees |= {v: reached(v, self.links, but=u) & inside for v in below}
                order = below + order
            self.parts.append(taken)
        self.parts.append({u}.union(*subtrees.values()))

    def nearest_first(self, rows: set[int], u: int) -> list[int]:
        return sorted(rows, key=lambda i: (squared_distance(self.X[i], self.X[u], self.scales), i))

    def unlink(self, i: int, j: int) -> None:
        self.links[i].remove(j)
        self.links[j].remove(i)

    def replace(self, gone: int) -> int:
        """The nearest of those a record is linked to takes its place."""
        place, *others = self.nearest_first(self.links[gone], gone)
        for other in (place, *others):
            self.unlink(gone, other)
        for other in others:
            link(self.links, place, other)
        return place
