"""Columns as numbers, and numbers back as columns."""

from __future__ import annotations

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import Column, InvalidInput
from covey.encoding import Categorical, Continuous, encode_column, encode_like, to_matrix
from covey.frames import read_frame

NONE = np.zeros(2, dtype=bool)


def encoded(array: object, kind: str = "continuous", **options: object) -> Continuous | Categorical:
    column = Column("x", "quasi", kind, **options)
    return encode_column(read_frame(pa.table({"x": array})), column)


def refused(array: object, kind: str = "continuous", **options: object) -> str:
    with pytest.raises(InvalidInput) as caught:
        encoded(array, kind, **options)
    assert caught.value.__context__ is None
    return str(caught.value)


WHOLE = [
    pa.array([1, 4], pa.int8()),
    pa.array([1, 2**64 - 1], pa.uint64()),
    pa.array([2**64 - 1, 2**64 - 2], pa.uint64()),
    pa.array([2**62, 2**62 + 1]),
    pa.array([-(2**63), -(2**63) + 1]),
    pa.array([2**63 - 1, 2**63 - 2]),
    pa.array([dt.date(1900, 1, 1), dt.date(2020, 2, 29)]),
    pa.array([dt.date(1900, 1, 1), dt.date(2020, 2, 29)], pa.date64()),
    pa.array([0, 86_399], pa.time32("s")),
    pa.array([0, 86_399_999_999_999], pa.time64("ns")),
    pa.array([1_600_000_000_000_000_001, 1_600_000_000_000_000_003], pa.timestamp("ns", "UTC")),
    pa.array([-5, 7], pa.duration("us")),
]
FRACTIONAL = [
    pa.array([1.5, -2.25], pa.float32()),
    pa.array([1e308, -1e308]),
    pa.array([5e-324, 0.0]),
    pa.array([decimal.Decimal("9.99"), decimal.Decimal("-9.99")], pa.decimal128(3, 2)),
    pa.array([decimal.Decimal("0.1"), None], pa.decimal256(50, 1)),
]


@pytest.mark.parametrize("array", WHOLE + FRACTIONAL, ids=lambda array: str(array.type))
def test_numbers_come_back(array: pa.Array) -> None:
    """Values that are encoded and decoded are the same values of the same type, to the last digit."""
    column = encoded(array)
    wide = array.type == pa.uint64() and array[0].as_py() == 1
    back = column.decode(column.values, column.missing)
    assert back.type == array.type
    assert back.to_pylist() == ([0, 2**64 - 1024] if wide else array.to_pylist())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(-(2**63), 2**63 - 2**40), st.lists(st.integers(0, 2**40), min_size=1, max_size=5))
def test_whole_numbers_anywhere_keep_precision(offset: int, steps: list[int]) -> None:
    """Whole numbers come back exactly wherever they lie in 64 bits, if they lie within 2**53 of each other."""
    array = pa.array([offset + step for step in steps], pa.int64())
    column = encoded(array)
    assert column.decode(column.values, column.missing).equals(array)


def test_the_ends_of_int64_do_not_wrap() -> None:
    """The greatest and the least int64 in one column stay the greatest and the least."""
    column = encoded(pa.array([2**63 - 1, -(2**63)]))
    back = column.decode(column.values, column.missing).to_pylist()
    assert back[0] > 2**63 - 2048
    assert back[1] == -(2**63)


@pytest.mark.parametrize(
    ("array", "values", "published"),
    [
        (pa.array([1, 2]), [1.4, 1.6], [2, 3]),
        (pa.array([1, 2], pa.uint64()), [1.4, 1.6], [2, 3]),
        (pa.array([0, 1], pa.int32()).cast(pa.date32()).cast(pa.date64()), [1.4, 1.6], ["1970-01-02", "1970-01-03"]),
        (pa.array([decimal.Decimal("0.00"), None]), [0.126, 0.124], ["0.13", "0.12"]),
    ],
    ids=["int64", "uint64", "date64", "decimal"],
)
def test_means_are_rounded_not_cut(array: pa.Array, values: list[float], published: list[object]) -> None:
    """Published means are rounded to the nearest value that the type has."""
    back = encoded(array).decode(np.array(values), NONE).to_pylist()
    assert back == published or list(map(str, back)) == published


def test_decimals() -> None:
    """Decimals make whole columns float64 and round others; without them whole columns stay whole."""
    whole = encoded(pa.array([1, 2]), decimals=1).decode(np.array([0.26, 0.5]), NONE)
    assert (whole.type, whole.to_pylist()) == (pa.float64(), [1.3, 1.5])
    assert encoded(pa.array([1, 2]), decimals=0).decode(np.array([0.4, 0.6]), NONE).to_pylist() == [1, 2]
    floats = encoded(pa.array([0.0, 0.0]), decimals=2).decode(np.array([0.126, 1e300]), NONE)
    assert floats.to_pylist() == [0.13, 1e300]


