"""Representatives of cells against slow obvious ones."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from covey import aggregate
from tests.reference import records
from tests.unit.partition.strategies import COLUMNS, Case, mixed_cases, scales_of

WEIGHTS = st.sampled_from([0.25, 0.5, 1.0, 3.0, 1024.0])  # sums of them are exact


@st.composite
def labelled_codes(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int, np.ndarray | None]:
    """Codes, labels of cells of which none is empty, the number of levels, and weights or none."""
    n = draw(st.integers(1, 40))
    levels = draw(st.integers(1, 9))
    codes = draw(arrays(np.int64, n, elements=st.integers(0, levels - 1)))
    _, labels = np.unique(draw(arrays(np.int64, n, elements=st.integers(0, 4))), return_inverse=True)
    weights = draw(st.one_of(st.none(), arrays(np.float64, n, elements=WEIGHTS)))
    return codes, labels, levels, weights


def frequencies(codes: np.ndarray, levels: int, weights: np.ndarray) -> list[float]:
    return [float(weights[codes == category].sum()) for category in range(levels)]


@given(labelled_codes(), st.sampled_from(["median", "convex", "mode"]))
def test_averages_of_categories(case: tuple, what: str) -> None:
    """Medians, convex medians and modes of each cell are those of its weighted frequencies."""
    codes, labels, levels, weights = case
    cells = labels.max() + 1
    masses = np.ones(len(codes)) if weights is None else weights
    slow = {"median": records.median, "convex": records.convex_median, "mode": records.mode}[what]
    members = [labels == cell for cell in range(cells)]
    expected = [slow(frequencies(codes[rows], levels, masses[rows])) for rows in members]
    if what == "mode":
        found = aggregate.modes(codes, labels, cells, levels, weights)
    else:
        found = aggregate.medians(codes, labels, cells, levels, weights, convex=what == "convex")
    assert found.tolist() == expected


@pytest.mark.parametrize(
    ("counts", "median", "convex"),
    [
        ([3, 0, 0, 0, 3], 0, 2),  # f' = 3, 3, 3, 3, 3
        ([5, 1, 0, 2], 0, 1),  # f' = 5, 2, 2, 2
        ([1, 0, 0, 0, 4], 4, 3),  # f' = 1, 1, 1, 1, 4: 4 of 8 up to 3
        ([2, 0, 0, 3], 3, 2),  # f' = 2, 2, 2, 3: 4 of 9 up to 1, 6 of 9 up to 2
        ([0, 1, 0], 1, 1),
        ([1, 1], 0, 0),
        ([2, 1, 2, 1, 2], 2, 2),
    ],
)
def test_convex_medians_by_hand(counts: list[int], median: int, convex: int) -> None:
    """The convex median makes up for gaps: it may be a category that does not occur."""
    codes = np.repeat(np.arange(len(counts)), counts)
    labels = np.zeros(len(codes), dtype=np.int64)
    assert aggregate.medians(codes, labels, 1, len(counts)).tolist() == [median]
    assert aggregate.medians(codes, labels, 1, len(counts), convex=True).tolist() == [convex]


def test_weights_move_the_average() -> None:
    """A record of weight 3 counts as three."""
    codes, labels = np.array([0, 1, 1, 2]), np.zeros(4, dtype=np.int64)
    weights = np.array([3.0, 1.0, 1.0, 4.0])
    assert aggregate.modes(codes, labels, 1, 3).tolist() == [1]
    assert aggregate.modes(codes, labels, 1, 3, weights).tolist() == [2]
    assert aggregate.medians(codes, labels, 1, 3, weights).tolist() == [1]
    assert aggregate.means(np.array([0.0, 1.0, 1.0, 2.0]), labels, 1, weights).tolist() == [10 / 9]


def test_cells_are_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Medians do not depend on how many cells' frequencies are held at the same time."""
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 7, 300), np.sort(rng.integers(0, 20, 300))
    expected = aggregate.medians(codes, labels, 20, 7).tolist()
    for held in (1, 7, 20, 50):
        monkeypatch.setattr(aggregate, "FREQUENCIES", held)
        assert aggregate.medians(codes, labels, 20, 7).tolist() == expected


@given(mixed_cases(), st.sampled_from(["median", "convex"]))
def test_representatives(case: Case, ordinal_average: str) -> None:
    """The representative of one cell of all is the average that the partition goes by."""
    labels = np.zeros(case.matrix.n, dtype=np.int64)
    found = aggregate.representatives(case.matrix, labels, 1, ordinal_average=ordinal_average)
    space = case.space(ordinal_average)
    expected = records.average(space.values, scales_of(space))
    np.testing.assert_allclose(space.encode(found, case.matrix)[0], expected, rtol=1e-15)


def exact_mean(values: np.ndarray, weights: np.ndarray) -> Fraction:
    pairs = [(Fraction(x), Fraction(w)) for x, w in zip(values.tolist(), weights.tolist(), strict=True)]
    return sum((x * w for x, w in pairs), Fraction(0)) / sum((w for _, w in pairs), Fraction(0))


@given(
    st.sampled_from(sorted(COLUMNS)).flatmap(lambda family: arrays(np.float64, 24, elements=COLUMNS[family])),
    st.one_of(st.none(), arrays(np.float64, 24, elements=WEIGHTS)),
)
def test_means(column: np.ndarray, weights: np.ndarray | None) -> None:
    """Means are within two units in the last place, or within one of the deviations that they average over."""
    labels = np.arange(24) % 5
    masses = np.ones(24) if weights is None else weights
    found = aggregate.means(column, labels, 5, weights)
    for cell, mean in enumerate(found.tolist()):
        members = column[labels == cell]
        exact = exact_mean(members, masses[labels == cell])
        apart = max(abs(Fraction(x) - exact) for x in members.tolist())
        assert abs(Fraction(mean) - exact) <= 2 * Fraction(math.ulp(mean)) + apart / 2**52


@pytest.mark.parametrize("offset", [0.0, 1e9, 1e15, -1e15])
def test_means_of_large_cells_far_out(offset: float) -> None:
    """The mean of 100,000 values around 1e15 is within two units in the last place, whatever other cells hold.

    Around 0 it is within a unit of the values that it is the mean of.
    """
    rng = np.random.default_rng(1)
    column = rng.normal(size=100_050) + offset
    column[100_000:] = np.arange(50) - 1e300
    labels = np.repeat([0, 1], [100_000, 50])
    found = aggregate.means(column, labels, 2)
    exact = Fraction(math.fsum(column[:100_000])) / 100_000
    assert abs(Fraction(found[0]) - exact) <= 2 * math.ulp(offset) + Fraction(1, 2**52)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 50))
def test_the_mean_of_equal_values_is_that_value(value: float, count: int) -> None:
    """A cell of equal values is published as it is."""
    found = aggregate.means(np.full(count, value), np.zeros(count, dtype=np.int64), 1)
    assert found.tolist() == [value]


def test_sizes() -> None:
    """The number of records of each cell, also of empty ones."""
    assert aggregate.sizes(np.array([0, 2, 2]), 4).tolist() == [1, 0, 2, 0]
