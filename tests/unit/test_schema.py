"""What each column is, and what a schema refuses to say."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from covey import Column, InvalidInput, Kind, Role, Schema


def test_words_become_roles_and_kinds() -> None:
    """A role and a kind may be given by their words."""
    column = Column("age", "quasi", "continuous")
    assert (column.role, column.kind) == (Role.QUASI, Kind.CONTINUOUS)


def test_columns_by_role() -> None:
    """A schema lists the columns of each role in the order of the table."""
    schema = Schema.of(["age", "sex"], identifiers=["name"], confidential=["tsh"], other=["year"], nominal=["sex"])
    roles = [schema.quasi, schema.identifiers, schema.confidential, schema.other]
    assert [[column.name for column in columns] for columns in roles] == [["age", "sex"], ["name"], ["tsh"], ["year"]]
    assert "sex" in schema
    assert "weight" not in schema
    assert schema["sex"].kind is Kind.NOMINAL


def test_a_lone_name_is_one_column() -> None:
    """A text given for a list of names is one name, not its letters."""
    assert Schema.of("age", confidential="tsh", nominal="age").names == ("age", "tsh")


def test_kinds_come_from_the_table() -> None:
    """Kinds that are not given are those of the table's types."""
    table = pd.DataFrame({"a": [1.5], "b": ["x"], "c": pd.Categorical(["lo"], ["lo", "hi"], ordered=True)})
    schema = Schema.of(["a", "b", "c"], table=table)
    assert [column.kind for column in schema.columns] == [Kind.CONTINUOUS, Kind.NOMINAL, Kind.ORDINAL]
    assert schema["c"].categories == ("lo", "hi")


def test_given_kinds_win_over_the_table() -> None:
    """A kind that is given holds, whatever the table's type."""
    table = pa.table({"a": [1, 2]})
    assert Schema.of(["a"], ordinal={"a": [1, 2]}, table=table)["a"].categories == (1, 2)


def test_numpy_categories_become_plain() -> None:
    """Categories given as numpy's scalars are Python's own, which TOML and JSON know."""
    given = np.array([1, 2]), np.array([0.5, 1.5]), np.array(["lo", "hi"]), np.array([False, True])
    types = [{type(x) for x in Column("a", "quasi", "ordinal", tuple(categories)).categories} for categories in given]
    assert types == [{int}, {float}, {str}, {bool}]


def test_categories_stay_out_of_the_repr() -> None:
    """A column does not print its categories."""
    assert "CANARYx7" not in repr(Schema.of(["a"], ordinal={"a": ["CANARYx7", "b"]}))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"quasi": ["a"], "confidential": ["a"]}, "column 'a' is given two roles: quasi and confidential"),
        ({"quasi": ["a", "a"]}, "column 'a' is given two roles"),
        ({"quasi": ["a"], "ordinal": {"a": ["x"]}, "nominal": ["a"]}, "given two kinds"),
        ({"quasi": ["a"], "nominal": ["b"]}, "column 'b' is given a kind but no role"),
        ({"quasi": ["a"], "nominal": ["b", "c"]}, "columns 'b', 'c' are given a kind but no role"),
        ({"quasi": ["a"], "decimals": {"b": 1}}, "column 'b' is given decimals but no role"),
        ({"quasi": ["a"], "ordinal": {"a": "low"}}, "categories of column 'a' must be a list"),
        ({"quasi": ["a"], "nominal": {"a": "low"}}, "categories of column 'a' must be a list"),
        ({"quasi": ["a"], "ordinal": {"a": 3}}, "categories of column 'a' must be a list"),
        ({"quasi": ["a"], "ordinal": ["a"]}, "mappings"),
        ({"quasi": ["a"], "decimals": 2}, "mappings"),
        ({"quasi": [3]}, "column name must be a string, not int"),
        ({"quasi": ["a"], "nominal": ["a"], "decimals": {"a": 1}}, "column 'a' is nominal and so has no decimals"),
        ({"quasi": ["a"], "ordinal": {"a": ["x", "y", "x"]}}, "categories of column 'a' name 1 of them twice"),
        ({"quasi": ["a"], "ordinal": {"a": ["x", None, math.nan, b"y"]}}, "3 of the categories of column 'a'"),
    ],
)
def test_contradictions_are_refused(arguments: dict[str, object], sentence: str) -> None:
    """A schema whose parts contradict each other is refused in one sentence that names the column."""
    with pytest.raises(InvalidInput, match=sentence):
        Schema.of(**arguments)


@pytest.mark.parametrize("decimals", [-1, 16, 1.0, True, "2"])
def test_odd_decimals_are_refused(decimals: object) -> None:
    """Decimals are a whole number from 0 to 15."""
    with pytest.raises(InvalidInput, match="decimals of column 'a' must be a whole number from 0 to 15"):
        Column("a", "quasi", "continuous", decimals=decimals)


@pytest.mark.parametrize(("role", "kind"), [("secret", "continuous"), ("quasi", "numeric"), (None, "nominal")])
def test_unknown_words_are_refused(role: object, kind: object) -> None:
    """An unknown role or kind is refused with the words that there are."""
    with pytest.raises(InvalidInput, match="of column 'a': expected one of"):
        Column("a", role, kind)


def test_continuous_columns_have_no_categories() -> None:
    """Categories of a continuous column are refused rather than ignored."""
    with pytest.raises(InvalidInput, match="column 'a' is continuous and so has no categories"):
        Column("a", "quasi", "continuous", (1, 2))


def test_schema_refuses_repeats_and_strangers() -> None:
    """A schema names a column once and is made of columns."""
    column = Column("a", "quasi", "continuous")
    with pytest.raises(InvalidInput, match="names a column twice: 'a'"):
        Schema((column, column))
    with pytest.raises(InvalidInput, match="made of columns"):
        Schema(("a",))
    with pytest.raises(InvalidInput, match="no column 'b'"):
        _ = Schema((column,))["b"]
