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


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("kind", ["continuous", "ordinal", "nominal"])
def test_values_that_were_withheld_count_as_the_average(kind, place):
    """A value that only the release lacks costs what its average would, whichever record comes first."""
    before = [0, 10, 20, 90] if kind == "continuous" else ["a", "b", "b", "d"]
    kinds = {"ordinal": {"x": ("a", "b", "c", "d")}} if kind == "ordinal" else {kind: ["x"]}
    average = 30 if kind == "continuous" else "b"
    schema = covey.Schema.of(["x"], **kinds)
    suppressed, averaged = list(before), list(before)
    suppressed[place], averaged[place] = None, average
    found, as_if = (
        covey.distortion(pa.table({"x": before}), pa.table({"x": after}), schema) for after in (suppressed, averaged)
    )
    assert found.loss == as_if.loss
    assert found.columns[0].changed == 0.25


@pytest.mark.parametrize("kind", ["continuous", "ordinal", "nominal"])
@pytest.mark.parametrize("gone", [pa.nulls(3), pa.nulls(3, pa.string()), pa.nulls(3, pa.float64())])
def test_a_column_that_was_withheld_is_lost(kind, gone):
    """A column without any released value has D = 1, whatever type it is left with."""
    before = [1.0, 2.0, 5.0] if kind == "continuous" else ["a", "b", "b"]
    kinds = {"ordinal": {"x": ("a", "b")}} if kind == "ordinal" else {kind: ["x"]}
    found = covey.distortion(pa.table({"x": before}), pa.table({"x": gone}), covey.Schema.of(["x"], **kinds))
    assert found.loss.distortion == pytest.approx(1.0)
    assert found.columns[0].changed == 1.0
