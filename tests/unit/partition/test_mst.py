"""The spanning tree and its cuts against the obvious algorithm, to the last record."""

from __future__ import annotations

import os

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
SPLITS = {"md": _core.Split.md, "none": _core.Split.none}
SANITIZED = bool(os.environ.get("COVEY_SANITIZED"))


def kernel(space: Space, k: int, split: str, search: _core.Search) -> list[int]:
    return _core.mst(space.values, space.averages, space.levels, k, SPLITS[split], search).tolist()


def assert_obvious(case: Case, split: str, ordinal_average: str = "median") -> None:
    space = case.space(ordinal_average)
    expected = contenders.mst(space.values, case.k, scales_of(space), split).tolist()
    for search in SEARCHES:
        assert kernel(space, case.k, split, search) == expected


@given(cases(), st.sampled_from(sorted(SPLITS)))
def test_continuous_records(case: Case, split: str) -> None:
    """Either search gives the cells of Kruskal's tree, cut one edge after another."""
    assert_obvious(case, split)


@settings(max_examples=50)
@given(cases(most_columns=12), st.sampled_from(sorted(SPLITS)))
def test_many_columns(case: Case, split: str) -> None:
    """So it does in up to twelve columns."""
    assert_obvious(case, split)


@settings(max_examples=50)
@given(mixed_cases(), st.sampled_from(sorted(SPLITS)), st.sampled_from(["median", "convex"]))
def test_mixed_records(case: Case, split: str, ordinal_average: str) -> None:
    """So it does for ordinal and nominal columns."""
    assert_obvious(case, split, ordinal_average)


def drawn(shape: str, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng(d)
    X = rng.normal(size=(n, d))
    return {
        "normal": X,
        "grid": rng.integers(0, 9, size=(n, d)).astype(float),
        "coarse grid": rng.integers(0, 2, size=(n, d)).astype(float),
        "alike": np.ones((n, d)),
        "offset": X.round(2) + 1e9,
        "clusters": X * 1e-6 + rng.integers(0, 4, size=(n, 1)),
        "on a sphere": X / np.linalg.norm(X, axis=1, keepdims=True),
        "nearly lost": np.column_stack([np.ones(n), np.exp(X[:, 1:]) * 2e-161]),
    }[shape]


SHAPES = ["normal", "grid", "coarse grid", "alike", "offset", "clusters", "on a sphere", "nearly lost"]


@pytest.mark.parametrize("d", [1, 3, 5])
@pytest.mark.parametrize("shape", SHAPES)
def test_trees_of_two_levels(shape: str, d: int) -> None:
    """In an index of several levels Borůvka's tree is Prim's."""
    space = Space.of(Matrix.of(drawn(shape, 1203 if SANITIZED else 3001, d)))
    for split in SPLITS:
        assert kernel(space, 4, split, _core.Search.tree) == kernel(space, 4, split, _core.Search.flat)


def test_trees_of_mixed_records() -> None:
    """So it is among records of every kind."""
    space = Space.of(mixed_records(1500, seed=2))
    assert kernel(space, 4, "md", _core.Search.tree) == kernel(space, 4, "md", _core.Search.flat)


def test_some_hundred_records() -> None:
    """So it is when there are tens of cells, by the obvious algorithm, too."""
    X = np.random.default_rng(5).normal(size=(150, 3)).round(1)
    assert_obvious(Case(Matrix.of(X), 3), "md")


def test_the_longest_edges_are_cut() -> None:
    """Of the edges of 0, 1, 2 | 10, 11, 12 | 30, 31 the two long ones are cut."""
    X = np.array([[0.0], [30.0], [1.0], [10.0], [11.0], [2.0], [31.0], [12.0]])
    assert covey.MST(2).fit(X).labels_.tolist() == [0, 1, 0, 2, 2, 0, 1, 2]


def test_large_cells_are_split_unless_told_otherwise() -> None:
    """Of five records around one no edge can be cut; MD splits them."""
    X = np.array([[0.0, 0, 0], [2, 0, 0], [-2, 0, 0], [0, 2.1, 0], [0, -2.1, 0], [0, 0, 2.2]])
    assert covey.MST(2, split="none").fit(X).sizes_.tolist() == [6]
    assert covey.MST(2).fit(X).sizes_.tolist() == [2, 2, 2]
