"""t-closeness first: every cell has one record of each quantile of the confidential column."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey import _core

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
    go to the lower value. Time: O(n²d / size), in a kernel.
    """
    subsets, cells = quantiles(values, size)
    widths = np.array([len(rows) for rows in subsets], dtype=np.int64)
    report = None if tell is None else (lambda done, n: tell(done / n))
    return _core.closeness_first(points, np.concatenate(subsets), widths, cells, report)
