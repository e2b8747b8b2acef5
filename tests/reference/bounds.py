"""The least SSE of all partitions, and the cell of least reduced cost, by looking at each; in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Cell = tuple[int, ...]
Rows = list[list[Fraction]]


def exact(X: Floats) -> Rows:
    """The values as they are."""
    return [[Fraction(float(x)) for x in row] for row in X]


def sse(rows: Rows, cell: Sequence[int]) -> Fraction:
    """The sum of squared distances from the mean: of each pair's, over the number of records."""
    pairs = combinations([rows[i] for i in cell], 2)
    squares = ((x - y) ** 2 for a, b in pairs for x, y in zip(a, b, strict=True))
    return sum(squares, Fraction(0)) / len(cell)


def partitions(records: Cell, k: int) -> Iterator[list[Cell]]:
    """All partitions into cells of at least k, whatever their sizes."""
    if not records:
        yield []
        return
    first, rest = records[0], records[1:]
    for size in range(k, len(records) + 1):
        if 0 < len(records) - size < k:
            continue
        for others in combinations(rest, size - 1):
            left = tuple(i for i in rest if i not in others)
            for tail in partitions(left, k):
                yield [(first, *others), *tail]


def least_sse(X: Floats, k: int) -> Fraction:
    """The least SSE of any partition into cells of at least k."""
    rows = exact(X)
    return min(sum((sse(rows, cell) for cell in cells), Fraction(0)) for cells in partitions(tuple(range(len(X))), k))


def least_excess(X: Floats, k: int, prices: Floats) -> Fraction:
    """The least of SSE − Σ prices over the cells of k … 2k − 1 records."""
    rows = exact(X)
    sizes = range(k, min(2 * k, len(X) + 1))
    cells = (cell for size in sizes for cell in combinations(range(len(X)), size))
    return min(sse(rows, cell) - sum(Fraction(float(prices[i])) for i in cell) for cell in cells)


def plain_bound(X: Floats, k: int) -> Fraction:
    """Half the k − 1 least squared distances of each record, over k."""
    rows = exact(X)
    total = Fraction(0)
    for i in range(len(X)):
        squares = sorted(2 * sse(rows, (i, j)) for j in range(len(X)) if j != i)
        total += sum(squares[: k - 1], Fraction(0))
    return total / (2 * k)
