"""MD's kernels against the obvious algorithm, to the last record."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings

import covey
from covey import _core
from covey.matrix import Matrix, Space
from tests.reference import partitions, vectorised
from tests.unit.partition.strategies import Case, cases, mixed_cases, mixed_records, scales_of

SEARCHES = (_core.Search.tree, _core.Search.flat)
SANITIZED = bool(os.environ.get("COVEY_SANITIZED"))


def kernel(space: Space, k: int, search: _core.Search, threads: int = 1) -> list[int]:
    return _core.md(space.values, space.averages, space.levels, k, search, threads).tolist()


def assert_obvious(case: Case, ordinal_average: str = "median") -> None:
    space = case.space(ordinal_average)
    expected = partitions.md(space.values, case.k, scales_of(space)).tolist()
    for search in SEARCHES:
        for threads in (1, 2, 7):
            assert kernel(space, case.k, search, threads) == expected


@given(cases(most_records=25))
def test_continuous_records(case: Case) -> None:
    """Either search, with any number of threads, gives the labels of all pairs looked at."""
    assert_obvious(case)


@settings(max_examples=50)
@given(cases(most_columns=12, most_records=25))
def test_many_columns(case: Case) -> None:
    """So it does in up to twelve columns."""
    assert_obvious(case)


@pytest.mark.parametrize("ordinal_average", ["median", "convex"])
@settings(max_examples=50)
@given(mixed_cases(most_records=25))
def test_mixed_records(ordinal_average: str, case: Case) -> None:
    """So it does for ordinal and nominal columns; the average decides which cells the last records join."""
    assert_obvious(case, ordinal_average)


def drawn(shape: str, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng(d)
    X = rng.normal(size=(n, d))
    return {
        "normal": X,
        "grid": rng.integers(0, 3, size=(n, d)).astype(float),
        "offset": X.round(2) + 1e9,
        "on a sphere": X / np.linalg.norm(X, axis=1, keepdims=True),
        "nearly lost": np.column_stack([np.ones(n), np.exp(X[:, 1:]) * 2e-161]),
    }[shape]


@pytest.mark.parametrize("d", [1, 3, 8])
@pytest.mark.parametrize("shape", ["normal", "grid", "offset", "on a sphere", "nearly lost"])
def test_trees_of_two_levels(shape: str, d: int) -> None:
    """The longest distance is found wherever its ends are, in a tree of several levels, too."""
    space = Space.of(Matrix.of(drawn(shape, 1051 if SANITIZED else 1203, d)))
    expected = vectorised.md(space.values, 5, scales_of(space)).tolist()
    assert kernel(space, 5, _core.Search.tree) == expected
    assert kernel(space, 5, _core.Search.flat, threads=2) == expected


def test_trees_of_mixed_records() -> None:
    """So it is among records of every kind."""
    space = Space.of(mixed_records(1100, seed=2))
    expected = vectorised.md(space.values, 7, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, 7, search) == expected


def test_the_longest_distance_seeds_two_cells() -> None:
    """0 and 9 are farthest apart, then 7 and 2; the lower row's cell comes first."""
    X = np.array([[7.0], [0.0], [2.0], [8.0], [9.0], [1.0], [3.0], [6.0]])
    assert covey.MD(2).fit(X).labels_.tolist() == [2, 0, 3, 1, 1, 0, 3, 2]


def test_the_last_records_join_the_nearest_averages() -> None:
    """Fewer than k records left join cells; the averages are those before any of them joined."""
    X = np.array([[0.0], [1.0], [9.0], [10.0], [4.0]])
    assert covey.MD(2).fit(X).labels_.tolist() == [0, 0, 1, 1, 0]
