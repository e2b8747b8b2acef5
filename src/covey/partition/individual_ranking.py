"""Each column on its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from covey.errors import InvalidInput
from covey.matrix import Matrix
from covey.partition.base import Estimator, Partition, check_k, checked
from covey.partition.mdav import MDAV
from covey.partition.strata import part_of
from covey.partition.univariate import Runs, Univariate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Floats, Labels
    from covey.partition.strata import Progress

CELLS: dict[str, type[Partition]] = {"optimal": Univariate, "fixed": Runs, "mdav": MDAV}


class IndividualRanking(Estimator):
    """Partitions each column alone: little is lost, but jointly the result is **not** k-anonymous.

    Parameters
    ----------
    k : int
        The least number of records that share a value in each column.
    cells : {"optimal", "fixed", "mdav"}
        How each column is partitioned: with the least SSE, into runs of k in the order of the values, or by MDAV.

    Attributes
    ----------
    labels_ : ndarray of shape (n, d)
        The cell of each record, column by column.
    centroids_ : list of ndarray of shape (cells,)
        The means of the cells of each column.
    sizes_ : list of ndarray of shape (cells,)
        The number of records in each cell of each column.
    sse_ : float
        The sum of squared errors over all columns.

    Notes
    -----
    *Guarantee*: in each column alone every published value is shared by at least k records. Values of several
    columns taken together may single a record out; a release says so in its statement.
    Reference: docs/methods/univariate.md.
    """

    labels_: Labels
    centroids_: list[Floats]
    sizes_: list[Labels]
    sse_: float

    def __init__(self, k: int = 5, cells: Literal["optimal", "fixed", "mdav"] = "optimal") -> None:
        self.k = k
        self.cells = cells

    def fit(
        self,
        X: ArrayLike | Matrix,
        y: object = None,  # noqa: ARG002 (scikit-learn's signature)
        *,
        strata: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Partition each column into cells.

        Parameters
        ----------
        X, strata, weights, progress
            As in `MDAV.fit`; the columns are continuous.
        y : ignored
            For scikit-learn's sake.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        InvalidInput
            The records or the parameters are not usable, or there are fewer than k records.
        """
        check_k(self.k)
        if not isinstance(self.cells, str) or self.cells not in CELLS:
            raise InvalidInput(f"unknown cells: expected one of {', '.join(CELLS)}")
        matrix = checked(X) if isinstance(X, Matrix) else Matrix.of(X)
        if any(matrix.levels):
            raise InvalidInput("IndividualRanking partitions continuous columns only")
        fits = []
        for j in range(matrix.d):
            part = part_of(_over_columns(progress, matrix.d), j * matrix.n, matrix.d * matrix.n)
            fits.append(
                CELLS[self.cells](self.k).fit(matrix.columns([j]), strata=strata, weights=weights, progress=part)
            )
        self._remember_columns(X, matrix.d)
        self.labels_ = np.column_stack([fit.labels_ for fit in fits])
        self.centroids_ = [fit.centroids_[:, 0] for fit in fits]
        self.sizes_ = [fit.sizes_ for fit in fits]
        self.sse_ = float(sum(fit.sse_ for fit in fits))
        return self

    def fit_predict(self, X: ArrayLike | Matrix, y: object = None, **how: Any) -> Labels:
        """Fits, and returns `labels_`."""
        return self.fit(X, y, **how).labels_


def _over_columns(progress: Progress | None, columns: int) -> Progress | None:
    """Progress that is told of records times columns, and tells of records."""
    if progress is None:
        return None
    return lambda done, total: progress(done // columns, total // columns)
