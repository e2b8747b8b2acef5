"""How often each value occurs in each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels


@dataclass(frozen=True, slots=True, eq=False)
class CellCounts:
    """How often each value of a column occurs in each cell: an entry for each pair that does, at most n of them.

    Attributes
    ----------
    cells, levels : int
        The number of cells and of values.
    cell, code, count : ndarray of shape (entries,)
        By cell, and by value within it: `count` records of `cell` have the value `code`.
    """

    cells: int
    levels: int
    cell: Labels
    code: Labels
    count: Labels

    @classmethod
    def of(cls, labels: Labels, codes: Labels, cells: int | None = None, levels: int | None = None) -> CellCounts:
        """Counted from the cell and the value of each record, both numbered from 0. Time: O(n log n)."""
        cells = int(labels.max(initial=-1)) + 1 if cells is None else cells
        levels = int(codes.max(initial=-1)) + 1 if levels is None else levels
        pairs, count = np.unique(labels * levels + codes, return_counts=True)
        cell, code = np.divmod(pairs, max(levels, 1))
        return cls(cells, levels, cell, code, count.astype(np.int64))

    def regrouped(self, cells: Labels, groups: Labels) -> CellCounts:
        """The counts of other cells, made of these: group `groups[i]` has the records of cell `cells[i]`, for each i.

        Groups are numbered from 0. `counts.regrouped(np.arange(counts.cells), into)` merges cells; with
        `(np.concatenate([a, b]), np.tile(np.arange(len(a)), 2))` it counts what merging cell a[i] with b[i] would give,
        each pair a group of its own. Time: O(m log m) in the entries of the cells that are named.
        """
        first, end = np.searchsorted(self.cell, cells), np.searchsorted(self.cell, cells, side="right")
        lengths = end - first
        begins = np.cumsum(lengths) - lengths
        entries = np.arange(int(lengths.sum())) + np.repeat(first - begins, lengths)
        pairs, places = np.unique(np.repeat(groups, lengths) * self.levels + self.code[entries], return_inverse=True)
        count = np.bincount(places, self.count[entries], len(pairs)).astype(np.int64)
        group, code = np.divmod(pairs, max(self.levels, 1))
        return CellCounts(int(groups.max(initial=-1)) + 1, self.levels, group, code, count)

    @property
    def sizes(self) -> Labels:
        """The number of records in each cell."""
        return np.bincount(self.cell, self.count, self.cells).astype(np.int64)

    @property
    def distinct(self) -> Labels:
        """The number of different values in each cell."""
        return np.bincount(self.cell, minlength=self.cells).astype(np.int64)

    @property
    def overall(self) -> Labels:
        """How often each value occurs in all."""
        return np.bincount(self.code, self.count, self.levels).astype(np.int64)

    @property
    def shares(self) -> Floats:
        """Of each entry, the share of the cell's records that have the value."""
        return np.asarray(self.count / self.sizes[self.cell], dtype=np.float64)
