"""No page promises more than what its release holds."""

from __future__ import annotations

import pyarrow as pa
import pytest

import covey
from tests.unit.report.pages import HARD, Reader


@pytest.mark.parametrize("name", ["column blocks", "individual ranking"])
def test_without_joint_cells_no_sentence_promises_them(name):
    """Where k holds in blocks or columns alone, no section says that it holds for cells of all of them."""
    _, release = HARD[name]()
    words = "".join(Reader(release.report().html).words)
    unit = "block of columns" if name == "column blocks" else "column"
    assert f"For each {unit} by itself similar records were gathered" in words
    assert f"in each {unit} alone, what is published is shared by at least 3 records" in words
    assert f"records in the smallest cell, each {unit} alone" in words
    assert "every published combination of them" not in words
    assert "every quasi-identifier was replaced" not in words
    assert release.statement["assumes"][-1] == "each record is a different person"


def test_several_values_are_no_secrecy():
    """A cell of which all records but one have a value is not said to give nothing away: its doubt is told."""
    table = pa.table({"age": [float(i // 20) for i in range(40)], "ill": (["a"] * 19 + ["b"]) * 2})
    schema = covey.Schema.of(["age"], confidential=["ill"])
    words = "".join(Reader(covey.anonymize(table, schema, 20, seed=1).report().html).words)
    assert "every cell holds at least 2 different values, so none tells a value for certain" in words
    assert "as much doubt as 1.22 values that are all as frequent" in words
    assert "gives one away" not in words


def test_closeness_names_its_distance():
    """How far values are apart is said, for without that t says nothing."""
    table = pa.table({"age": [float(i) for i in range(40)], "wage": [float(i * i) for i in range(40)]})
    schema = covey.Schema.of(["age"], confidential=["wage"], continuous=["wage"])
    release = covey.anonymize(table, schema, 4, seed=1)
    words = "".join(Reader(release.report().html).words)
    assert f"{covey.diversity(release.table, schema)[0].closeness.numeric:.2g} numeric" in words
    assert "t compares the known ones and the shares that are missing" in words
