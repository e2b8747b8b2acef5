"""Records of a release beside those of the input, or a sentence that says why they do not correspond."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from covey import InvalidInput, Schema
from covey.measures.pairs import on_one_scale, pair, quasi_columns

SCHEMA = Schema.of(quasi=["age", "sex"], identifiers=["name"], confidential=["tsh"], other=["site"], nominal=["sex"])
TABLE = pa.table(
    {
        "name": ["a", "b", "c", "d"],
        "age": [31, 34, 62, 65],
        "sex": ["f", "m", "f", None],
        "tsh": [1.25, None, 3.5, 2.5],
        "site": ["x", "x", "y", None],
    }
)
ROWS = [3, 0, 2]
RELEASE = pa.table(
    {"age": [63.5, 31.0, 63.5], "sex": [None, "f", "f"], "tsh": [2.5, 1.25, 3.5], "site": [None, "x", "y"]}
)


@pytest.mark.parametrize("like", [lambda table: table, pl.from_arrow, pa.Table.to_pandas])
def test_records_lie_beside_each_other(like):
    """Original values are taken at the rows and released ones are in the same terms, whatever the frames are."""
    pairs = pair(like(TABLE), RELEASE, SCHEMA, np.array(ROWS))
    age, sex = pairs.original
    assert (age.values + age.origin).tolist() == [65, 31, 62]
    assert (pairs.released[0].values + pairs.released[0].origin).tolist() == [63.5, 31, 63.5]
    assert sex.codes.tolist() == pairs.released[1].codes.tolist() == [-1, 0, 0]
    assert (pairs.records, pairs.candidates, pairs.names) == (3, 4, ("age", "sex"))
    assert pair(TABLE, like(RELEASE), SCHEMA, ROWS).records == 3


def test_without_rows_all_records_are_in_order():
    """The n-th released record is the n-th of the input."""
    assert pair(TABLE, TABLE, SCHEMA).rows.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (None, "the release has 3 records and the original table 4: say by rows"),
        ([0, 1], "rows has 2 places for 3 released records"),
        ([0, 1, 4], "rows has 1 places outside the original table, which has 4 records"),
        ([0, -1, 2], "rows has 1 places outside"),
        ([0, 2, 2], "rows repeats 1 places"),
        ([0.0, 1.0, 2.0], "rows must be a list of whole numbers"),
        ([[0], [1], [2]], "rows must be a list of whole numbers"),
        ([True, False, True], "rows must be a list of whole numbers"),
        ("abc", "rows must be a list of whole numbers"),
        ([0, 1, 2], r"the rows do not correspond: 2 records differ in column 'tsh'"),
    ],
)
def test_rows_that_do_not_correspond_are_refused(rows, sentence):
    """Each misfit is one sentence with a count."""
    with pytest.raises(InvalidInput, match=sentence):
        pair(TABLE, RELEASE, SCHEMA, rows)


def test_columns_published_as_they_are_must_agree():
    """Missing values agree with missing ones only, and types that do not compare differ everywhere."""
    changed = RELEASE.set_column(3, "site", pa.array(["x", "x", "y"]))
    with pytest.raises(InvalidInput, match=r"1 records differ in column 'site'"):
        pair(TABLE, changed, SCHEMA, ROWS)
    with pytest.raises(InvalidInput, match=r"3 records differ in column 'tsh'"):
        pair(TABLE, RELEASE.set_column(2, "tsh", pa.array(["p", "q", "r"])), SCHEMA, ROWS)
    as_categories = RELEASE.set_column(3, "site", RELEASE["site"].dictionary_encode())
    assert pair(TABLE, as_categories.drop_columns("tsh"), SCHEMA, ROWS).records == 3


def test_columns_of_other_types_agree_by_their_values():
    """What one file holds as whole numbers or as nothing at all, another may hold as fractions."""
    whole = pa.table({"age": [1, 2], "n": [5, 7], "void": pa.nulls(2)})
    fractions = pa.table({"age": [1, 2], "n": [5.0, 7.0], "void": pa.nulls(2, pa.float64())})
    schema = Schema.of(quasi=["age"], other=["n", "void"])
    assert pair(whole, fractions, schema).records == pair(fractions, whole, schema).records == 2
    for before, after in ((whole, fractions), (fractions, whole)):
        changed = after.set_column(1, "n", pa.array([5.0, 7.5]))
        with pytest.raises(InvalidInput, match="1 records differ in column 'n'"):
            pair(before, changed, schema)


def test_nested_columns_are_compared_too():
    """Lists have no codes, but they are equal or not."""
    table = pa.table({"age": [1, 2], "visits": [[1, 2], [3]]})
    schema = Schema.of(quasi=["age"], other=["visits"])
    assert pair(table, table, schema).records == 2
    with pytest.raises(InvalidInput, match="2 records differ in column 'visits'"):
        pair(table, table, schema, [1, 0])


def test_columns_must_be_there():
    """A column that either table lacks is named."""
    with pytest.raises(InvalidInput, match="the release does not have column 'sex'"):
        pair(TABLE, RELEASE.drop_columns("sex"), SCHEMA, ROWS)
    with pytest.raises(InvalidInput, match="the original table does not have columns 'age', 'sex'"):
        pair(TABLE.select(["tsh"]), RELEASE, SCHEMA, ROWS)
    with pytest.raises(InvalidInput, match=r"schema must be a covey\.Schema, not list"):
        pair(TABLE, RELEASE, ["age"], ROWS)
    with pytest.raises(InvalidInput, match="no quasi-identifier"):
        pair(TABLE, TABLE, Schema.of(quasi=[], other=["tsh"]))


def test_types_may_differ_where_values_compare():
    """Whole means of fractions, texts of other types and dates within times are read; other things are refused."""
    day = dt.date(2024, 5, 1)
    table = pa.table(
        {"bmi": [20.5, 30.0], "code": pa.array([1, 2]), "seen": pa.array([day, day]).cast(pa.timestamp("us"))}
    )
    schema = Schema.of(quasi=["bmi", "code", "seen"], nominal=["code"])
    release = pa.table({"bmi": [25, 25], "code": ["1", "1"], "seen": pa.array([day, day])})
    bmi, code, seen = pair(table, release, schema).released
    assert (bmi.values + bmi.origin).tolist() == [25, 25]
    assert code.codes.tolist() == [0, 0]
    assert seen.values.tolist() == [0, 0]
    with pytest.raises(InvalidInput, match="column 'seen' is of type string in the release") as caught:
        pair(table, release.set_column(2, "seen", pa.array(["secret", "secret"])), schema)
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None


def test_columns_by_name():
    """Names of quasi-identifiers give their columns; anything else is refused."""
    assert [column.name for column in quasi_columns(SCHEMA, "sex")] == ["sex"]
    for names, sentence in (
        (["tsh"], "column 'tsh': expected names of quasi-identifiers"),
        (["age", "age"], "named twice"),
        ([], "columns must be"),
        (3, "columns must be"),
        ([3], "columns must be"),
    ):
        with pytest.raises(InvalidInput, match=sentence):
            quasi_columns(SCHEMA, names)


@pytest.mark.parametrize("values", [[1e300, -1e300, 3e299], [1e-300, 2e-300, 0.0], [1.7e308, -1.7e308, 0.0], [5.0] * 3])
def test_one_scale_keeps_squares_in_range(values):
    """Differences before and after come times one power of two; squares neither overflow nor vanish."""
    table = pa.table({"x": values})
    mean = pa.table({"x": [values[2]] * 3})
    pairs = pair(table, mean, Schema.of(quasi=["x"]))
    before, after, exponent = on_one_scale(pairs.original[0], pairs.released[0])
    assert np.isfinite(np.square([before, after])).all()
    half = np.ldexp(np.array(values), exponent) - np.ldexp(values[2], exponent)
    assert np.allclose(before - after, half, rtol=1e-12, atol=0)
