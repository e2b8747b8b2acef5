"""What can be asked of confidential values, and what cannot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import Close, Diverse, GuaranteeError, IndividualRanking, InvalidInput, PSensitive, Schema

TABLE = pa.table(
    {
        "age": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
        "ill": ["a", "b", "a", "b", "a", "b", "a", "c"],
        "wage": [1.5, 2.0, 3.0, None, 2.5, 1.0, 9.0, 4.0],
        "site": [1, 1, 1, 1, 2, 2, 2, 2],
    }
)
SCHEMA = Schema.of(["age"], confidential=["ill", "wage"], other=["site"], decimals={"age": 3})


def refused(schema: Schema = SCHEMA, k: int = 2, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        covey.anonymize(TABLE, schema, k, **options)
    return str(caught.value)


@pytest.mark.parametrize("p", [0, -1, 1.5, True, "2", None, float("nan"), [2]])
def test_p_is_a_whole_number_of_at_least_one(p: Any) -> None:
    """Whatever else is asked for is refused in one sentence."""
    with pytest.raises(InvalidInput, match="p of p-sensitivity must be a whole number of at least 1"):
        PSensitive(p)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((2, "shannon"), "unknown kind of l-diversity: expected one of distinct, entropy, recursive"),
        ((0,), "l of distinct l-diversity must be a whole number of at least 1"),
        ((2.5,), "l of distinct l-diversity must be a whole number of at least 1"),
        ((2.5, "recursive"), "l of recursive l-diversity must be a whole number of at least 1"),
        ((0.5, "entropy"), "l of entropy l-diversity must be a number of at least 1"),
        ((float("inf"), "entropy"), "l of entropy l-diversity must be a number of at least 1"),
        ((float("nan"), "entropy"), "l of entropy l-diversity must be a number of at least 1"),
        ((2, "entropy", 1.0), "c is for recursive l-diversity, not for entropy"),
        ((2, "recursive", 0), "c of recursive l-diversity must be a number above 0"),
        ((2, "recursive", -1.0), "c of recursive l-diversity must be a number of at least 0"),
    ],
)
def test_what_diversity_is_not(arguments: tuple[Any, ...], sentence: str) -> None:
    """Kinds, ℓ and c that mean nothing are refused."""
    with pytest.raises(InvalidInput, match=sentence):
        Diverse(*arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((-0.1,), "t of t-closeness must be a number from 0 to 1"),
        ((1.1,), "t of t-closeness must be a number from 0 to 1"),
        (("0.1",), "t of t-closeness must be a number from 0 to 1"),
        ((0.1, "nominal"), "unknown ground of t-closeness: expected one of equal, ordered, numeric"),
        ((0.1, None, "last"), "unknown method of t-closeness: expected one of best, merge, first"),
        ((0.1, "equal", "first"), "goes by the order of the values"),
    ],
)
def test_what_closeness_is_not(arguments: tuple[Any, ...], sentence: str) -> None:
    """t outside 0 to 1 and unknown grounds and methods are refused."""
    with pytest.raises(InvalidInput, match=sentence):
        Close(*arguments)


def test_numbers_of_numpy_are_numbers() -> None:
    """A criterion keeps plain numbers, whatever it was given."""
    assert [PSensitive(np.int64(2)).p, Diverse(np.float64(1.5), "entropy").l, Close(np.float32(0.5)).t] == [2, 1.5, 0.5]
    assert type(PSensitive(np.int64(2)).p) is int


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"p_sensitive": {"age": 2}}, "p_sensitive names a column 'age' that is not confidential"),
        ({"p_sensitive": {"nobody": 2}}, "p_sensitive names a column that is not confidential"),
        ({"t_close": {}}, "t_close names no column"),
        ({"l_diverse": PSensitive(2)}, "expected a number or a Diverse, found a PSensitive"),
        ({"p_sensitive": {"ill": 4}}, "p=4 cannot be met; even if all 8 records shared one cell, it would"),
        ({"l_diverse": {"ill": Diverse(3, "entropy")}}, "l would be 2.64"),
        ({"l_diverse": {"ill": Diverse(3, "recursive", 2)}}, "c would have to be above 4"),
        ({"l_diverse": {"ill": Diverse(4, "recursive", 9)}}, "it would have fewer than l=4 different values"),
        ({"p_sensitive": {"ill": 3}, "strata": "site"}, "within one of the 2 groups"),
        ({"t_close": {"ill": 0.1}, "strata": "site"}, "t would be 0.125"),
        ({"t_close": {"wage": Close(0.1, "ordered")}}, "column 'wage' misses 1 values"),
        ({"t_close": {"ill": Close(0.1, "ordered")}}, "column 'ill' is nominal, so its values have no order"),
        ({"t_close": {"ill": Close(0.1, method="first")}}, "column 'ill' is nominal"),
        ({"t_close": Close(0.1, "ordered", "first")}, "goes by the order of one column, and 2 are asked for"),
        ({"p_sensitive": 2, "method": IndividualRanking(2), "k": None}, "individual-ranking forms cells of some alone"),
    ],
)  # fmt: skip
def test_what_a_release_refuses(options: dict[str, Any], sentence: str) -> None:
    """Columns, criteria and bounds that do not fit the table are refused, with the best attainable."""
    assert sentence in refused(**options)


def test_without_confidential_columns_there_is_nothing_to_ask() -> None:
    """A schema without confidential columns and a criterion do not go together."""
    schema = Schema.of(["age"], other=["ill", "wage", "site"])
    for option in ("p_sensitive", "l_diverse", "t_close"):
        assert f"{option} is about confidential columns, and the schema has none" in refused(schema, **{option: 1})


def test_ordinal_values_have_no_numeric_distance() -> None:
    """Categories are ordered, and no more."""
    schema = Schema.of(["age"], confidential=["ill"], other=["wage", "site"], ordinal={"ill": ["a", "b", "c"]})
    assert "column 'ill' holds categories, which have no numeric distance" in refused(
        schema, t_close=Close(0.1, "numeric")
    )


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame])
def test_every_frame_is_recounted(make: Any) -> None:
    """The statement holds what the output attains, whatever kind of table it is; missing is a value of its own."""
    table = make(TABLE.to_pydict())
    release = covey.anonymize(table, SCHEMA, 2, p_sensitive={"ill": 2, "wage": 2}, seed=1)
    assert [entry["attained"] for entry in release.statement["also"]] == [2, 2]
    assert "at least 2 different values of ill" in release.statement["also"][0]["says"]
    assert release.recipe["criteria"][0] == {"criterion": "p-sensitivity", "column": "ill", "p": 2}
    assert any("cells fell short of the criteria asked for" in note for note in release.notes) or any(
        "hold without a change" in note for note in release.notes
    )


def test_the_ground_goes_by_the_kind() -> None:
    """Nominal columns are compared as equal or not, ordinal ones by order, continuous ones by numbers."""
    table = TABLE.set_column(2, "wage", pa.array(np.arange(8.0)))
    schema = Schema.of(
        ["age"], confidential=["ill", "wage", "site"], ordinal={"site": [1, 2]}, continuous=["wage"], nominal=["ill"]
    )
    release = covey.anonymize(table, schema, 4, t_close=0.5)
    assert [entry["ground"] for entry in release.statement["also"]] == ["equal", "numeric", "ordered"]


def test_a_release_without_criteria_says_nothing_of_them() -> None:
    """Neither statement nor recipe mentions what was not asked for."""
    release = covey.anonymize(TABLE, SCHEMA, 2)
    assert "also" not in release.statement
    assert "criteria" not in release.recipe


def test_what_the_output_does_not_hold_is_not_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the cells were not mended after all, the recount notices, and nothing is released."""
    table = pa.table({"age": [1.0, 2.0, 8.0, 9.0], "ill": ["a", "a", "b", "b"]})
    schema = Schema.of(["age"], confidential=["ill"])

    def idle(labels: Any, *_: Any, **__: Any) -> Any:
        return covey.enforcement.Enforced(labels, 2, 0, 2, unchanged=True)

    monkeypatch.setattr("covey.forming.enforce", idle)
    with pytest.raises(
        GuaranteeError, match="2 cells of the output do not meet p-sensitivity with p=2 of column 'ill'"
    ):
        covey.anonymize(table, schema, 2, p_sensitive=2)


def test_the_note_counts_cells_as_they_are_published() -> None:
    """Cells that whole numbers make alike are counted in the note as the table shows them."""
    rng = np.random.default_rng(3)
    table = pa.table({"age": rng.integers(20, 24, 200), "sex": rng.choice(["f", "m"], 200), "ill": list("aaab") * 50})
    schema = Schema.of(["age", "sex"], confidential=["ill"], nominal=["sex"])
    release = covey.anonymize(table, schema, 5, p_sensitive=2, seed=1)
    note = next(note for note in release.notes if "cells now" in note)
    formed = len(set(release.labels.tolist()))
    assert formed > release.measures.cells
    assert (
        f"there are {formed} cells now, of which some are published alike, so that {release.measures.cells} differ"
        in note
    )
