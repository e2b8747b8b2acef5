"""Any data frame in, the same kind out."""

from __future__ import annotations

import decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from covey import InvalidInput
from covey.frames import arrow_column, arrow_table, assemble, ordered_categories, read_frame, value_codes

ALL = np.arange(2)


def column(table: object) -> pa.Array:
    return arrow_column(read_frame(table), "a")


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (None, "found NoneType"),
        ([1, 2], "found list"),
        (pd.Series([1]), "found Series"),
        (np.zeros((2, 2)), "found ndarray"),
        (pl.LazyFrame({"a": [1]}), "found LazyFrame: collect it first"),
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"a": []}), "no records"),
        (pl.DataFrame({"a": []}), "no records"),
        (pa.table({"a": pa.array([], pa.int64())}), "no records"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than one column named 'a'"),
        (pa.table([[1], [2]], names=["a", "a"]), "more than one column named 'a'"),
        (pd.DataFrame({1: [1], 2: [2]}), "2 column names are not texts"),
        (pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), "1 column names are not texts"),
        (pa.table({"a": pc.run_end_encode(pa.array([1, 1]))}), "decode column 'a' first"),
    ],
)
def test_unusable_tables_are_refused(table: object, sentence: str) -> None:
    """What is no table, or one without distinct names or records, is refused in one sentence."""
    with pytest.raises(InvalidInput, match=sentence) as caught:
        read_frame(table)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [1, "CANARYx7"]}),
        pd.DataFrame({"a": [1, True, 2.5, b"CANARYx7"]}),
        pd.DataFrame({"a": [2**70, 1]}),
        pd.DataFrame({"a": [1 + 2j]}),
        pl.DataFrame({"a": pl.Series([object()], dtype=pl.Object)}),
        pl.DataFrame({"a": pl.Series([1], dtype=pl.Int128)}),
    ],
)
def test_columns_that_arrow_has_not_are_refused(table: object) -> None:
    """Mixed types and types unknown to Arrow are refused, and Arrow's own sentence does not escape."""
    with pytest.raises(
        InvalidInput, match=r"column 'a' (mixes types, or|is of the type (complex128|Object|Int128), which)"
    ) as caught:
        column(table)
    assert caught.value.__context__ is None


@pytest.mark.parametrize(
    "values",
    [
        [1.5, None],
        [1.5, float("nan")],
        pd.array([1, None], dtype="Int64"),
        pd.array([True, None], dtype="boolean"),
        pd.array(["x", None], dtype="string"),
        np.array(["x", None], dtype=object),
        np.array(["x", np.nan], dtype=object),
        pd.to_datetime(["2020-01-01", None]),
        pd.to_timedelta(["1 h", None]),
        pd.Categorical(["x", None]),
    ],
)
def test_missing_in_pandas(values: object) -> None:
    """NaN, None, NaT and NA are all missing in pandas."""
    assert column(pd.DataFrame({"a": values})).is_null().to_pylist() == [False, True]


@pytest.mark.parametrize("table", [pl.DataFrame({"a": [1.5, float("nan")]}), pa.table({"a": [1.5, float("nan")]})])
def test_nan_elsewhere_is_a_number(table: object) -> None:
    """NaN is not missing in polars and pyarrow: it stays and is refused later."""
    assert column(table).null_count == 0


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (pa.array(["x"], pa.string_view()), pa.large_string()),
        (pa.array([b"x"], pa.binary_view()), pa.large_binary()),
        (pa.array(np.array([1.5], "float16")), pa.float32()),
        (pa.array([decimal.Decimal("1.5")], pa.decimal32(5, 1)), pa.decimal128(5, 1)),
        (pa.array([decimal.Decimal("1.5")], pa.decimal64(5, 1)), pa.decimal128(5, 1)),
        (
            pa.DictionaryArray.from_arrays([0], pa.array(["x"], pa.string_view())),
            pa.dictionary(pa.int64(), pa.large_string()),
        ),
    ],
    ids=str,
)
def test_types_arrow_hardly_computes_with_become_plain(array: pa.Array, kind: pa.DataType) -> None:
    """Views, half floats and short decimals become types that all of Arrow's functions know."""
    assert column(pa.table({"a": array})).type == kind


