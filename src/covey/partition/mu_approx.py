"""μ-Approx."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey import _core
from covey.matrix import Matrix, OrdinalAverage, Space
from covey.partition.base import Partition

if TYPE_CHECKING:
    from covey.matrix import Labels
    from covey.partition.strata import Progress


class MuApprox(Partition):
    """A forest of trees of at least k records, decomposed into components of bounded size.

    Record after record, from the one farthest from the average of all to the nearest, one whose tree has fewer than
    k records is joined to the nearest record of another tree. Then trees of more than max(2k − 1, 3k − 5) records
    are cut, at a candidate that is sought by going to the largest subtree until the others hold k − 1 records.
    Cells are numbered by their lowest rows.

    Parameters
    ----------
    k : int
        The least number of records in a cell.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns.

    Notes
    -----
    *Guarantee*: every cell holds k … max(2k − 1, 3k − 5) records.
    Reference: J. Domingo-Ferrer, F. Sebé, A. Solanas, "A polynomial-time approximation to optimal multivariate
    microaggregation"; docs/methods/mu-approx.md.
    """

    def __init__(self, k: int = 5, ordinal_average: OrdinalAverage = "median") -> None:
        self.k = k
        self.ordinal_average = ordinal_average

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        space = Space.of(matrix, self.ordinal_average)
        search = _core.Search.automatic
        return _core.mu_approx(space.values, space.averages, space.levels, self.k, search, progress)
