"""D of any release beside the table it came from."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import covey

RNG = np.random.default_rng(5)
N = 50
TABLE = pa.table({"a": RNG.normal(size=N), "b": RNG.choice(["x", "y"], N), "c": range(N), "flat": [1] * N})
SCHEMA = covey.Schema.of(["a", "b", "flat"], confidential=["c"], nominal=["b"])


@pytest.mark.parametrize("keep_order", [False, True])
def test_it_is_what_the_release_says_of_itself(keep_order):
    """SSE, SST and D, jointly and of each column, are those in the measures of the release."""
    release = covey.anonymize(TABLE, SCHEMA, 5, keep_order=keep_order)
    found = covey.distortion(TABLE, release.table, SCHEMA, rows=release.rows)
    assert found.loss == release.measures.loss
    assert found.columns == release.measures.columns
    told = release.to_dict()["measures"]
    assert found.to_dict() == {name: told[name] for name in ("sse", "sst", "distortion", "columns")}


def test_a_table_worked_by_hand():
    """Ages 20, 30, 60, 70 published as 25 and 65: squares of 5 against a variance of 425."""
    found = covey.distortion(
        pa.table({"age": [20, 30, 60, 70]}), pa.table({"age": [25, 25, 65, 65]}), covey.Schema.of(["age"])
    )
    assert found.loss.sst == 4
    assert found.loss.distortion == pytest.approx(25 / 425)


def test_records_that_do_not_correspond_are_refused():
    """A shuffled release without its rows is no pair."""
    release = covey.anonymize(TABLE, SCHEMA, 5, seed=1)
    with pytest.raises(covey.InvalidInput, match=r"the rows do not correspond: .* column 'c'"):
        covey.distortion(TABLE, release.table, SCHEMA)
