"""Diversity within cells and closeness to the whole table, against slow and obvious definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.measures.counts import CellCounts
from covey.measures.diversity import (
    divergences,
    earth_movers,
    effective_values,
    entropies,
    log_ratios,
    recursive_constants,
    recursive_levels,
)
from tests.reference import diversity as slow

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=40)


def counted(pairs: list[tuple[int, int]]) -> tuple[CellCounts, list[list[int]], list[int]]:
    """The counts, the values of each cell, and all values; cells without records are numbered away."""
    cells, labels = np.unique([cell for cell, _ in pairs], return_inverse=True)
    values = [value for _, value in pairs]
    members = [[value for cell, value in pairs if cell == wanted] for wanted in cells.tolist()]
    return CellCounts.of(labels, np.array(values)), members, values


@settings(max_examples=200)
@given(PAIRS)
def test_entropies(pairs: list[tuple[int, int]]) -> None:
    """Entropies are Σ −p log2 p, and 1 ≤ exp H ≤ different values ≤ records of the cell."""
    counts, members, _ = counted(pairs)
    found = entropies(counts)
    assert found == pytest.approx([slow.entropy(cell) for cell in members], abs=1e-12)
    effective = effective_values(counts)
    assert effective == pytest.approx([2 ** slow.entropy(cell) for cell in members])
    assert (effective >= 1).all()
    assert (effective <= counts.distinct).all()
    assert (counts.distinct <= counts.sizes).all()


@pytest.mark.parametrize("values", range(1, 50))
def test_even_values_have_whole_numbers(values: int) -> None:
    """As many values, all as frequent, are effective values to the last bit."""
    counts = CellCounts.of(np.zeros(3 * values, dtype=np.int64), np.tile(np.arange(values), 3))
    assert effective_values(counts).tolist() == [values]
    assert entropies(counts).tolist() == [np.log2(values)]


@settings(max_examples=200)
@given(PAIRS, st.integers(1, 7), st.fractions(Fraction(1, 8), 8, max_denominator=8))
def test_recursive(pairs: list[tuple[int, int]], l: int, c: Fraction) -> None:  # noqa: E741
    """The constant is the least that c must exceed, and the level the greatest that holds."""
    counts, members, _ = counted(pairs)
    constants = recursive_constants(counts, l)
    assert constants.tolist() == [slow.recursive_constant(cell, l) for cell in members]
    assert (constants < float(c)).tolist() == [slow.recursive_holds(cell, c, l) for cell in members]
    assert recursive_levels(counts, float(c)).tolist() == [slow.recursive_level(cell, c) for cell in members]


@settings(max_examples=300)
@given(PAIRS)
def test_distances_over_codes(pairs: list[tuple[int, int]]) -> None:
    """Equal and ordered distances are the papers' sums; equally spaced numbers are as far apart as their places."""
    counts, members, everybody = counted(pairs)
    equal = earth_movers(counts, "equal")
    assert equal == pytest.approx([slow.equal_distance(cell, everybody) for cell in members], abs=1e-12)
    ordered = earth_movers(counts, "ordered")
    expected = [slow.ordered_distance(cell, everybody, counts.levels) for cell in members]
    assert ordered == pytest.approx(expected, abs=1e-12)
    numeric = earth_movers(counts, "numeric", np.arange(counts.levels) * 0.75 - 2)
    assert numeric == pytest.approx(expected, abs=1e-12)
    for distances in (equal, ordered, numeric):
        assert ((distances >= 0) & (distances <= 1)).all()


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.floats(-100, 100).map(lambda x: round(x, 2)) | st.sampled_from([0.0, 1.0, 50])),
        min_size=1,
        max_size=25,
    ),
    st.sampled_from([0, 300, -300, 1015]),
)
def test_numeric_distance(pairs: list[tuple[int, float]], exponent: int) -> None:
    """Numeric distances are the least earth to move, whatever the scale."""
    cells, labels = np.unique([cell for cell, _ in pairs], return_inverse=True)
    everybody = [value for _, value in pairs]
    values, codes = np.unique(everybody, return_inverse=True)
    found = earth_movers(CellCounts.of(labels, codes), "numeric", np.ldexp(values, exponent))
    members = [[value for cell, value in pairs if cell == wanted] for wanted in cells.tolist()]
    expected = [slow.numeric_distance(cell, everybody) for cell in members]
    assert found == pytest.approx(expected, abs=1e-9)


@settings(max_examples=200)
@given(PAIRS)
def test_ratios_and_divergences(pairs: list[tuple[int, int]]) -> None:
    """δ and the divergences are the papers', and the mean divergence is the mutual information."""
    counts, members, everybody = counted(pairs)
    for strict in (False, True):
        expected = [slow.log_ratio(cell, everybody, strict=strict) for cell in members]
        assert log_ratios(counts, strict=strict) == pytest.approx(expected, abs=1e-12)
    found = divergences(counts)
    assert found == pytest.approx([slow.divergence(cell, everybody) for cell in members], abs=1e-12)
    mean = float(np.average(found, weights=counts.sizes))
    assert mean == pytest.approx(slow.mutual_information([cell for cell, _ in pairs], everybody), abs=1e-9)


