"""Partitions of few records by looking at them all, and what moves do to the sum of squared errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from tests.reference.records import Floats, Scale, average, squared_distance


def cost(X: Floats, members: Sequence[int], scales: Sequence[Scale]) -> float:
    """The sum of squared distances of records from their average."""
    centre = average(X[list(members)], scales)
    return float(sum(squared_distance(X[i], centre, scales) for i in members))


def partitions(rows: Sequence[int], k: int) -> Iterator[list[list[int]]]:
    """Every partition of the rows into cells of at least k."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for others in range(k - 1, len(rest) + 1):
        for chosen in combinations(rest, others):
            left = [row for row in rest if row not in chosen]
            for cells in partitions(left, k):
                yield [[first, *chosen], *cells]


def least_sse(X: Floats, k: int, scales: Sequence[Scale]) -> float:
    """The least sum of squared errors of any partition into cells of at least k."""
    return min(sum(cost(X, cell, scales) for cell in cells) for cells in partitions(range(len(X)), k))


def single_moves(labels: Sequence[int], k: int) -> Iterator[list[int]]:
    """The labels after each relocation that leaves every cell k records, and after each swap."""
    sizes = np.bincount(labels)
    for i, cell in enumerate(labels):
        for other in range(len(sizes)):
            if other != cell and sizes[cell] > k:
                yield [other if j == i else label for j, label in enumerate(labels)]
        for j in range(i):
            if labels[j] != cell:
                moved = list(labels)
                moved[i], moved[j] = labels[j], cell
                yield moved


def sse(X: Floats, labels: Sequence[int], scales: Sequence[Scale]) -> float:
    """The sum of squared errors of labels."""
    cells = [[i for i, label in enumerate(labels) if label == cell] for cell in sorted(set(labels))]
    return sum(cost(X, cell, scales) for cell in cells)
