"""What a release says that it guarantees, and what it says that it does not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey.statement import NOT_PROTECTED, columnwise_statement, joint_statement

DRAWS = np.random.default_rng(7).normal(size=(60, 2))
TABLE = pa.table({"height": DRAWS[:, 0], "weight": DRAWS[:, 1], "tsh": np.arange(60.0)})
SCHEMA = covey.Schema.of(quasi=["height", "weight"], confidential=["tsh"])


def test_joint_statement_of_a_release() -> None:
    """A release states the property, its k, for which columns, and that it holds jointly."""
    statement = covey.anonymize(TABLE, SCHEMA, k=4).statement
    assert (statement["property"], statement["k"], statement["jointly"]) == ("k-anonymity", 4, True)
    assert statement["holds_for"] == ["height", "weight"]
    assert statement["smallest_cell"] == 4


def test_individual_ranking_says_that_it_is_not_jointly_anonymous() -> None:
    """Statement, sentence and notes of individual ranking deny joint k-anonymity, and count the rarest combination."""
    release = covey.anonymize(TABLE, SCHEMA, k=4, method="individual-ranking")
    statement = release.statement
    combinations = set(zip(*(release.table[name].to_pylist() for name in ("height", "weight")), strict=True))
    assert len(combinations) > 60 // 4, "some combination is rarer than k, or the example shows nothing"
    assert statement["property"] == "k-anonymity of each column alone"
    assert statement["jointly"] is False
    assert statement["smallest_cell"] >= 4 > statement["smallest_joint_combination"]
    assert "JOINTLY THE TABLE IS NOT k-ANONYMOUS" in statement["says"]
    assert any("jointly the table is not k-anonymous" in note for note in release.notes)
    assert "identity disclosure by several quasi-identifiers" in statement["does_not_protect_against"]


@pytest.mark.parametrize(
    "statement", [joint_statement(5, ["a", "b"], 6), columnwise_statement(5, ["a", "b"], 6, 1)], ids=["joint", "alone"]
)
def test_statements_say_what_they_do_not_give(statement: dict[str, object]) -> None:
    """Every statement names what it assumes, and first of all attribute disclosure as what it does not prevent."""
    assert statement["assumes"]
    unprotected = statement["does_not_protect_against"]
    assert isinstance(unprotected, list)
    assert set(NOT_PROTECTED) <= set(unprotected)
    assert any(line.startswith("attribute disclosure") for line in unprotected)
