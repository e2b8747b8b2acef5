"""Distances and averages on cases worked by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.reference.records import Scale, average, convex_median, frequencies, median, mode, squared_distance
from tests.reference.univariate import least_sse, sse

SCALES = [Scale("mean"), Scale("median", 4), Scale("mode", 3)]


def test_distances_of_mixed_records() -> None:
    """Squares of 3, of two of four ranks, and of 1 for categories that differ."""
    a, b = np.array([1.0, 0.75, 2.0]), np.array([4.0, 0.25, 1.0])
    assert squared_distance(a, b, SCALES) == 9 + 0.25 + 1
    assert squared_distance(a, a, SCALES) == 0


def test_averages_of_mixed_records() -> None:
    """Mean, median and mode, column by column; the lowest of several modes."""
    rows = np.array([[1.0, 0.0, 2.0], [2.0, 0.5, 1.0], [6.0, 0.75, 1.0], [7.0, 0.75, 2.0]])
    assert average(rows, SCALES).tolist() == [4.0, 0.5, 1.0]


def test_means_are_rounded_once() -> None:
    """A sum that floats would lose is kept."""
    assert average(np.array([[1e16], [1.0], [-1e16]]), [Scale("mean")]).tolist() == [1 / 3]


@pytest.mark.parametrize(
    ("counts", "expected"), [([3, 0, 0, 0, 3], (0, 2, 0)), ([5, 1, 0, 2], (0, 1, 0)), ([1, 2, 2], (1, 1, 1))]
)
def test_categories(counts: list[int], expected: tuple[int, int, int]) -> None:
    """Median, convex median and mode of frequencies."""
    assert (median(counts), convex_median(counts), mode(counts)) == expected


def test_frequencies() -> None:
    """Categories that do not occur count as nothing."""
    assert frequencies(np.array([2.0, 0.0, 2.0]), 4) == [1, 0, 2, 0]


def test_least_sse_by_hand() -> None:
    """Of six values in two cells of three: 2 and 2; of five, one cell or none."""
    assert least_sse([0, 1, 2, 10, 11, 12], 3) == 4
    assert least_sse([0, 1, 2, 10, 11], 3) == sse([Fraction(x) for x in (0, 1, 2, 10, 11)])
    assert least_sse([0, 1, 2, 3, 4, 10, 10, 12, 16, 16], 3) == Fraction(119, 3)
    assert least_sse([1e16, 1e16 + 2, 0, 0], 2) == 2
