"""Columns of types that Arrow does not know: no matter as identifiers, refused before the work otherwise."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import covey
from covey import InvalidInput, Role, Schema

N = 12
ODD = {
    "mixed": (pd.Series([1, "CANARYx7", None] * 4, dtype=object), "mixes types"),
    "mixed categories": (pd.Series(pd.Categorical([1, "CANARYx7"] * 6)), "mixes types"),
    "sparse": (pd.Series(pd.arrays.SparseArray([918273645.0] * 11 + [1.0], fill_value=918273645.0)), "SparseDtype"),
    "complex": (pd.Series([1j] * N), "complex128"),
    "long": (pd.Series(np.ones(N, dtype=np.longdouble)), "float"),
    "big-endian": (pd.Series(np.arange(N, dtype=">f8")), ">f8"),
}


def table_with(name: str) -> pd.DataFrame:
    return pd.DataFrame({"who": ODD[name][0], "age": range(20, 20 + N)})


def polars_with(kind: Any) -> pl.DataFrame:
    return pl.DataFrame({"who": pl.Series([1] * N, dtype=kind), "age": range(20, 20 + N)})


TABLES = {
    **{name: lambda name=name: (table_with(name), ODD[name][1]) for name in ODD},
    "Object": lambda: (polars_with(pl.Object), "Object"),
    "Int128": lambda: (polars_with(pl.Int128), "Int128"),
}


@pytest.mark.parametrize("name", TABLES)
def test_no_identifier_is_in_the_way(name: str) -> None:
    """An identifier may be of any type: it is dropped, and the recipe says if its digest leaves it out."""
    table, _ = TABLES[name]()
    result = covey.anonymize(table, Schema.of(["age"], identifiers=["who"], table=table), 3)
    assert list(result.table.columns) == ["age"]
    assert json.loads(result.to_json())["recipe"]["input"].get("undigested", ["who"]) == ["who"]


@pytest.mark.parametrize("name", TABLES)
def test_a_draft_takes_them_for_identifiers(name: str) -> None:
    """A column that covey cannot read becomes an identifier of the draft, which nobody publishes."""
    table, _ = TABLES[name]()
    try:
        covey.anonymize(table, Schema.of(["age"], confidential=["who"]), 3)
    except InvalidInput:
        assert covey.infer(table)["who"].role is Role.IDENTIFIER


@pytest.mark.parametrize("role", ["confidential", "other", "quasi"])
@pytest.mark.parametrize("name", TABLES)
def test_others_are_refused_before_the_work(name: str, role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it would be published it is refused for its type, before cells are formed, and without a value."""
    table, reason = TABLES[name]()
    monkeypatch.setattr("covey.forming.partition_groups", None)
    roles = {"quasi": ["age", "who"]} if role == "quasi" else {"quasi": ["age"], role: ["who"]}
    with pytest.raises(InvalidInput, match=reason) as caught:
        covey.anonymize(table, Schema.of(**roles, nominal=["who"] if role == "quasi" else []), 3)
    assert "column 'who'" in str(caught.value)
    assert not any(canary in str(caught.value) for canary in ("CANARY", "918273645"))
    assert caught.value.__context__ is None
