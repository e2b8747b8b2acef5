"""Whether whoever finds a person's cell learns a confidential value."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey.measures import combination_labels, homogeneity

VALUES = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))


@given(st.lists(st.tuples(st.integers(0, 5), VALUES), min_size=1, max_size=60))
def test_it_is_what_a_reader_of_the_table_finds(records):
    """The least number of different values in a cell, a null being one, and what cells and records have one only."""
    table = pa.table({"x": [x for x, _ in records], "y": pa.array([y for _, y in records], pa.string())})
    cells = defaultdict(list)
    for x, y in records:
        cells[x].append(y)
    schema = covey.Schema.of(["x"], confidential=["y"])
    (found,) = homogeneity(table, combination_labels(table, ["x"]), schema)
    alike = [cell for cell in cells.values() if len(set(cell)) == 1]
    assert found.distinct == min(len(set(cell)) for cell in cells.values())
    assert (found.homogeneous_cells, found.homogeneous_records) == (len(alike), sum(map(len, alike)))


def test_every_release_tells_it():
    """The statement has it in numbers and in words, of columns that can be compared; the words name no value."""
    rng = np.random.default_rng(3)
    n = 40
    table = pa.table(
        {
            "age": rng.normal(size=n),
            "flu": ["CANARY"] * n,
            "tsh": rng.normal(size=n),
            "visits": pa.array([[1]] * n),
        }
    )
    schema = covey.Schema.of(["age"], confidential=["flu", "tsh", "visits"])
    release = covey.anonymize(table, schema, k=4)
    flu, tsh = release.statement["measured_diversity"]
    assert (flu["column"], flu["distinct"], flu["homogeneous_cells"], flu["homogeneous_records"]) == ("flu", 1, 10, n)
    learnt = "whoever finds a person there learns it (40 records)."
    assert flu["says"] == f"In 10 cells all records have the same value of flu: {learnt}"
    assert (tsh["distinct"], tsh["homogeneous_cells"]) == (4, 0)
    assert tsh["says"] == "Every cell has at least 4 different values of tsh."
    assert "CANARY" not in release.to_json()
    single = covey.anonymize(table.slice(0, 4), schema, k=4).statement["measured_diversity"]
    assert single[0]["says"].startswith("In 1 cell all records")