@settings(max_examples=200)
@given(PAIRS, st.data())
def test_merging_is_thought_through(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    """Pairs of cells regrouped are counted as if they were one, and compared with the whole table."""
    counts, members, everybody = counted(pairs)
    places = st.lists(st.integers(0, counts.cells - 1), min_size=3, max_size=3)
    a, b = np.array(data.draw(places)), np.array(data.draw(places))
    unions = [members[x] + (members[y] if x != y else members[x]) for x, y in zip(a, b, strict=True)]
    pairwise = counts.regrouped(np.concatenate([a, b]), np.tile(np.arange(3), 2))
    assert pairwise.sizes.tolist() == [len(union) for union in unions]
    assert pairwise.distinct.tolist() == [len(set(union)) for union in unions]
    overall = counts.overall
    for ground in ("equal", "ordered", "numeric"):
        found = earth_movers(pairwise, ground, np.arange(counts.levels, dtype=float), overall)
        slowly = slow.equal_distance if ground == "equal" else slow.ordered_distance
        rest = () if ground == "equal" else (counts.levels,)
        assert found == pytest.approx([slowly(union, everybody, *rest) for union in unions], abs=1e-12)
    assert log_ratios(pairwise, overall) == pytest.approx([slow.log_ratio(u, everybody) for u in unions], abs=1e-12)
    assert divergences(pairwise, overall) == pytest.approx([slow.divergence(u, everybody) for u in unions], abs=1e-12)


@settings(max_examples=100)
@given(PAIRS)
def test_one_cell_tells_nothing(pairs: list[tuple[int, int]]) -> None:
    """When all cells are merged the distances, δ and the divergence are 0."""
    counts, _, everybody = counted(pairs)
    whole = counts.regrouped(np.arange(counts.cells), np.zeros(counts.cells, dtype=np.int64))
    assert whole.cells == 1
    assert whole.distinct.tolist() == [len(set(everybody))]
    for ground in ("equal", "ordered", "numeric"):
        assert earth_movers(whole, ground, np.arange(counts.levels, dtype=float)) == pytest.approx([0.0], abs=1e-12)
    assert log_ratios(whole).tolist() == [0.0]
    assert divergences(whole).tolist() == [0.0]


def test_salaries_of_the_paper() -> None:
    """The paper's nine salaries of 3,000 to 11,000: {3, 4, 5} is at 0.375, {6, 8, 11} at 0.167."""
    counts = CellCounts.of(np.array([0, 0, 0, 1, 2, 1, 2, 2, 1]), np.arange(9))
    assert earth_movers(counts, "ordered")[:2] == pytest.approx([0.375, 1 / 6])
    assert earth_movers(counts, "numeric", np.arange(3.0, 12.0))[:2] == pytest.approx([0.375, 1 / 6])


def test_a_ranking_of_two_constants_is_strict() -> None:
    """Of frequencies 2, 1, 1 the constant of ℓ = 2 is 1, which itself is not enough."""
    counts = CellCounts.of(np.zeros(4, dtype=np.int64), np.array([0, 0, 1, 2]))
    assert recursive_constants(counts, 2).tolist() == [1.0]
    assert recursive_constants(counts, 4).tolist() == [math.inf]
    assert recursive_levels(counts, 1.0).tolist() == [1]
    assert recursive_levels(counts, 1.01).tolist() == [2]


def test_many_cells_and_values() -> None:
    """60,000 values in 30,000 cells need no table of cells by values, which would have 2·10⁹ places."""
    rng = np.random.default_rng(5)
    n = 60_000
    codes, labels = rng.permutation(n), np.arange(n) // 2
    counts, values = CellCounts.of(labels, codes), np.sort(rng.normal(size=n))
    ordered, numeric = earth_movers(counts, "ordered"), earth_movers(counts, "numeric", values)
    everybody = np.arange(1, n) / n
    for cell in (0, 7, 29_999):
        low, high = sorted(codes[2 * cell : 2 * cell + 2].tolist())
        steps = 0.5 * (np.arange(n - 1) >= low) + 0.5 * (np.arange(n - 1) >= high)
        between = np.abs(steps - everybody)
        assert ordered[cell] == pytest.approx(between.sum() / (n - 1), abs=1e-12)
        assert numeric[cell] == pytest.approx((between * np.diff(values)).sum() / np.ptp(values), abs=1e-12)
    assert earth_movers(counts, "equal") == pytest.approx(1 - 2 / n)
    assert divergences(counts) == pytest.approx(math.log2(n / 2))
