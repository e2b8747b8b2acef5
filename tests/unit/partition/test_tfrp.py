"""TFRP's kernels against the obvious algorithm, to the last record."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

import covey
from covey import _core
from covey.matrix import Matrix, Space
from tests.reference import contenders
from tests.unit.partition.strategies import Case, cases, scales_of

SEARCHES = (_core.Search.tree, _core.Search.flat)


def kernel(space: Space, k: int, search: _core.Search) -> list[int]:
    return _core.tfrp(space.values, space.averages, space.levels, k, search).tolist()


def assert_obvious(case: Case) -> None:
    space = case.space()
    expected = contenders.tfrp(space.values, case.k, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, case.k, search) == expected


@given(cases())
def test_continuous_records(case: Case) -> None:
    """Either search gives the labels of all records looked at, and all cells tried."""
    assert_obvious(case)


@settings(max_examples=50)
@given(cases(most_columns=12, most_records=60))
def test_many_columns(case: Case) -> None:
    """So it does in up to twelve columns."""
    assert_obvious(case)


@pytest.mark.parametrize(("n", "scale"), [(398, 0.5), (401, 3), (401, 10), (800, 10)])
def test_some_hundred_records(n: int, scale: float) -> None:
    """So it does when hundreds of averages, equal or not, have moved or are gone, and are held anew."""
    X = (np.random.default_rng(n).normal(size=(n, 2)) * scale).round()
    assert_obvious(Case(Matrix.of(X), 2))


@given(cases())
def test_dissolving_never_raises_the_sse(case: Case) -> None:
    """Cells after the trials have no more SSE than those around the two reference points have."""
    space = case.space()
    scales = scales_of(space)
    labels = np.array(kernel(space, case.k, _core.Search.flat))
    formed = contenders.tfrp_cells(space.values, case.k, scales)
    sums = [
        sum(contenders.sse(space.values, np.flatnonzero(cells == c).tolist(), scales) for c in np.unique(cells))
        for cells in (labels, formed)
    ]
    assert sums[0] <= sums[1] * (1 + 1e-12)


def test_the_reference_points_take_turns() -> None:
    """0 is farthest from R1 = 9, then 9 from R2 = 0; the second turn of R1 takes 2."""
    X = np.array([[9.0], [0.0], [2.0], [8.0], [3.0], [1.0]])
    assert covey.TFRP(2).fit(X).labels_.tolist() == [1, 0, 2, 1, 2, 0]


def test_a_cell_that_lies_between_others_is_dissolved() -> None:
    """The last cell, of 1 and 21, is better dissolved: 1 joins 0's cell and 21 that of 20."""
    X = np.array([[0.0], [0.0], [22.0], [22.0], [1.0], [21.0]])
    assert covey.TFRP(2).fit(X).labels_.tolist() == [0, 0, 1, 1, 0, 1]


def test_categories_are_refused() -> None:
    """Categories have no extremes to take as a reference."""
    with pytest.raises(covey.InvalidInput, match="continuous columns only"):
        covey.TFRP(2).fit(Matrix.of([[0], [1]], ["nominal"]))
