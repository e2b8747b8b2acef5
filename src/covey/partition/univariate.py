"""The optimal partition of one column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import Matrix, Space, as_array, as_floats
from covey.partition.base import Partition

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Labels, Rows
    from covey.partition.strata import Progress


class Univariate(Partition):
    """The partition of one continuous column into cells of at least k that has the least SSE of all.

    Parameters
    ----------
    k : int
        The least number of records in a cell.

    Notes
    -----
    *Guarantee*: every cell holds k … 2k − 1 records (all of them if there are fewer than 2k), consecutive in the
    order of their values, and no other partition has a lower SSE. Cells are numbered from the lowest value up.
    Reference: S. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate microaggregation";
    docs/methods/univariate.md. Time: O(n log n).

    Examples
    --------
    >>> import covey
    >>> covey.Univariate(k=3).fit([0, 1, 2, 3, 4, 10, 10, 12, 16, 16]).sizes_.tolist()
    [4, 3, 3]
    """

    mixed = False

    def __init__(self, k: int = 5) -> None:
        self.k = k

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's own tools ask for; nobody else calls it."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        return tags

    def _array(self, X: ArrayLike) -> ArrayLike:
        column = as_array(X)
        floats = as_floats(column.reshape(-1, 1) if column.ndim == 1 else column)
        if floats.shape[1] != 1:
            raise InvalidInput(
                f"Univariate partitions one column, not {floats.shape[1]}: IndividualRanking treats each alone"
            )
        return floats

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        if matrix.d != 1:
            raise InvalidInput(f"Univariate partitions one column, not {matrix.d}")
        order = np.argsort(matrix.values[:, 0], kind="stable")
        # Scaled values, of which the smallest may have become alike, are in the same order.
        column = Space.of(matrix).values[order, 0]
        return cells_of_runs(order, _core.univariate(column, self.k, progress))


class Runs(Partition):
    """Cells of k consecutive values of one column; the last one takes what is left, up to 2k − 1."""

    mixed = False

    def __init__(self, k: int) -> None:
        self.k = k

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        order = np.argsort(matrix.values[:, 0], kind="stable")
        if progress is not None:
            progress(matrix.n, matrix.n)
        return cells_of_runs(order, np.arange(matrix.n // self.k) * self.k)


def cells_of_runs(order: Rows, begins: Labels) -> Labels:
    """Labels of records whose cells are runs of `order` that begin at `begins`."""
    lengths = np.diff(begins, append=len(order))
    labels = np.empty(len(order), dtype=np.int64)
    labels[order] = np.repeat(np.arange(len(begins)), lengths)
    return labels
