"""Maximum distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey import _core
from covey.matrix import Matrix, OrdinalAverage, Space
from covey.partition.base import Partition, kernel_threads

if TYPE_CHECKING:
    from covey.matrix import Labels
    from covey.partition.strata import Progress


class MD(Partition):
    """Cells of k around the two mutually farthest records left, repeatedly.

    While 2k records are left, the two farthest from each other (of several pairs the one with the lowest row, then
    with the lowest partner) and the k − 1 records nearest to each form cells, the one of the lower row first. Then
    k or more records form a cell; fewer join the cells of nearest average.

    Parameters
    ----------
    k : int
        The least number of records in a cell.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns.
    threads : int, optional
        By default as many as help, which is two at the most. The labels do not depend on it.

    Notes
    -----
    *Guarantee*: every cell holds at least k records.
    Reference: J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical
    disclosure control"; docs/methods/md.md.
    """

    def __init__(self, k: int = 5, ordinal_average: OrdinalAverage = "median", threads: int | None = None) -> None:
        self.k = k
        self.ordinal_average = ordinal_average
        self.threads = threads

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        space = Space.of(matrix, self.ordinal_average)
        return _core.md(
            space.values,
            space.averages,
            space.levels,
            self.k,
            _core.Search.automatic,
            kernel_threads(self.threads),
            progress,
        )
