"""Interval disclosure, against counting record by record."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey import InvalidInput, Schema
from tests.reference.linkage import disclosed


@st.composite
def cases(draw):
    """Whole numbers with ties, constants and gaps; no original column is missing as a whole."""
    n = draw(st.integers(1, 12))
    values = st.integers(0, draw(st.integers(0, 6)))
    column = st.lists(st.one_of(st.none(), values), min_size=n, max_size=n)
    original = [draw(column.filter(lambda found: any(value is not None for value in found))) for _ in range(2)]
    rows = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    released = [[draw(st.one_of(st.none(), values)) for _ in rows] for _ in range(2)]
    return original, released, rows


@pytest.mark.parametrize("by", ["deviation", "rank"])
@given(case=cases(), width=st.sampled_from([0.0, 0.13, 0.517, 2.03]))
def test_shares_are_those_of_counting(by, case, width):
    """Each column alone and all at once, with gaps on both sides."""
    original, released, rows = case
    before, after = (pa.table([pa.array(c, pa.float64()) for c in side], names=["a", "b"]) for side in case[:2])
    found = covey.interval_disclosure(before, after, Schema.of(quasi=["a", "b"]), rows=rows, width=width, by=by)
    hits = [disclosed(*columns, rows, width, by) for columns in zip(original, released, strict=True)]
    for column, expected in zip(found.columns, hits, strict=True):
        assert (column.records, column.disclosed) == (len(rows) - expected.count(None), expected.count(True))
    pairs = [pair for pair in zip(*hits, strict=True) if pair != (None, None)]
    assert found.jointly.records == len(pairs)
    assert found.jointly.disclosed == sum(False not in pair for pair in pairs)


def test_ordinal_columns_count_by_rank_and_nominal_ones_not_at_all():
    """Categories one apart are within the deviation of four that are spread evenly, which is 1.1 ranks."""
    order = ["low", "middle", "high", "top"]
    table = pa.table({"a": order, "b": ["x", "y", "x", "y"]})
    release = pa.table({"a": ["middle", "middle", "low", "top"], "b": ["x"] * 4})
    schema = Schema.of(quasi=["a", "b"], ordinal={"a": order}, nominal=["b"])
    found = covey.interval_disclosure(table, release, schema, width=1)
    assert [column.name for column in found.columns] == ["a"]
    assert found.jointly.share == 3 / 4


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_scale_does_not_matter(scale):
    """Numbers as huge or tiny as they can be."""
    x = np.arange(10.0)
    table, release = (pa.table({"x": scale * values}) for values in (x, x + np.tile([0.1, 1.0], 5)))
    for by, share in (("deviation", 0.5), ("rank", 0.6)):  # above all others one is half a rank from the last
        found = covey.interval_disclosure(table, release, Schema.of(quasi=["x"]), by=by, width=0.06)
        assert found.jointly.share == share


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"width": -1}, "width must be a number of at least 0"),
        ({"width": float("nan")}, "width must be a number"),
        ({"width": True}, "width must be a number"),
        ({"by": "distance"}, "unknown by: expected one of deviation, rank"),
        ({"schema": Schema.of(quasi=["x"], nominal=["x"])}, "the schema has none"),
        ({"schema": None}, "schema must be a covey.Schema"),
    ],
)
def test_unusable_options_are_refused(options, sentence):
    """Each is one sentence."""
    table = pa.table({"x": [1, 2, 3]})
    with pytest.raises(InvalidInput, match=sentence):
        covey.interval_disclosure(table, table, **({"schema": Schema.of(quasi=["x"])} | options))


def test_as_plain_values():
    """For JSON: the columns with their shares, and all at once."""
    table = pa.table({"x": [1, 2, 3]})
    found = covey.interval_disclosure(table, table, Schema.of(quasi=["x"])).to_dict()
    assert found["columns"] == [{"name": "x", "records": 3, "disclosed": 3, "share": 1.0}]
    assert found["jointly"] == {"records": 3, "disclosed": 3, "share": 1.0}