@pytest.mark.parametrize(
    ("array", "values"),
    [
        (pa.array([100, 120], pa.int8()), [0.0, 28.0]),
        (pa.array([0, 1], pa.uint8()), [0.0, -1.0]),
        (pa.array([0, 1], pa.uint64()), [0.0, -1.0]),
        (pa.array([0, 1]), [0.0, 2.0**64]),
        (pa.array([0, 1], pa.time32("s")), [0.0, -1.0]),
        (pa.array([0, 1], pa.time64("us")), [0.0, 86_400e6]),
        (pa.array([decimal.Decimal("0.00"), None], pa.decimal128(3, 2)), [0.0, 10.0]),
        (pa.array([0.0, 1.0], pa.float32()), [0.0, 1e39]),
        (pa.array([1e308, 1e308]), [0.0, 1e308]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else None,
)
def test_values_out_of_range_are_refused(array: pa.Array, values: list[float]) -> None:
    """A rescaled value that its type does not hold is refused, not wrapped around, clipped or quoted."""
    with pytest.raises(InvalidInput, match="column 'x': 1 rescaled values are outside the range") as caught:
        encoded(array).decode(np.array(values), NONE)
    assert caught.value.__context__ is None


def test_standardised() -> None:
    """Standardised values have mean 0 and population variance 1; a constant column has none."""
    values = encoded(pa.array([1.0, 2.0, None, 6.0])).standardised()
    np.testing.assert_allclose(values, (np.array([1, 2, 3, 6]) - 3) / np.sqrt(14 / 3), atol=1e-15)
    assert encoded(pa.array([7, 7, None])).standardised() is None


@pytest.mark.parametrize("factor", [1e-300, 1e-100, 1e100, 1e300, 5e-324])
def test_standardised_at_any_scale(factor: float) -> None:
    """The scale of a column does not show in its standardised values, down to the least positive number."""
    whole = np.array([1.0, 2.0, 4.0, 9.0])
    np.testing.assert_allclose(
        encoded(pa.array(whole * factor)).standardised(), encoded(pa.array(whole)).standardised(), rtol=1e-12
    )


def test_standardised_far_from_zero() -> None:
    """A shift by 1e9 standard deviations costs only what the input itself lost."""
    values = np.random.default_rng(3).integers(-(2**20), 2**20, 100) / 2**18
    shift = 2.0**31  # at which all these fractions are still exact
    np.testing.assert_allclose(
        encoded(pa.array(values + shift)).standardised(), encoded(pa.array(values)).standardised(), atol=1e-12
    )


def test_minus_999_is_a_value() -> None:
    """No number means missing."""
    column = encoded(pa.array([-999, -999, 5, None]))
    assert column.missing.tolist() == [False, False, False, True]
    assert np.ptp(column.values[:3]) == 1004


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        (pa.array(["1", "CANARYx7", None]), "holds text: 1 of 2 values are not numbers"),
        (pa.array(["1", "2.5e3"]), "holds numbers as text"),
        (pa.array(["a", "b"]).dictionary_encode(), "holds text: 2 of 2"),
        (pa.array([1, 2]).dictionary_encode(), "holds categories"),
        (pa.array([True, False]), "holds booleans"),
        (pa.array([[1], [2]]), "which covey cannot average"),
        (pa.array([1.0, float("nan"), float("inf"), -float("inf")]), "has 3 NaN or infinite values"),
        (pa.nulls(2), "every record is missing it"),
        (pa.array([None, None], pa.float64()), "every record is missing it"),
        (pa.array([None, None], pa.string()).dictionary_encode(), "every record is missing it"),
    ],
)
def test_what_is_not_continuous(array: pa.Array, sentence: str) -> None:
    """A continuous column of anything but finite numbers is refused with its name and the count."""
    assert sentence in refused(array)
    assert "'x'" in refused(array)


@pytest.mark.parametrize(
    ("array", "decimals"), [(pa.array([1, 2], pa.date32()), 1), (pa.array([decimal.Decimal("1.5")]), 2)]
)
def test_decimals_a_type_has_not(array: pa.Array, decimals: int) -> None:
    """Decimals that the type cannot hold are refused rather than ignored."""
    assert "decimals" in refused(array, decimals=decimals)


