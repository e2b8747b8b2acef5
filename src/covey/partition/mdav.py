"""MDAV-generic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import Matrix, OrdinalAverage, Space
from covey.partition.base import Partition, kernel_threads

if TYPE_CHECKING:
    from covey.matrix import Labels
    from covey.partition.strata import Progress

TAILS = ("split", "adjoin")


class MDAV(Partition):
    """Cells of k around the records farthest from the average, by turns with those farthest from them.

    While 3k records are left, x_r, the record farthest from the average of those left, and its k − 1 nearest form
    a cell; so do x_s, the record then farthest from x_r, and its k − 1 nearest. Ties go to the lowest row. The
    labels are those of the textbook algorithm to the last record; a k-d tree finds them in about O(n log n) in few
    columns.

    Parameters
    ----------
    k : int
        The least number of records in a cell.
    tail : {"split", "adjoin"}
        Of 2k … 3k − 1 records left, "split" makes two cells as MDAV-generic does. "adjoin" goes on in pairs of
        cells while 2k records are left; then k or more form a cell, and fewer join the last one.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns: the median, or the convex median, which may lie between occurring values.
    threads : int, optional
        By default as many as help, which is two at the most. The labels do not depend on it.

    Notes
    -----
    *Guarantee*: every cell holds at least k records, and fewer than 2k (split) or 3k − 1 at most (adjoin).
    References: J. Domingo-Ferrer, V. Torra, "Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation"; docs/methods/mdav.md.

    Examples
    --------
    >>> import covey
    >>> covey.MDAV(k=2).fit([[0.0], [0.1], [5.0], [5.1]]).labels_.tolist()
    [0, 0, 1, 1]
    """

    def __init__(
        self,
        k: int = 5,
        tail: Literal["split", "adjoin"] = "split",
        ordinal_average: OrdinalAverage = "median",
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.tail = tail
        self.ordinal_average = ordinal_average
        self.threads = threads

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.tail not in TAILS:
            raise InvalidInput(f"unknown tail: expected one of {', '.join(TAILS)}")

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        space = Space.of(matrix, self.ordinal_average)
        tail = _core.Tail.split if self.tail == "split" else _core.Tail.adjoin
        return _core.mdav(
            space.values,
            space.averages,
            space.levels,
            self.k,
            tail,
            _core.Search.automatic,
            kernel_threads(self.threads),
            progress,
        )