def test_dictionaries_become_sound() -> None:
    """Nulls and repeats in a dictionary do not make missing values present or equal ones different."""
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, None]), ["x", None, "x", "y"])
    found = column(pa.table({"a": array}))
    assert found.to_pylist() == ["x", None, "x", "y", None]
    assert found.null_count == 2
    assert found.dictionary.to_pylist() == ["x", "y"]


def test_chunks_with_different_dictionaries_are_unified() -> None:
    """A column in several chunks is one array with one dictionary."""
    chunks = pa.chunked_array([pa.array(["x", "y"]).dictionary_encode(), pa.array(["y", "z"]).dictionary_encode()])
    found = column(pa.table({"a": chunks}))
    assert found.to_pylist() == ["x", "y", "y", "z"]
    assert found.dictionary.to_pylist() == ["x", "y", "z"]


def test_value_codes_of_many_categories() -> None:
    """Codes are right at the limits of small index types, missing values included."""
    for bits, levels in ((pa.int8(), 128), (pa.uint8(), 256)):
        indices = pa.array([*range(levels), None], bits)
        codes = value_codes(pa.DictionaryArray.from_arrays(indices, pa.array(list(map(str, range(levels))))))
        assert sorted(codes.tolist()) == list(range(levels + 1))


def test_ordered_categories() -> None:
    """Only types that order their categories have ordered categories, unused ones included."""
    data = pd.Categorical(["x"], ["z", "x"], ordered=True)
    frames = [
        pd.DataFrame({"a": data}),
        pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Enum(["z", "x"]))}),
        pa.table({"a": pa.DictionaryArray.from_arrays([1], ["z", "x"], ordered=True)}),
    ]
    assert [ordered_categories(read_frame(frame), "a").to_pylist() for frame in frames] == [["z", "x"]] * 3
    unordered = [pd.DataFrame({"a": data.as_unordered()}), pl.DataFrame({"a": pl.Series(["x"], dtype=pl.Categorical)})]
    assert [ordered_categories(read_frame(frame), "a") for frame in unordered] == [None, None]


def test_nothing_of_the_index_or_metadata_survives() -> None:
    """The index, the names of the axes, attributes and Arrow metadata of the input are not in the output."""
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}, index=pd.Index(["CANARYx7", "CANARYx8"], name="who"))
    frame.columns.name = "axis"
    frame.attrs["source"] = "CANARYx7"
    output, _ = assemble(read_frame(frame), ["a", "b"], ALL[::-1], {"a": pa.array([3, 3])})
    assert isinstance(output.index, pd.RangeIndex)
    assert (output.index.name, output.columns.name, output.attrs, output["b"].attrs) == (None, None, {}, {})
    field = pa.field("a", pa.int64(), metadata={"who": "CANARYx7"})
    table = pa.table(
        {"a": [1, 2], "b": [3, 4]}, schema=pa.schema([field, pa.field("b", pa.int64(), metadata={"x": "y"})])
    )
    table = table.replace_schema_metadata({"pandas": "CANARYx7"})
    output, counted = assemble(read_frame(table), ["a", "b"], ALL, {"a": pa.array([3, 3])})
    for found in (output, counted):
        assert found.schema.metadata is None
        assert [field.metadata for field in found.schema] == [None, None]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, 2], dtype="int8"),
        pd.Series([1, None], dtype="Int64"),
        pd.Series([1.5, None], dtype="Float64"),
        pd.Series([1.5, None], dtype="float32"),
        pd.Series(["x", None], dtype="string"),
        pd.Series(["x", None], dtype=object),
        pd.Series([decimal.Decimal("1.5"), None], dtype=object),
        pd.Series(pd.Categorical(["x", None], ["z", "x"], ordered=True)),
        pd.Series(pd.to_datetime(["2020-01-01", None])).astype("datetime64[ns]"),
        pd.Series(pd.to_datetime(["2020-01-01", None])).dt.tz_localize("Europe/Madrid"),
        pd.Series(pd.to_timedelta(["1 h", None])),
        pd.Series([1, None], dtype="int64[pyarrow]"),
        pd.Series(["x", None], dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))),
    ],
    ids=lambda values: str(values.dtype),
)
def test_replaced_pandas_columns_keep_their_dtype(values: pd.Series) -> None:
    """A column replaced by its own values is as it was, missing values included."""
    frame = read_frame(pd.DataFrame({"a": values, "b": [1, 2]}))
    array = arrow_column(frame, "a")
    plain = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    output, _ = assemble(frame, ["a", "b"], ALL, {"a": plain}, {"a": ["z"]})
    pd.testing.assert_series_equal(output["a"], values, check_names=False)