@pytest.mark.parametrize(
    ("array", "kind", "categories", "sentence"),
    [
        (pa.array(["a", "b", "b"]), "ordinal", ("a",), "has 2 values outside its 1 declared categories"),
        (pa.array(["a", "b"]).dictionary_encode(), "nominal", ("a",), "has 1 values outside"),
        (pa.array(["a", "b"]), "ordinal", (), "declare its categories from the lowest"),
        (pa.array([1, 2]), "ordinal", ("1", "2"), "not of its type, numbers"),
        (pa.array(["1", "2"]), "ordinal", (1, 2), "not of its type, text"),
        (pa.array([True]), "ordinal", (0, 1), "not of its type, bool"),
        (pa.array([1, 2], pa.int8()), "ordinal", (1, 300), "not of its type"),
        (pa.array([1, 2]), "ordinal", (1.5, 2), "not of its type"),
        (pa.array([1, 2]), "ordinal", (1, 2**70), "not of its type"),
        (pa.array([1.5, float("inf"), float("nan")]), "nominal", (), "has 2 NaN or infinite values"),
        (pa.array([1.5, float("inf")]).dictionary_encode(), "nominal", (), "has 1 NaN or infinite values"),
        (pa.array([[1], [2]]), "nominal", (), "which covey cannot compare"),
        (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), "ordinal", (), "which covey cannot compare"),
        (pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16)], pa.binary(16))), "nominal", (), "compare"),
    ],
)
def test_what_is_not_categorical(array: pa.Array, kind: str, categories: tuple[object, ...], sentence: str) -> None:
    """Categories that are unknown, unordered or of another type are refused with the column and the count."""
    message = refused(array, kind, categories=categories)
    assert sentence in message
    assert "'x'" in message


COMPARABLE = [
    pa.array(["b", "a", None]),
    pa.array(["b", "a", None], pa.large_string()),
    pa.array(["b", "a", None], pa.string_view()),
    pa.array(["b", "a", None]).dictionary_encode(),
    pa.array([b"b", b"a", None]),
    pa.array([True, False, None]),
    pa.array([2, 1, None], pa.uint64()),
    pa.array(np.array([2, 1, 1], "float16")),
    pa.array([decimal.Decimal(2), decimal.Decimal(1), None]),
    pa.array([decimal.Decimal(2), decimal.Decimal(1), None], pa.decimal32(5, 0)),
    pa.array([2, 1, None], pa.timestamp("ns")),
    pa.array([2, 1, None], pa.duration("s")),
    pa.array([2, 1, None], pa.time32("s")),
]


@pytest.mark.parametrize("array", COMPARABLE, ids=lambda array: str(array.type))
def test_categories_are_found_and_sorted(array: pa.Array) -> None:
    """The categories of any comparable type are found, sorted, and come back; missing values are code −1."""
    column = encoded(array, "nominal")
    last = 0 if array[2].as_py() is not None else -1
    assert column.codes.tolist() == [1, 0, last]
    assert column.decode(np.maximum(column.codes, 0), column.missing).to_pylist() == array.to_pylist()


def test_categories_of_the_type_keep_their_order() -> None:
    """The order of an ordered type is that of its codes, unused categories counted."""
    frames = [
        pd.DataFrame({"x": pd.Categorical(["a", "z"], ["z", "m", "a"], ordered=True)}),
        pl.DataFrame({"x": pl.Series(["a", "z"], dtype=pl.Enum(["z", "m", "a"]))}),
        pa.table({"x": pa.DictionaryArray.from_arrays([2, 0], ["z", "m", "a"], ordered=True)}),
    ]
    for frame in frames:
        column = encode_column(read_frame(frame), Column("x", "quasi", "ordinal"))
        assert (column.codes.tolist(), column.levels) == ([2, 0], 3)


def test_declared_order_wins_over_the_type() -> None:
    """Declared categories order the codes, whatever the type says; ints and floats may mix."""
    array = pa.DictionaryArray.from_arrays([1, 0], ["z", "a"], ordered=True)
    assert encoded(array, "ordinal", categories=("a", "z")).codes.tolist() == [0, 1]
    assert encoded(pa.array([2.5, 1.0]), "ordinal", categories=(1, 2.5)).codes.tolist() == [1, 0]


def test_published_columns_in_the_terms_of_the_original() -> None:
    """A published value equal to the original one has exactly the same number or code."""
    for values, kind in (([0.1, 0.3, 2.062, 0.0], "continuous"), (["b", "a", "c", "b"], "nominal")):
        original = encoded(pa.array(values), kind)
        published = encode_like(pa.table({"x": pa.array(values[::-1])}), original)
        numbers = "values" if kind == "continuous" else "codes"
        assert getattr(published, numbers).tolist() == getattr(original, numbers).tolist()[::-1]


def test_matrix_leaves_out_constant_columns() -> None:
    """Constant columns, whatever their kind, are not in the matrix; the others are at their places."""
    table = pa.table({"a": [1, 1, 1], "b": [1, 2, 3], "c": ["x"] * 3, "d": ["x", "y", None]})
    kinds = {"a": "continuous", "b": "continuous", "c": "nominal", "d": "nominal"}
    frame = read_frame(table)
    columns = [encode_column(frame, Column(name, "quasi", kind)) for name, kind in kinds.items()]
    matrix, places = to_matrix(columns)
    assert places == [1, 3]
    assert matrix.levels == (0, 2)
    np.testing.assert_allclose(matrix.values[:, 1], [0, 1, 0])
