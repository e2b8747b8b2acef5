"""Verification of tables of any origin, against counting every combination."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

import covey
from covey import InvalidInput, Schema, verification
from covey.verification import Culprit
from tests.reference.verification import culprits, fault


@st.composite
def tables(draw):
    """Few values, some missing, and constants."""
    d, levels = draw(st.integers(1, 5)), draw(st.integers(0, 2))
    value = st.one_of(st.none(), st.integers(0, levels))
    return draw(st.lists(st.tuples(*[value] * d), min_size=1, max_size=25))


def as_table(records):
    columns = zip(*records, strict=True)
    return pa.table({f"c{j}": pa.array(column, pa.int64()) for j, column in enumerate(columns)})


@given(records=tables(), k=st.integers(1, 6))
def test_culprits_are_the_least_combinations_at_fault(records, k):
    """All of them and no other, with their counts, those of most records first."""
    found = covey.verify(as_table(records), list(as_table(records).column_names), k)
    expected = culprits(records, k)
    everything = range(len(records[0]))
    assert (found.below, found.smallest_cell) == fault(records, everything, k)
    assert found.holds == (found.below == 0) == (not expected)
    assert {tuple(int(name[1:]) for name in c.columns): (c.below, c.smallest) for c in found.culprits} == expected
    assert [c.below for c in found.culprits] == sorted((c.below for c in found.culprits), reverse=True)
    assert found.complete
    for left in found.left_out:
        others = [j for j in everything if j != int(left.column[1:])]
        assert left.below == fault(records, others, k)[0]


@given(records=tables(), k=st.integers(1, 6), limit=st.integers(0, 10))
def test_a_search_that_stops_says_so_and_names_a_culprit(records, k, limit):
    """What is found is right; where combinations were too many, there still is one culprit if the table is at fault."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verification, "LIMIT", limit)
        found = covey.verify(as_table(records), as_table(records).column_names, k)
    expected = culprits(records, k)
    named = {tuple(int(name[1:]) for name in c.columns): (c.below, c.smallest) for c in found.culprits}
    assert named.items() <= expected.items()
    assert bool(named) == bool(expected)
    assert found.searched <= limit
    assert found.complete or found.searched == limit


def test_most_limits_the_size_of_the_combinations():
    """Larger combinations are not looked at, and the result says that there may be more."""
    bits = pa.table({name: [(i >> j) & 1 for i in range(8)] for j, name in enumerate("abc")})
    found = covey.verify(bits, ["a", "b", "c"], 2, most=2)
    assert (found.holds, found.culprits, found.complete, found.searched) == (False, (), False, 6)
    found = covey.verify(bits, ["a", "b", "c"], 2, most=3)
    assert (found.culprits, found.complete) == ((Culprit(("a", "b", "c"), 8, 1),), True)


def test_keys_of_many_values_do_not_overflow():
    """Columns whose combinations are more than 64 bits can number."""
    n = 3000
    rng = np.random.default_rng(2)
    columns = {f"c{j}": np.concatenate([rng.permutation(n)] * 2) for j in range(7)}
    found = covey.verify(pa.table(columns), list(columns), 2)
    assert (found.holds, found.cells, found.smallest_cell) == (True, n, 2)
    columns["c6"][0] = -1
    found = covey.verify(pa.table(columns), list(columns), 2)
    assert (found.below, found.alone, found.cells) == (2, 2, n + 1)


@pytest.mark.parametrize("like", [lambda table: table, pa.Table.to_pandas, pl.from_arrow])
def test_values_count_as_they_look(like):
    """Missing is a value of its own, −0.0 is not 0.0, and categories are their values, in any kind of frame."""
    sex = pa.array(["f", "f", None, None, "m", "m"]).dictionary_encode()
    table = like(pa.table({"sex": sex, "x": [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]}))
    assert covey.verify(table, ["sex", "x"], 2).cells == 3
    table = like(pa.table({"sex": sex, "x": [0.0, -0.0, 1.0, 1.0, 2.0, 2.0]}))
    assert covey.verify(table, ["sex", "x"], 2).below == 2


