"""Each column on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import covey
from covey.matrix import Matrix
from tests.unit.partition.strategies import Case, cases

ALONE = {"optimal": covey.Univariate, "mdav": covey.MDAV}


@pytest.mark.parametrize("cells", ALONE)
@given(cases())
def test_each_column_is_partitioned_alone(cells: str, case: Case) -> None:
    """Labels, centroids, sizes and SSE are those of the columns one by one."""
    X = case.matrix.values
    fit = covey.IndividualRanking(case.k, cells=cells).fit(X)
    alone = [ALONE[cells](case.k).fit(X[:, [j]]) for j in range(X.shape[1])]
    for j, column in enumerate(alone):
        assert fit.labels_[:, j].tolist() == column.labels_.tolist()
        assert fit.centroids_[j].tolist() == column.centroids_[:, 0].tolist()
        assert fit.sizes_[j].tolist() == column.sizes_.tolist()
    assert fit.sse_ == sum(column.sse_ for column in alone)


@given(cases())
def test_fixed_cells(case: Case) -> None:
    """Fixed cells are runs of k sorted values, equal ones by their rows; the last run takes what is left."""
    fit = covey.IndividualRanking(case.k, cells="fixed").fit(case.matrix)
    for j, column in enumerate(case.matrix.values.T):
        labels = fit.labels_[np.argsort(column, kind="stable"), j]
        last = len(column) // case.k - 1
        assert labels.tolist() == [min(i // case.k, last) for i in range(len(column))]


@given(cases())
def test_optimal_cells_lose_least(case: Case) -> None:
    """In no column do fixed cells or MDAV's have a lower SSE than optimal ones."""
    X = case.matrix.values
    fits = [covey.IndividualRanking(case.k, cells=cells).fit(X) for cells in ("optimal", "fixed", "mdav")]
    # The sums overflow where differences exceed 1e154, and are rounded everywhere; a centroid is off by an ulp at most.
    ulps = float(X.size) * float(np.square(np.spacing(np.abs(X).max()))) if np.abs(X).max() < 1e150 else np.inf
    assert fits[0].sse_ <= min(fit.sse_ for fit in fits[1:]) * (1 + 1e-9) + ulps


def test_two_columns_by_hand() -> None:
    """Two pairs of values in each column, crossed: each of the four records would stand alone."""
    X = np.array([[0.0, 0.0], [0.1, 9.0], [5.0, 0.1], [5.1, 9.1]])
    fit = covey.IndividualRanking(2).fit(X)
    assert fit.labels_.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert len(np.unique(fit.labels_, axis=0)) == 4


def test_categories_are_refused() -> None:
    """Columns of categories have no order to run along."""
    with pytest.raises(covey.InvalidInput, match="continuous columns only"):
        covey.IndividualRanking(2).fit(Matrix.of([[0], [1]], ["nominal"]))
