"""Dictionaries tell no more than the published records do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import covey
from covey.arrays import without_unused_levels

DRAWS = np.random.default_rng(3)
N = 40


def test_levels_of_a_release_do_not_tell_the_order_of_the_input() -> None:
    """The dictionary of a confidential column of distinct values is sorted, not in the order of the input."""
    values = [f"v{x:03}" for x in DRAWS.permutation(N)]
    table = pa.table({"age": np.arange(N) % 7, "code": pa.array(values).dictionary_encode()})
    assert table["code"].combine_chunks().dictionary.to_pylist() == values, "or the test shows nothing"
    schema = covey.Schema.of(quasi=["age"], confidential=["code"])
    published = covey.anonymize(table, schema, k=3).table["code"].combine_chunks()
    assert published.dictionary.to_pylist() == sorted(values)
    assert sorted(published.to_pylist()) == sorted(values)


@pytest.mark.parametrize("kind", ["category", "arrow"])
def test_pandas_categories_do_not_tell_it_either(kind: str) -> None:
    """Unordered categories of a pandas column are sorted; their records keep their values."""
    values = [f"v{x:03}" for x in DRAWS.permutation(N)]
    dtype = pd.CategoricalDtype(values) if kind == "category" else pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    table = pd.DataFrame({"age": np.arange(N) % 7, "code": pd.Series(values, dtype=dtype)})
    schema = covey.Schema.of(quasi=["age"], confidential=["code"])
    published = covey.anonymize(table, schema, k=3, keep_order=True).table["code"]
    assert published.tolist() == values
    levels = published.cat.categories if kind == "category" else pa.array(published.array).dictionary
    assert list(map(str, levels)) == sorted(values)


def test_levels_without_an_order_stand_as_published() -> None:
    """Lists as levels cannot be sorted: the first published record's comes first."""
    levels = pa.array([[3], [1], [2]])
    column = pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 2], pa.int8()), levels)
    told = without_unused_levels(column)
    assert told.dictionary.to_pylist() == [[2], [3]]
    assert told.to_pylist() == column.to_pylist()


def test_an_order_of_the_type_stays() -> None:
    """Ordered levels keep the order of their type."""
    column = pa.DictionaryArray.from_arrays(pa.array([2, 0, 1], pa.int8()), ["z", "a", "m"], ordered=True)
    assert without_unused_levels(column).dictionary.to_pylist() == ["z", "a", "m"]
