"""V-MDAV's kernels against the obvious algorithm, to the last record."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import _core
from covey.matrix import Matrix, Space
from covey.partition.vmdav import GAMMAS
from tests.reference import partitions, vectorised
from tests.unit.partition.strategies import Case, cases, mixed_cases, mixed_records, scales_of

SEARCHES = (_core.Search.tree, _core.Search.flat)
SANITIZED = bool(os.environ.get("COVEY_SANITIZED"))
SOME_GAMMAS = st.sampled_from([0.0, 0.2, 1.0, 1.1, 3.0, 1e300])


def kernel(space: Space, k: int, gamma: float, search: _core.Search) -> list[int]:
    return _core.vmdav(space.values, space.averages, space.levels, k, gamma, search).tolist()


def assert_obvious(case: Case, gamma: float, ordinal_average: str = "median") -> None:
    space = case.space(ordinal_average)
    expected = partitions.vmdav(space.values, case.k, gamma, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, case.k, gamma, search) == expected


@given(cases(most_records=30), SOME_GAMMAS)
def test_continuous_records(case: Case, gamma: float) -> None:
    """Either search gives the labels of all records looked at."""
    assert_obvious(case, gamma)


@settings(max_examples=50)
@given(cases(most_columns=12, most_records=30), SOME_GAMMAS)
def test_many_columns(case: Case, gamma: float) -> None:
    """So it does in up to twelve columns."""
    assert_obvious(case, gamma)


@pytest.mark.parametrize("ordinal_average", ["median", "convex"])
@settings(max_examples=50)
@given(mixed_cases(most_records=30), SOME_GAMMAS)
def test_mixed_records(ordinal_average: str, case: Case, gamma: float) -> None:
    """So it does for ordinal and nominal columns."""
    assert_obvious(case, gamma, ordinal_average)


@pytest.mark.parametrize("gamma", [0.0, 0.5, 1.1])
@pytest.mark.parametrize("d", [1, 3, 8])
def test_trees_of_two_levels(d: int, gamma: float) -> None:
    """So it does in a tree of several levels."""
    rng = np.random.default_rng(d)
    X = rng.normal(size=(1100 if SANITIZED else 1500, d)) * 0.05 + rng.integers(0, 5, size=(1, d))
    space = Space.of(Matrix.of(X.round(2)))
    expected = vectorised.vmdav(space.values, 4, gamma, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, 4, gamma, search) == expected


def test_trees_of_mixed_records() -> None:
    """So it does in one of records of every kind."""
    space = Space.of(mixed_records(1100, seed=3))
    expected = vectorised.vmdav(space.values, 3, 1.1, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, 3, 1.1, search) == expected


@given(cases(most_records=30))
def test_the_best_gamma_is_the_one_of_least_sse(case: Case) -> None:
    """gamma="best" keeps the least SSE of 0, 0.1, …, 2, the lowest γ of several."""
    fits = [covey.VMDAV(case.k, gamma=gamma).fit(case.matrix) for gamma in GAMMAS]
    best = covey.VMDAV(case.k, gamma="best").fit(case.matrix)
    least = min(fits, key=lambda fit: fit.sse_)
    assert best.gamma_ == least.gamma_
    assert best.labels_.tolist() == least.labels_.tolist()


def test_gammas() -> None:
    """The γ that "best" tries are 0 … 2 by 0.1."""
    assert [round(10 * gamma, 9) for gamma in GAMMAS] == list(range(21))


@pytest.mark.parametrize(
    ("gamma", "labels"), [(0, [0, 0, 2, 2, 1, 1]), (0.1, [0, 0, 2, 2, 1, 1]), (1, [0, 0, 0, 1, 1, 1])]
)
def test_cells_grow_where_gamma_says_so(gamma: float, labels: list[int]) -> None:
    """2 is 1 away from the cell of 0 and 1, and 8 from any other record left: it joins if 1 < 8γ."""
    X = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
    assert covey.VMDAV(2, gamma=gamma).fit(X).labels_.tolist() == labels


@given(cases(most_records=40), SOME_GAMMAS)
def test_cells_grow_to_2k_minus_1(case: Case, gamma: float) -> None:
    """Cells that grow stay below 2k records; only the last fewer than k records may still join them."""
    sizes = covey.VMDAV(case.k, gamma=gamma).fit(case.matrix).sizes_
    assert sizes.min() >= case.k
    assert np.maximum(sizes - (2 * case.k - 1), 0).sum() <= case.k - 1


def test_the_gamma_of_each_stratum() -> None:
    """Within strata, γ is chosen for each of them."""
    rng = np.random.default_rng(1)
    X, strata = rng.normal(size=(90, 2)).round(1), np.arange(90) % 3
    fit = covey.VMDAV(3, gamma="best").fit(X, strata=strata)
    assert fit.gamma_ == [covey.VMDAV(3, gamma="best").fit(X[strata == s]).gamma_ for s in range(3)]