def test_only_the_quasi_identifiers_matter():
    """Columns without a role may be of any type; identifiers that are still there are told."""
    table = pa.table({"name": ["a", "b"], "age": [3, 3], "visits": [[1], [2, 3]]})
    schema = Schema.of(quasi=["age"], identifiers=["name", "phone"])
    found = covey.verify(table, schema, 2)
    assert (found.holds, found.identifiers) == (True, ("name",))
    assert covey.verify(table, "age", 2).identifiers == ()
    with pytest.raises(InvalidInput, match="column 'visits' holds lists or structures"):
        covey.verify(table, ["visits"], 2)


def test_fewer_records_than_k():
    """Every column is at fault; leaving out the only one leaves them all alike, but still too few."""
    found = covey.verify(pa.table({"age": [3, 3]}), ["age"], 5)
    assert found.culprits == (Culprit(("age",), 2, 2),)
    assert [left.below for left in found.left_out] == [2]


@pytest.mark.parametrize(
    ("schema", "k", "options", "sentence"),
    [
        (["height"], 2, {}, "the table does not have column 'height'"),
        (["age", "age"], 2, {}, "named twice"),
        ([], 2, {}, "there is no quasi-identifier"),
        (Schema.of(quasi=[], other=["age"]), 2, {}, "there is no quasi-identifier"),
        (3, 2, {}, "schema must be a covey.Schema or a list of names, not int"),
        (["age"], 0, {}, "k must be at least 1"),
        (["age"], 2.5, {}, "k must be a whole number"),
        (["age"], 2, {"most": 0}, "most must be at least 1"),
    ],
)
def test_unusable_input_is_refused(schema, k, options, sentence):
    """Each is one sentence."""
    with pytest.raises(InvalidInput, match=sentence):
        covey.verify(pa.table({"age": [1, 2]}), schema, k, **options)


def test_releases_are_verified():
    """What covey releases holds, as any other program would count it."""
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"age": rng.integers(18, 90, 200), "bmi": rng.normal(25, 4, 200).round(1)})
    schema = Schema.of(quasi=["age", "bmi"])
    assert not covey.verify(table, schema, 5).holds
    release = covey.anonymize(table, schema, k=5)
    found = covey.verify(release.table, schema, 5)
    assert (found.holds, found.culprits, found.cells) == (True, (), release.measures.cells)
    assert found.smallest_cell == release.table.groupby(["age", "bmi"]).size().min()


def test_as_plain_values():
    """For JSON: everything, and whether it holds."""
    found = covey.verify(pa.table({"age": [1, 2], "sex": ["f", "f"]}), ["age", "sex"], 2)
    plain = found.to_dict()
    assert json.loads(found.to_json()) == plain
    assert plain["holds"] is False
    assert plain["culprits"] == [{"columns": ["age"], "below": 2, "smallest": 1}]
    assert plain["left_out"] == [{"column": "age", "below": 0}, {"column": "sex", "below": 2}]
    assert repr(found).startswith("Verification(k=2, holds=False, records=2, cells=2")


def test_adult(covey_data):
    """Some 49 thousand records and eight quasi-identifiers: the counts are those of pandas."""
    adult = csv.read_csv(covey_data / "adult.csv")
    names = ["age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"]
    found = covey.verify(adult, names, 5)
    frame = adult.select(names).to_pandas()
    sizes = frame.groupby(names, dropna=False).size()
    assert (found.cells, found.below) == (len(sizes), sizes[sizes < 5].sum())
    for culprit in found.culprits:
        sizes = frame.groupby(list(culprit.columns), dropna=False).size()
        assert (culprit.below, culprit.smallest) == (sizes[sizes < 5].sum(), sizes.min())
