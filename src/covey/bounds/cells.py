"""Cells as columns of a linear programme: their records and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.matrix import Floats, Labels

Cell = tuple[int, ...]


@dataclass(slots=True, eq=False)
class Pool:
    """The cells known so far, each once, with their SSE.

    Attributes
    ----------
    values
        The records.
    costs
        The SSE of each cell, whose records are in ascending order.
    """

    values: Floats
    costs: dict[Cell, float]

    def add(self, cells: Iterable[Cell]) -> int:
        """Puts in those that are new; returns how many there were."""
        new = list(dict.fromkeys(cell for cell in cells if cell not in self.costs))
        for size in {len(cell) for cell in new}:
            some = [cell for cell in new if len(cell) == size]
            self.costs.update(zip(some, cell_costs(self.values, some), strict=True))
        return len(new)

    def keep(self, cells: Iterable[Cell]) -> None:
        """Forgets all others."""
        self.costs = {cell: self.costs[cell] for cell in cells}

    def covering(self) -> Any:
        """The 0/1 matrix of records by cells, sparse."""
        from scipy.sparse import csc_array  # noqa: PLC0415 (light imports)

        cells = list(self.costs)
        begins = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])])
        rows = np.fromiter((row for cell in cells for row in cell), dtype=np.int64, count=int(begins[-1]))
        return csc_array((np.ones(len(rows)), rows, begins), shape=(len(self.values), len(cells)))

    def excesses(self, prices: Floats) -> Floats:
        """What each cell costs beyond the prices of its records."""
        sums: Floats = self.covering().T @ prices
        return np.fromiter(self.costs.values(), dtype=np.float64) - sums


def cell_costs(values: Floats, cells: Sequence[Cell]) -> list[float]:
    """The SSE of cells of one size; differences from a record of the cell lose nothing to what is far away."""
    records = values[np.asarray(cells)]
    shifted = records - records[:, :1]
    deviations = shifted - shifted.mean(axis=1, keepdims=True)
    costs: list[float] = np.sum(np.square(deviations), axis=(1, 2)).tolist()
    return costs


def cells_of(labels: Labels) -> list[Cell]:
    """The cells of a partition."""
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    return [tuple(part.tolist()) for part in np.split(order, ends)]


def labels_of(cells: Iterable[Cell], n: int) -> Labels:
    """The labels of a partition, whose cells are numbered by their first record."""
    labels = np.empty(n, dtype=np.int64)
    for label, cell in enumerate(sorted(cells)):
        labels[list(cell)] = label
    return labels


def split(rows: Labels, begins: Labels) -> list[Cell]:
    """Cells from one array of their rows and where each begins."""
    flat, places = rows.tolist(), begins.tolist()
    return [tuple(flat[a:b]) for a, b in pairwise(places)]
