"""The optimal partition of one column against exact rational arithmetic."""

from __future__ import annotations

import math
import os
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import covey
from tests.reference.univariate import least_sse, sse
from tests.unit.partition.strategies import COLUMNS, sizes

SANITIZED = bool(os.environ.get("COVEY_SANITIZED"))
FAR_APART = st.builds(
    lambda base, steps: base + steps * math.ulp(base), st.sampled_from([0.0, 1.0, 1e16, 1e20, -1e20]), st.integers(0, 6)
)


@st.composite
def columns(draw: st.DrawFn, most_k: int = 6) -> tuple[np.ndarray, int]:
    n, k = draw(sizes(most_k=most_k, most_records=24))
    elements = draw(st.sampled_from([*COLUMNS.values(), FAR_APART]))
    return draw(arrays(np.float64, n, elements=elements)), k


def exact_sse(column: np.ndarray, labels: np.ndarray) -> Fraction:
    """The sum of squared errors of a partition."""
    return sum((sse([Fraction(x) for x in column[labels == cell]]) for cell in range(labels.max() + 1)), Fraction(0))


def assert_optimal(column: np.ndarray, k: int) -> None:
    found, least = exact_sse(column, covey.Univariate(k).fit(column).labels_), least_sse(column.tolist(), k)
    # Where squares are smaller than float64 knows, beside values 2**300 times larger, they count for nothing.
    lost = Fraction(float(np.max(np.abs(column)))) ** 2 / 2**600
    assert least <= found <= least * (1 + Fraction(1, 10**20)) + lost


@settings(max_examples=300)
@given(columns())
def test_the_least_sse(case: tuple[np.ndarray, int]) -> None:
    """No partition has a lower SSE, whatever the range of the values."""
    assert_optimal(*case)


@settings(max_examples=100)
@given(columns(most_k=24))
def test_large_k(case: tuple[np.ndarray, int]) -> None:
    """Nor with k about a third, a half or all of the records."""
    assert_optimal(*case)


@given(columns())
def test_cells_are_runs(case: tuple[np.ndarray, int]) -> None:
    """Cells are runs of k … 2k − 1 sorted values, numbered from the lowest up; equal values go by their rows."""
    column, k = case
    fit = covey.Univariate(k).fit(column)
    labels = fit.labels_[np.argsort(column, kind="stable")]
    assert np.all(np.diff(labels) >= 0)
    assert np.array_equal(np.unique(labels), np.arange(len(fit.sizes_)))
    assert fit.sizes_.min() >= k
    assert fit.sizes_.max() <= max(2 * k - 1, 1)


def test_the_example_of_the_literature() -> None:
    """0,1,2,3,4,10,10,12,16,16 with k=3 has SSE 39.67: 5 of 0 … 3, 24 of 4, 10, 10 and 32/3 of 12, 16, 16."""
    column = np.array([0, 1, 2, 3, 4, 10, 10, 12, 16, 16], dtype=float)
    fit = covey.Univariate(3).fit(column)
    assert least_sse(column.tolist(), 3) == Fraction(119, 3)
    assert fit.labels_.tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert fit.sse_ == pytest.approx(119 / 3, rel=1e-14)


def least_by_shifts(values: np.ndarray, k: int) -> float:
    """The least SSE, from every beginning of every cell."""
    shifted = values - values[len(values) // 2]
    sums = np.concatenate([[0.0], np.cumsum(shifted)]).astype(np.longdouble)
    squares = np.concatenate([[0.0], np.cumsum(shifted * shifted)]).astype(np.longdouble)
    best = np.full(len(values) + 1, np.inf, dtype=np.longdouble)
    best[0] = 0.0
    for end in range(k, len(values) + 1):
        begins = np.arange(max(0, end - 2 * k + 1), end - k + 1)
        errors = squares[end] - squares[begins] - (sums[end] - sums[begins]) ** 2 / (end - begins)
        best[end] = np.min(best[begins] + errors)
    return float(best[-1])


@pytest.mark.parametrize("k", [2, 5, 64, 1500])
@pytest.mark.parametrize("shape", ["normal", "skewed", "whole"])
def test_many_values(shape: str, k: int) -> None:
    """Among many values the bisection misses no better beginning of a cell."""
    rng = np.random.default_rng(k)
    n = 4000 if SANITIZED else 20_000 if k < 1000 else 6000
    draw = {"normal": rng.normal(size=n), "skewed": rng.lognormal(sigma=2, size=n), "whole": rng.integers(0, 90, n)}
    values = np.sort(draw[shape].astype(float))
    assert covey.Univariate(k).fit(values).sse_ == pytest.approx(least_by_shifts(values, k), rel=1e-9, abs=1e-9)


def test_values_that_scaling_makes_alike() -> None:
    """Values that are too small to count beside 1e308 are in runs all the same."""
    column = np.array([3e-320, 2e-320, 1e308, 1e-320, 0.0, 1e308])
    assert covey.Univariate(2).fit(column).labels_.tolist() == [1, 1, 2, 0, 0, 2]


def test_a_far_cluster_keeps_its_digits() -> None:
    """Two pairs a few units in the last place apart are told apart beside values 1e20 away."""
    step = math.ulp(1e20)
    column = 1e20 + np.array([0, 1, 5, 6, 7, 7]) * step
    column = np.concatenate([np.zeros(6), column])
    labels = covey.Univariate(2).fit(column).labels_
    assert exact_sse(column, labels) == least_sse(column.tolist(), 2)
