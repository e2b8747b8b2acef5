"""t-closeness first: every cell has one record of each quantile of the confidential column."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from covey.enforcement.mending import Tell
    from covey.matrix import Floats, Labels, Rows


def cell_size(n: int, k: int, t: float) -> int:
    """The least size, from k, of cells with one record of each quantile that ensures t-closeness in ranks.

    With as many records as a multiple of the size s, all values differing, the distance of a cell from the table is at
    most (n − s) / (2(n − 1)s), which is t or less where s ≥ n / (2(n − 1)t + 1).
    """
    return min(n, max(k, math.ceil(n / (2 * (n - 1) * t + 1) * (1 - 1e-12))))


def quantiles(values: Labels, size: int) -> tuple[list[Rows], int]:
    """Records by rising value in subsets, and the number of cells that take one record of each.

    There are `size` subsets or a few more, of as many records as there are cells; those left over, fewer than cells,
    are in the middle subset, or in both if there are two.
    """
    n = len(values)
    cells = n // size
    size += (n - cells * size) // cells
    over = n - cells * size
    widths = np.full(size, cells)
    widths[(size - 1) // 2] += over // 2
    widths[size // 2] += over - over // 2
    return np.split(np.argsort(values, kind="stable"), np.cumsum(widths)[:-1]), cells


def closeness_first(points: Floats, values: Labels, size: int, tell: Tell | None = None) -> Labels:
    """The cell of each record: cells of at least `size`, with a record of each quantile of the values.

    Seeds are by turns the record farthest from the mean of those left, and that farthest from it; each takes the
    nearest record of each subset, and a second one of a middle subset that has more records than cells are left. Ties
    go to the lower value. Time: O(n²d / size).
    """
    subsets, cells = quantiles(values, size)
    left = _Left(points, subsets)
    labels = np.empty(len(points), dtype=np.int64)
    seed: Floats | None = None
    for cell in range(cells):
        seed = left.farthest(left.mean() if seed is None or cell % 2 == 0 else seed)
        labels[left.take(seed, cells - cell)] = cell
        if tell is not None:
            tell(cell / cells)
    return labels


class _Left:
    """The records in no cell yet: a line for each subset, filled up with places that hold none."""

    def __init__(self, points: Floats, subsets: list[Rows]) -> None:
        self.points = points
        self.total, self.count = points.sum(axis=0), len(points)
        self._lay_out(subsets)

    def _lay_out(self, subsets: list[Rows]) -> None:
        width = max(len(rows) for rows in subsets)
        self.rows = np.full((len(subsets), width), -1)
        for line, rows in zip(self.rows, subsets, strict=True):
            line[: len(rows)] = rows
        self.there = self.rows >= 0
        self.coordinates = np.ascontiguousarray(self.points[self.rows].transpose(2, 0, 1))
        self.counts = self.there.sum(axis=1)

    def mean(self) -> Floats:
        """Of the records left."""
        return np.asarray(self.total / self.count, dtype=np.float64)

    def farthest(self, point: Floats) -> Floats:
        """The record farthest from a point."""
        distances = np.where(self.there, self._distances(point), -1.0)
        place = np.unravel_index(int(np.argmax(distances)), distances.shape)
        return np.asarray(self.points[self.rows[place]], dtype=np.float64)

    def take(self, seed: Floats, cells: int) -> Rows:
        """The records of a new cell, which are not left any more; `cells` are to be formed yet, with it."""
        distances = np.where(self.there, self._distances(seed), np.inf)
        lines = np.arange(len(self.rows))
        places = distances.argmin(axis=1)
        distances[lines, places] = np.inf
        for line in np.flatnonzero(self.counts > cells)[:1]:
            lines, places = np.append(lines, line), np.append(places, distances[line].argmin())
        taken = self.rows[lines, places]
        self.there[lines, places] = False
        np.subtract.at(self.counts, lines, 1)
        self.total, self.count = self.total - self.points[taken].sum(axis=0), self.count - len(taken)
        if 2 * self.counts.max() < self.rows.shape[1] and self.count:
            self._lay_out([line[there] for line, there in zip(self.rows, self.there, strict=True)])
        return np.asarray(taken)

    def _distances(self, point: Floats) -> Floats:
        total = np.zeros(self.rows.shape)
        for column, x in zip(self.coordinates, point, strict=True):
            total += np.square(column - x)
        return total
