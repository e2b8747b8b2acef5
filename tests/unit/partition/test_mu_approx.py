"""μ-Approx's kernels against the obvious algorithm, to the last record."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import _core
from covey.matrix import Matrix, Space
from tests.reference import contenders
from tests.unit.partition.strategies import Case, cases, mixed_cases, mixed_records, scales_of

SEARCHES = (_core.Search.tree, _core.Search.flat)


def kernel(space: Space, k: int, search: _core.Search) -> list[int]:
    return _core.mu_approx(space.values, space.averages, space.levels, k, search).tolist()


def assert_obvious(case: Case, ordinal_average: str = "median") -> None:
    space = case.space(ordinal_average)
    expected = contenders.mu_approx(space.values, case.k, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, case.k, search) == expected


@given(cases(most_records=80))
def test_continuous_records(case: Case) -> None:
    """Either search gives the cells of the forest that was cut record by record."""
    assert_obvious(case)


@settings(max_examples=50)
@given(cases(most_columns=12, most_records=60))
def test_many_columns(case: Case) -> None:
    """So it does in up to twelve columns."""
    assert_obvious(case)


@settings(max_examples=50)
@given(mixed_cases(most_records=80), st.sampled_from(["median", "convex"]))
def test_mixed_records(case: Case, ordinal_average: str) -> None:
    """So it does for ordinal and nominal columns."""
    assert_obvious(case, ordinal_average)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7, 20])
@pytest.mark.parametrize("values", [1, 4, 10_000])
def test_some_hundred_records(k: int, values: int) -> None:
    """So it does for trees of every shape, of stars of equal records, too."""
    X = np.random.default_rng(k).integers(0, values, size=(300, 2)).astype(float)
    assert_obvious(Case(Matrix.of(X), k))


@pytest.mark.parametrize("k", [3, 8])
def test_trees_of_two_levels(k: int) -> None:
    """In an index of several levels the nearest records outside are those of brute force."""
    for matrix in (Matrix.of(np.random.default_rng(k).normal(size=(3001, 3)).round(1)), mixed_records(1500, seed=k)):
        space = Space.of(matrix)
        assert kernel(space, k, _core.Search.tree) == kernel(space, k, _core.Search.flat)


@given(st.one_of(cases(), mixed_cases()))
def test_sizes(case: Case) -> None:
    """Cells have k … max(2k − 1, 3k − 5) records."""
    sizes = covey.MuApprox(case.k).fit(case.matrix).sizes_
    assert case.k <= sizes.min()
    assert sizes.max() <= max(2 * case.k - 1, 3 * case.k - 5)


def test_records_join_the_nearest_outside() -> None:
    """0–1 and 10–11 are trees; 5 joins 1, whose cell is large enough as it is."""
    X = np.array([[0.0], [10.0], [1.0], [11.0], [5.0]])
    assert covey.MuApprox(2).fit(X).labels_.tolist() == [0, 1, 0, 1, 0]


def test_a_star_is_taken_apart() -> None:
    """Equal records all hang at the lowest one: they are cut k at a time, what is left is the last cell."""
    assert covey.MuApprox(4).fit(np.zeros((18, 1))).sizes_.tolist() == [4, 4, 4, 6]