def test_missing_in_object_columns_is_none() -> None:
    """A missing value published in a column of objects is None."""
    output, _ = assemble(read_frame(pd.DataFrame({"a": ["x", None]})), ["a"], ALL, {"a": pa.array(["x", None])})
    output, _ = assemble(read_frame(output.astype(object)), ["a"], ALL, {"a": pa.array(["x", None])})
    assert output["a"].tolist() == ["x", None]


def test_declared_categories_extend_the_type() -> None:
    """A published category that the type lacks is added to it, never turned into a missing value."""
    new = pa.array(["x", "new"])
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"])})
    table = pa.table({"a": pa.array(["x", "y"]).dictionary_encode()})
    polars = pl.DataFrame({"a": pl.Series(["x", "y"], dtype=pl.Categorical)})
    enum = polars.cast(pl.Enum(["x", "y"]))
    frames = (frame, table, polars, enum)
    outputs = [assemble(read_frame(given), ["a"], ALL, {"a": new}, {"a": ["y"]})[0] for given in frames]
    assert [column(output).to_pylist() for output in outputs] == [["x", "new"]] * 4
    assert outputs[3].schema == {"a": pl.Enum(["x", "y", "new"])}
    assert outputs[0]["a"].cat.categories.tolist() == ["new", "x", "y"]  # sorted, because no type orders them
    assert outputs[1].schema == table.schema


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_columns_and_rows_are_the_ones_asked_for(make: type) -> None:
    """The output has the columns and the records asked for, in that order."""
    table = make({"a": [1, 2, 3], "b": ["x", "y", "z"], "c": [1.5, 2.5, 3.5]})
    output, counted = assemble(read_frame(table), ["c", "a"], np.array([2, 0]), {"a": pa.array([7, 8])})
    assert type(output) is type(table)
    assert arrow_table(read_frame(output)).to_pydict() == {"c": [3.5, 1.5], "a": [7, 8]}
    assert counted.to_pydict() == {"c": [3.5, 1.5], "a": [7, 8]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_fractions_make_whole_columns_floats(make: type) -> None:
    """A column of whole numbers replaced by fractions becomes float64."""
    output, counted = assemble(read_frame(make({"a": [1, 2]})), ["a"], ALL, {"a": pa.array([0.5, 1.5])})
    assert type(output) is type(make({"a": [1]}))
    assert counted.schema.field("a").type == pa.float64()
    assert counted["a"].to_pylist() == [0.5, 1.5]


def test_views_are_published_as_views() -> None:
    """String views, of which Arrow itself takes no rows, keep their type, replaced or not."""
    table = pa.table({"a": pa.array(["x", "y"], pa.string_view()), "b": pa.array(["p", "q"], pa.string_view())})
    output, _ = assemble(read_frame(table), ["a", "b"], ALL[::-1], {"a": pa.array(["z", "z"])})
    assert output.schema.types == [pa.string_view()] * 2
    assert output.to_pydict() == {"a": ["z", "z"], "b": ["q", "p"]}
