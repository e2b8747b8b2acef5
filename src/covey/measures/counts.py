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
