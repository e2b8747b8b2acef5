"""Two fixed reference points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey import _core
from covey.matrix import Matrix, Space
from covey.partition.base import Partition

if TYPE_CHECKING:
    from covey.matrix import Labels
    from covey.partition.strata import Progress


class TFRP(Partition):
    """Cells of k around the records farthest from two fixed points by turns; then some are dissolved.

    R1 has the greatest value of every column, R2 the least. While k records are left, the one farthest from R1, then
    from R2, and so on by turns, and its k − 1 nearest form a cell; fewer than k join the cells of nearest average. Then
    every cell, of greatest SSE first, is tried once: it is dissolved if its members joining the other cells of nearest
    average lowers the SSE. Ties go to the lowest row and the lowest cell.

    Parameters
    ----------
    k : int
        The least number of records in a cell.

    Notes
    -----
    *Guarantee*: every cell holds at least k records. Continuous columns only.
    Reference: C.-C. Chang, Y.-C. Li, W.-H. Huang, "TFRP: an efficient microaggregation algorithm for statistical
    disclosure control"; docs/methods/tfrp.md.
    """

    mixed = False

    def __init__(self, k: int = 5) -> None:
        self.k = k

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        space = Space.of(matrix)
        return _core.tfrp(space.values, space.averages, space.levels, self.k, _core.Search.automatic, progress)
