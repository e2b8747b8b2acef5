"""Levels of categorical types: a release tells those that its records have, and those that were declared."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey.arrays import combined, without_unused_levels

TEXTS = ["flu"] * 10 + ["RARECANARY"]
AGES = [float(i) for i in range(10)] + [None]


def pandas_frame(**options: Any) -> pd.DataFrame:
    return pd.DataFrame({"a": AGES, "c": pd.Categorical(TEXTS, **options)})


def arrow_dtype_frame() -> pd.DataFrame:
    kind = pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string()))
    return pd.DataFrame(
        {"a": AGES, "c": pd.Series(pa.array(TEXTS).dictionary_encode().cast(kind.pyarrow_dtype), dtype=kind)}
    )


def arrow_frame(*, ordered: bool = False) -> pa.Table:
    codes = pa.array([0] * 10 + [1], pa.int8())
    return pa.table({"a": AGES, "c": pa.DictionaryArray.from_arrays(codes, ["flu", "RARECANARY"], ordered=ordered)})


def nested_frame(array: pa.Array) -> pa.Table:
    return pa.table({"a": AGES, "c": array})


LISTS = pa.ListArray.from_arrays(pa.array(range(12), pa.int32()), pa.array(TEXTS).dictionary_encode())
FRAMES = {
    "pandas": pandas_frame,
    "pandas, ordered": lambda: pandas_frame(categories=["RARECANARY", "flu"], ordered=True),
    "pandas, an Arrow type": arrow_dtype_frame,
    "polars Categorical": lambda: pl.DataFrame({"a": AGES, "c": pl.Series(TEXTS, dtype=pl.Categorical)}),
    "polars Enum": lambda: pl.DataFrame({"a": AGES, "c": pl.Series(TEXTS, dtype=pl.Enum(["flu", "RARECANARY"]))}),
    "Arrow": arrow_frame,
    "Arrow, ordered": lambda: arrow_frame(ordered=True),
    "Arrow, chunked": lambda: pa.concat_tables([arrow_frame().slice(0, 4), arrow_frame().slice(4)]),
    "Arrow, lists": lambda: nested_frame(LISTS),
    "Arrow, structures": lambda: nested_frame(pa.StructArray.from_arrays([pa.array(TEXTS).dictionary_encode()], ["f"])),
    "Arrow, views": lambda: nested_frame(
        pa.DictionaryArray.from_arrays(pa.array([0] * 10 + [1]), pa.array(["flu", "RARECANARY"], pa.string_view()))
    ),
}


def file_of(table: Any) -> bytes:
    """All that a reader of the table could find in it."""
    if isinstance(table, pl.DataFrame):
        levels = [str(kind.categories.to_list()) for kind in table.dtypes if isinstance(kind, pl.Enum)]
        sink = io.BytesIO()
        table.write_ipc(sink)
        return sink.getvalue() + "".join(levels).encode()
    arrow = pa.Table.from_pandas(table) if isinstance(table, pd.DataFrame) else table
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, arrow.schema) as writer:
        writer.write_table(arrow)
    return sink.getvalue().to_pybytes()


CASES = [(name, role) for name in FRAMES for role in ("confidential", "other", "nominal")]
NO_QUASI = ("Arrow, lists", "Arrow, structures", "Arrow, views")


@pytest.mark.parametrize("missing", ["drop", "own-cells"])
@pytest.mark.parametrize(("name", "role"), [case for case in CASES if case[1] != "nominal" or case[0] not in NO_QUASI])
def test_levels_of_withheld_records_are_not_told(name: str, role: str, missing: Any) -> None:
    """A level that only a record left out has is nowhere in the release, whatever the frame and the role."""
    table = FRAMES[name]()
    if role != "nominal":
        schema = covey.Schema.of(["a"], table=table, **{role: ["c"]})
    else:
        schema = covey.Schema.of(["a", "c"], nominal=["c"], table=table)
    result = covey.anonymize(table, schema, 3, missing=missing)
    assert (result.measures.records, result.measures.withheld) == (10, 1)
    assert b"flu" in file_of(result.table)
    assert b"RARECANARY" not in file_of(result.table)


@pytest.mark.parametrize("name", ["pandas", "polars Enum", "Arrow", "pandas, an Arrow type"])
def test_averaged_away_levels_are_not_told(name: str) -> None:
    """A nominal level that the modes left out is gone from the type too."""
    table = FRAMES[name]()
    whole = table.with_columns(a=1.0) if isinstance(table, pl.DataFrame) else None
    if isinstance(table, pd.DataFrame):
        whole = table.assign(a=1.0)
    elif whole is None:
        whole = table.set_column(0, "a", [[1.0] * 11])
    result = covey.anonymize(whole, covey.Schema.of(["a", "c"], nominal=["c"]), 6)
    assert b"RARECANARY" not in file_of(result.table)


@pytest.mark.parametrize("name", ["pandas", "polars Enum", "Arrow"])
def test_declared_levels_stay(name: str) -> None:
    """A level that the schema declares is no secret, and stays in the type in its place."""
    table = FRAMES[name]()
    declared = {"c": ["flu", "RARECANARY"]}
    columns = (
        *covey.Schema.of(["a"]).columns,
        covey.Column("c", covey.Role.CONFIDENTIAL, covey.Kind.NOMINAL, tuple(declared["c"])),
    )
    result = covey.anonymize(table, covey.Schema(columns), 3, missing="drop")
    assert b"RARECANARY" in file_of(result.table)
    if isinstance(table, pa.Table):
        assert result.table.schema == table.schema


def test_levels_of_an_ordered_quasi_identifier_stay() -> None:
    """An ordinal quasi-identifier keeps the levels of its ordered type, by which it was averaged."""
    table = pandas_frame(categories=["never", "flu", "RARECANARY"], ordered=True).assign(a=1.0)
    result = covey.anonymize(table, covey.Schema.of(["a", "c"], table=table), 5)
    assert result.table["c"].dtype == table["c"].dtype


def test_levels_keep_their_order_and_type() -> None:
    """What is left of a dictionary has its order, its index and its missing values."""
    codes = pa.array([3, None, 1, 3], pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, ["d", "c", "b", "a"], ordered=True)
    found = without_unused_levels(column, {"d"})
    assert found.dictionary.to_pylist() == ["d", "c", "a"]
    assert found.to_pylist() == ["a", None, "c", "a"]
    assert found.type == column.type
    assert without_unused_levels(found, {"d"}) is found


@pytest.mark.parametrize(("each", "index"), [(40, pa.int8()), (100, pa.int32())])
def test_dictionaries_of_many_chunks(each: int, index: pa.DataType) -> None:
    """Chunks whose levels together are too many for their index are one column all the same."""
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array(range(each), pa.int8()), [f"{i} {j}" for j in range(each)])
        for i in range(3)
    ]
    found = combined(pa.chunked_array(chunks))
    assert found.to_pylist() == [value for chunk in chunks for value in chunk.to_pylist()]
    assert found.type.index_type == index
    table = pa.table({"a": [1.0] * 3 * each, "c": pa.chunked_array(chunks)})
    result = covey.anonymize(table, covey.Schema.of(["a"], confidential=["c"]), 3, keep_order=True)
    assert result.table["c"].to_pylist() == found.to_pylist()
    assert covey.anonymize(table, covey.Schema.of(["a", "c"], nominal=["c"]), 3).measures.records == 3 * each
