"""Drafts of schemas."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import InvalidInput, Kind, Role
from covey.inference import categories_of_texts

DAY = dt.date(2020, 1, 1)


def draft(values: object, name: str = "x") -> covey.Column:
    return covey.infer(pd.DataFrame({name: values})).columns[0]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 5, 5], Kind.CONTINUOUS),
        ([1.5, 2.5, None], Kind.CONTINUOUS),
        (pd.to_datetime(["2020-01-01", "2020-01-03", "2020-01-03"]), Kind.CONTINUOUS),
        (pd.to_timedelta([1, 2, 2], "h"), Kind.CONTINUOUS),
        ([True, False, True], Kind.NOMINAL),
        (["a", "b", "a"], Kind.NOMINAL),
        (pd.Categorical(["a", "b", "a"]), Kind.NOMINAL),
        (pd.Categorical([1, 2, 1]), Kind.NOMINAL),
        (pd.Categorical(["a", "b", "a"], ["b", "a"], ordered=True), Kind.ORDINAL),
    ],
)
def test_kinds_follow_types(values: object, kind: Kind) -> None:
    """Numbers and dates are continuous, ordered categories ordinal, other categories nominal; all are quasi."""
    column = draft(values)
    assert (column.kind, column.role) == (kind, Role.QUASI)


def test_ordered_categories_are_listed_lowest_first() -> None:
    """The draft lists the categories of an ordered type, unused ones too, in its order."""
    assert draft(pd.Categorical(["a", "b", "a"], ["z", "b", "a"], ordered=True)).categories == ("z", "b", "a")
    frame = pl.DataFrame({"x": pl.Series(["a", "b", "a"], dtype=pl.Enum(["z", "b", "a"]))})
    assert covey.infer(frame)["x"].categories == ("z", "b", "a")


def test_ordered_dates_need_no_list() -> None:
    """Ordered categories that are no texts or numbers are left to their type."""
    column = draft(pd.Categorical(pd.to_datetime([DAY, DAY]), ordered=True))
    assert (column.kind, column.categories) == (Kind.ORDINAL, ())


@pytest.mark.parametrize("name", ["id", "patientID", "Patient_Name", "e-mail", "SSN", "userId", "home address"])
def test_names_that_identify(name: str) -> None:
    """A column whose name speaks of identity becomes an identifier."""
    assert draft([1.5, 2.5, 2.5], name).role is Role.IDENTIFIER


@pytest.mark.parametrize("name", ["width", "idea", "renamed", "valid"])
def test_names_that_only_contain_such_words(name: str) -> None:
    """A word within another one identifies nobody."""
    assert draft([1.5, 2.5, 2.5], name).role is Role.QUASI


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b", "c"],
        ["a", "b", None, None],
        pd.Categorical(["a", "b", "c"]),
        [7, 8, 9, 10],
        [9, 7, 8],
        pd.Series([5, 6, None], dtype="Int64"),
    ],
)
def test_values_that_identify(values: object) -> None:
    """Texts of which no two agree and consecutive numbers, gaps apart, are identifiers."""
    assert draft(values).role is Role.IDENTIFIER


@pytest.mark.parametrize(
    "values", [[1, 2, 4], [1.0, 2.0, 3.0], [True, False], pd.to_datetime(["2020-01-01", "2020-01-02"])]
)
def test_distinct_measurements_do_not_identify(values: object) -> None:
    """Distinct numbers, dates and booleans are no identifiers for that alone."""
    assert draft(values).role is Role.QUASI


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1], [2]]),
        pa.array([{"a": 1}] * 2),
        pa.array([b"a", b"a"]),
        pa.nulls(2),
        pa.array([(1, 2, 3)] * 2, pa.month_day_nano_interval()),
        pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16)] * 2, pa.binary(16))),
    ],
    ids=lambda column: str(column.type),
)
def test_types_without_averages_are_withheld(column: pa.Array) -> None:
    """A column that covey cannot average is drafted as an identifier, which no release contains."""
    assert covey.infer(pa.table({"x": column})).columns[0].role is Role.IDENTIFIER


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a", "a"], pa.string_view()),
        pa.array(["a", "a"], pa.large_string()),
        pa.array(["a", "a"]).dictionary_encode(),
    ],
    ids=lambda column: str(column.type),
)
def test_all_types_of_text_are_nominal(column: pa.Array) -> None:
    """Every way in which Arrow holds texts is drafted alike."""
    assert covey.infer(pa.table({"x": column})).columns[0].kind is Kind.NOMINAL


def test_drafts_agree_across_frames() -> None:
    """pandas, polars and pyarrow tables of the same values have the same draft."""
    data = {"age": [30, 41, 30], "sex": ["f", "m", "f"], "tsh": [1.0, 2.5, 2.0], "name": ["x", "y", "z"]}
    drafts = [covey.infer(make(data)) for make in (pd.DataFrame, pl.DataFrame, pa.table)]
    assert drafts[0] == drafts[1] == drafts[2]


@pytest.mark.parametrize("table", [pd.DataFrame({"a": []}), pd.DataFrame(), "table", None, np.zeros((2, 2))])
def test_unusable_tables_are_refused(table: object) -> None:
    """What is no table, or an empty one, has no draft."""
    with pytest.raises(InvalidInput):
        covey.infer(table)


def test_categories_as_the_table_has_them() -> None:
    """Categories typed as texts become values of the column's type; others stay texts."""
    table = pa.table({"a": [1, 2], "b": [True, False], "c": ["1", "2"]})
    assert categories_of_texts(table, "a", ["1", " 2"]) == (1, 2)
    assert categories_of_texts(table, "b", ["false", "true"]) == (False, True)
    assert categories_of_texts(table, "c", ["1"]) == ("1",)
    assert categories_of_texts(table, "a", ["CANARYx7"]) == ("CANARYx7",)
