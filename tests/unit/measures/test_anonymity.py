"""How many records share each combination of values."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.frames import arrow_table, read_frame
from covey.measures import combination_sizes

FLOATS = st.sampled_from([0.0, -0.0, 1.5, float("nan"), float("inf"), None])
TEXTS = st.sampled_from(["", "a", "A", "null", None])
NUMBERS = st.sampled_from([0, 1, 2**62, 2**62 + 1, -(2**63), None])


def as_dictionary(values: list[str | None]) -> pa.Array:
    """Texts as a dictionary with unused entries and a small unsigned index."""
    levels = ["unused", "a", "A", "", "null"]
    return pa.DictionaryArray.from_arrays(
        pa.array([None if value is None else levels.index(value) for value in values], pa.uint8()), levels
    )


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    n = draw(st.integers(1, 40))
    kinds = draw(st.lists(st.sampled_from("fttnd"), min_size=1, max_size=4))
    strategies = {"f": FLOATS, "t": TEXTS, "n": NUMBERS, "d": TEXTS}
    columns = [(kind, draw(st.lists(strategies[kind], min_size=n, max_size=n))) for kind in kinds]
    types = {"f": pa.float64(), "t": pa.string(), "n": pa.int64()}
    arrays = [as_dictionary(values) if kind == "d" else pa.array(values, types[kind]) for kind, values in columns]
    return pa.table(arrays, names=[f"c{i}" for i in range(len(arrays))])


@settings(max_examples=300, deadline=None, derandomize=True)
@given(tables())
def test_sizes_equal_a_counter(table: pa.Table) -> None:
    """The sizes are a Counter's of rows: all NaN alike, −0.0 apart from 0.0, missing apart from empty."""
    rows = zip(*(map(repr, table[name].to_pylist()) for name in table.column_names), strict=True)
    expected = Counter(rows).values()
    assert sorted(combination_sizes(table, table.column_names).tolist()) == sorted(expected)


def test_chunks_are_counted_together() -> None:
    """Equal categories of chunks with different dictionaries are equal."""
    chunks = pa.chunked_array([pa.array(["x", "y"]).dictionary_encode(), pa.array(["y", "x"]).dictionary_encode()])
    assert combination_sizes(pa.table({"a": chunks}), ["a"]).tolist() == [2, 2]


def test_polars_categories_with_missing_values() -> None:
    """polars' unsigned codes leave room for missing values."""
    frame = pl.DataFrame({"a": pl.Series(["x", None, "x", None, "y"], dtype=pl.Categorical)})
    assert sorted(combination_sizes(arrow_table(read_frame(frame)), ["a"]).tolist()) == [1, 2, 2]


def test_many_columns_do_not_overflow() -> None:
    """A hundred columns of a hundred values each are counted exactly."""
    rng = np.random.default_rng(5)
    half = rng.integers(0, 100, (100, 100))
    table = pa.table({str(j): np.concatenate([half[:, j], half[:, j]]) for j in range(100)})
    assert combination_sizes(table, table.column_names).tolist() == [2] * 100


def test_only_the_named_columns_count() -> None:
    """Other columns tell nothing apart."""
    table = pa.table({"a": [1, 1, 2], "b": [1, 2, 3]})
    assert sorted(combination_sizes(table, ["a"]).tolist()) == [1, 2]
    assert combination_sizes(table, ["a", "b"]).tolist() == [1, 1, 1]
