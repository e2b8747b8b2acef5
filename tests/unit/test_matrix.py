"""The matrix that partitions work on, and its space."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

import covey
from covey import _core
from covey.matrix import Matrix, Space, as_floats
from covey.schema import Kind
from tests.reference.records import average, squared_distance
from tests.unit.partition.strategies import Case, cases, mixed_cases, scales_of


def test_columns_are_continuous_unless_said_otherwise() -> None:
    """An array alone is a matrix of continuous columns."""
    matrix = Matrix.of([[1, 2], [3, 4]])
    assert (matrix.n, matrix.d) == (2, 2)
    assert matrix.kinds == (Kind.CONTINUOUS, Kind.CONTINUOUS)
    assert matrix.levels == (0, 0)


def test_levels_are_counted_or_declared() -> None:
    """By default the greatest code says how many categories there are; more may be declared, not fewer."""
    kinds = ["ordinal", "nominal"]
    assert Matrix.of([[1, 2], [0, 0]], kinds).levels == (2, 3)
    assert Matrix.of([[1, 2], [0, 0]], kinds, [5, 3]).levels == (5, 3)
    with pytest.raises(covey.InvalidInput, match="column 1 has 3 levels or more, but 2 are declared"):
        Matrix.of([[1, 2], [0, 0]], kinds, [5, 2])


@pytest.mark.parametrize(
    ("values", "kinds", "levels", "sentence"),
    [
        ([[0.5]], ["nominal"], None, "1 values of column 0 are no codes"),
        ([[-1.0]], ["ordinal"], None, "1 values of column 0 are no codes"),
        ([[2.0**31]], ["ordinal"], None, "1 values of column 0 are no codes"),
        ([[1.0]], ["numeric"], None, "unknown kind"),
        ([[1.0]], ["nominal", "nominal"], None, "2 kinds are given for 1 columns"),
        ([[1.0]], ["continuous"], [3], "column 0 is continuous and so has no levels"),
        ([[1.0]], ["nominal"], [3, 3], "2 numbers of levels are given for 1 columns"),
        ([[np.inf]], ["nominal"], None, "1 values are NaN or inf"),
    ],
)
def test_parts_that_do_not_fit(values: Any, kinds: list[str], levels: list[int] | None, sentence: str) -> None:
    """Codes are whole numbers from 0, and kinds and levels one for each column."""
    with pytest.raises(covey.InvalidInput, match=sentence):
        Matrix.of(values, kinds, levels)


def test_rows_and_columns() -> None:
    """Parts of a matrix keep kinds and levels, even of categories that do not occur in them."""
    matrix = Matrix.of([[0.5, 1, 2], [0.1, 0, 0]], ["continuous", "ordinal", "nominal"])
    part = matrix.rows(np.array([1])).columns([2, 0])
    assert part.values.tolist() == [[0.0, 0.1]]
    assert part.kinds == (Kind.NOMINAL, Kind.CONTINUOUS)
    assert part.levels == (3, 0)


def test_the_space_of_mixed_columns() -> None:
    """Nominal columns come last; ordinal ones hold rank / levels."""
    matrix = Matrix.of([[1, 3, 0.5], [0, 1, 7.0]], ["nominal", "ordinal", "continuous"])
    space = Space.of(matrix, "convex")
    assert space.order == [1, 2, 0]
    assert space.values.tolist() == [[0.75, 0.5, 1.0], [0.25, 7.0, 0.0]]
    assert space.averages == [_core.Average.convex_median, _core.Average.mean, _core.Average.mode]
    assert space.levels == [4, 0, 2]
    assert space.squared_distances(space.values[::-1]).tolist() == [0.25 + 42.25 + 1, 0.25 + 42.25 + 1]


@given(mixed_cases())
def test_distances_are_those_of_the_definition(case: Case) -> None:
    """Squared distances are the reference's, to the last bit."""
    space = case.space()
    point = average(space.values, scales_of(space))
    expected = [squared_distance(row, point, scales_of(space)) for row in space.values]
    assert space.squared_distances(point[None, :]).tolist() == expected


@given(cases())
def test_scaling_rounds_nothing(case: Case) -> None:
    """Huge and tiny matrices are scaled by a power of two to where squares are safe, others left as they are."""
    space, X = case.space(), case.matrix.values
    greatest = np.max(np.abs(X))
    if 2.0**-200 < greatest < 2.0**200:
        assert space.exponent == 0
    if space.exponent:
        assert 0.5 <= np.max(np.abs(space.values)) < 1.0
    back = np.ldexp(space.values, -space.exponent)
    kept = np.abs(X) > greatest * 2.0**-900
    assert np.array_equal(back[kept], X[kept])


def test_averages_as_points() -> None:
    """Averages in the terms of the matrix become points of the space."""
    matrix = Matrix.of([[1, 3, 2.0**250], [0, 1, 0.0]], ["continuous", "continuous", "continuous"])
    space = Space.of(matrix)
    assert space.encode(matrix.values, matrix).tolist() == space.values.tolist()


@pytest.mark.parametrize("values", [[["1"]], [[None, "a"]], np.array([["x"]], dtype="O"), [[b"1"]]])
def test_texts_are_no_numbers(values: Any) -> None:
    """Texts are refused, even such as could be read as numbers."""
    with pytest.raises(covey.InvalidInput, match="expected numbers"):
        as_floats(values)


def test_arrays_are_not_copied_without_need() -> None:
    """A C-contiguous array of float64 goes in as it is."""
    X = np.zeros((3, 2))
    assert as_floats(X) is X
