"""What a released table tells of its confidential columns, against slow and obvious definitions."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import Diversity, InvalidInput, Schema, average_diversity, diversity, exposed_cells, p_sensitivity
from covey.encoding import encode_column
from covey.frames import read_frame
from covey.measures.confidential import average_least, column_diversity
from covey.measures.values import values_of
from tests.reference import diversity as slow

LEVELS = ("low", "middle", "high", "nobody's")
SCHEMA = Schema.of(
    ["x", "z"],
    confidential=["nominal", "ordinal", "number"],
    ordinal={"ordinal": LEVELS},
    continuous=["number"],
    nominal=["z", "nominal"],
)
RECORDS = st.tuples(
    st.integers(0, 1),
    st.sampled_from(["a", None]),
    st.sampled_from(["flu", "cold", "", None]),
    st.sampled_from([*LEVELS[:3], None]),
    st.sampled_from([0.0, 0.1, 1.0, 2.5, 100.0, None]),
)


def table_of(records: list[tuple[Any, ...]]) -> pa.Table:
    types = (pa.int64(), pa.string(), pa.string(), pa.string(), pa.float64())
    names = ("x", "z", "nominal", "ordinal", "number")
    return pa.table(
        {
            name: pa.array(values, kind)
            for name, kind, values in zip(names, types, zip(*records, strict=True), strict=True)
        }
    )


def cells_of(records: list[tuple[Any, ...]], place: int) -> list[list[Any]]:
    """The values of each cell, in the order in which cells are met."""
    found: dict[tuple[Any, ...], list[Any]] = {}
    for record in records:
        found.setdefault(record[:2], []).append(record[place])
    return list(found.values())


def intervals(values: list[float | None], width: float) -> list[int | None]:
    """The interval of each value once standardised."""
    known = [value for value in values if value is not None]
    mean = math.fsum(known) / len(known) if known else 0.0
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in known) / len(known)) if known else 0.0
    return [None if x is None else math.floor((x - mean) / deviation / width) if deviation else 0 for x in values]


@settings(max_examples=200)
@given(st.lists(RECORDS, min_size=1, max_size=30), st.integers(1, 4), st.sampled_from([0.5, 1.0, 2.5]))
def test_every_measure_equals_its_definition(records: list[tuple[Any, ...]], l: int, c: float) -> None:  # noqa: E741
    """Over columns of each kind, ties, constants and missing values, cell by cell."""
    found = diversity(table_of(records), SCHEMA, l=l, c=c, width=0.3)
    assert [one.name for one in found] == ["nominal", "ordinal", "number"]
    for place, one in enumerate(found, start=2):
        cells, everybody = cells_of(records, place), [record[place] for record in records]
        assert (one.records, one.cells, one.values) == (len(records), len(cells), len(set(everybody)))
        assert one.distinct == min(len(set(cell)) for cell in cells)
        assert one.entropy == pytest.approx(min(2 ** slow.entropy(cell) for cell in cells))
        assert one.recursive.constant == max(slow.recursive_constant(cell, l) for cell in cells)
        assert one.recursive.level == min(slow.recursive_level(cell, c) for cell in cells)
        assert one.homogeneous_cells == sum(len(set(cell)) == 1 for cell in cells)
        assert one.homogeneous_records == sum(len(cell) for cell in cells if len(set(cell)) == 1)
        assert one.delta == pytest.approx(max(slow.log_ratio(cell, everybody) for cell in cells), abs=1e-12)
        strict = max(slow.log_ratio(cell, everybody, strict=True) for cell in cells)
        assert one.strict_delta == pytest.approx(strict, abs=1e-12)
        assert one.closeness.equal == pytest.approx(max(slow.equal_distance(x, everybody) for x in cells), abs=1e-12)


@settings(max_examples=200)
@given(st.lists(RECORDS, min_size=1, max_size=30))
def test_distances_that_know_an_order(records: list[tuple[Any, ...]]) -> None:
    """Ordered and numeric distances are over the known values, by rank among those that occur, and by difference.

    They are no less than the difference of the shares that are missing.
    """
    nominal, ordinal, number = diversity(table_of(records), SCHEMA)
    assert (nominal.closeness.ordered, nominal.closeness.numeric, ordinal.closeness.numeric) == (None, None, None)
    for place, one, order in ((3, ordinal, LEVELS.index), (4, number, float)):
        gaps = [sum(value is None for value in cell) / len(cell) for cell in cells_of(records, place)]
        overall = sum(record[place] is None for record in records) / len(records)
        gap = max(abs(share - overall) for share in gaps)
        cells = [[order(value) for value in cell if value is not None] for cell in cells_of(records, place)]
        cells = [cell for cell in cells if cell]
        everybody = [value for cell in cells for value in cell]
        ranks = {value: rank for rank, value in enumerate(sorted(set(everybody)))}
        ranked = [[ranks[value] for value in cell] for cell in cells]
        everywhere = [ranks[value] for value in everybody]
        expected = max((slow.ordered_distance(cell, everywhere, len(ranks)) for cell in ranked), default=0.0)
        assert one.closeness.ordered == pytest.approx(max(expected, gap), abs=1e-12)
        if place == 4 and cells:
            numeric = max(slow.numeric_distance(cell, everybody) for cell in cells)
            assert one.closeness.numeric == pytest.approx(max(numeric, gap), abs=1e-12)
            assert one.closeness.t == one.closeness.numeric


@settings(max_examples=200)
@given(st.lists(RECORDS, min_size=1, max_size=30))
def test_average_risk_and_average_diversity(records: list[tuple[Any, ...]]) -> None:
    """The risk is the mutual information of cell and value or interval; ℓ_avg the mean of the least counts of them."""
    table, width = table_of(records), 0.3
    labels = [record[:2] for record in records]
    classes = [[record[place] for record in records] for place in (2, 3)]
    classes.append(intervals([record[4] for record in records], width))
    for one, values in zip(diversity(table, SCHEMA, width=width), classes, strict=True):
        assert one.risk_bits == pytest.approx(slow.mutual_information(labels, values), abs=1e-9)
        assert one.entropy_bits == pytest.approx(slow.entropy(values), abs=1e-9)
    least = [
        min(len({values[i] for i in range(len(records)) if labels[i] == cell}) for values in classes)
        for cell in set(labels)
    ]
    assert average_diversity(table, SCHEMA, width=width) == pytest.approx(sum(least) / len(least))
    exposed = exposed_cells(table, SCHEMA, width=width)
    assert sorted(cell.distinct for cell in exposed) == sorted(least)


@settings(max_examples=200)
@given(st.lists(RECORDS, min_size=1, max_size=30))
def test_invariants(records: list[tuple[Any, ...]]) -> None:
    """1 ≤ exp H ≤ distinct ≤ smallest cell; distances in [0, 1]; no risk above the entropy; all finite in JSON."""
    found = diversity(table_of(records), SCHEMA)
    smallest = min(len(cell) for cell in cells_of(records, 2))
    for one in found:
        assert 1 <= one.entropy <= one.distinct <= smallest
        assert 1 <= (one.intervals or 1) <= one.distinct
        for t in (one.closeness.equal, one.closeness.ordered, one.closeness.numeric):
            assert t is None or 0 <= t <= 1
        assert 0 <= one.risk_bits <= one.entropy_bits
        assert 0 <= one.delta <= one.strict_delta
        assert json.loads(json.dumps(one.to_dict(), allow_nan=False))["name"] == one.name
    assert p_sensitivity(found) == min(one.distinct for one in found)


@settings(max_examples=50)
@given(st.lists(RECORDS, min_size=1, max_size=30))
def test_one_cell_tells_nothing(records: list[tuple[Any, ...]]) -> None:
    """A table of one cell is its own whole: t, δ and the risk are 0."""
    for one in diversity(table_of([(0, "a", *record[2:]) for record in records]), SCHEMA):
        assert one.closeness.t == pytest.approx(0.0, abs=1e-12)
        assert (one.cells, one.closeness.equal, one.delta, one.strict_delta, one.risk_bits) == (1, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("make", [lambda table: table, pa.Table.to_pandas, pl.from_arrow])
def test_any_frame(make: Any) -> None:
    """pandas, polars and Arrow tables are measured alike."""
    rng = np.random.default_rng(3)
    records = [
        (int(x), "a" if z else None, "flu" if f else None, LEVELS[o], float(v))
        for x, z, f, o, v in rng.integers(0, [2, 2, 2, 3, 9], (60, 5))
    ]
    table = table_of(records)
    assert diversity(make(table), SCHEMA) == diversity(table, SCHEMA)
    assert exposed_cells(make(table), SCHEMA) == exposed_cells(table, SCHEMA)


def test_columns_in_terms_of_labels() -> None:
    """An encoded column with the cells of its records is measured as in a table."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 6, 200)
    table = pa.table({"x": labels, "y": rng.normal(size=200)})
    schema = Schema.of(["x"], confidential=["y"], continuous=["y"])
    part = encode_column(read_frame(table), schema["y"])
    assert (column_diversity(labels, part),) == diversity(table, schema)
    assert average_least(labels, [values_of(part, 0.2).classes]) == average_diversity(table, schema)


def test_all_different_and_all_missing() -> None:
    """Values that never repeat are as diverse as cells are large; a column without any value is homogeneous."""
    table = pa.table({"x": [1, 1, 1, 2, 2], "y": [1.0, 2, 3, 4, 5], "z": pa.nulls(5, pa.float64()), "w": pa.nulls(5)})
    y, z, w = diversity(table, Schema.of(["x"], confidential=["y", "z", "w"], continuous=["y", "z"]))
    assert (y.values, y.distinct, y.entropy, y.homogeneous_records) == (5, 2, 2.0, 0)
    for one in (z, w):
        assert (one.values, one.distinct, one.homogeneous_cells, one.homogeneous_records) == (1, 1, 2, 5)
        assert (one.closeness.t, one.delta, one.risk_bits, one.entropy_bits) == (0.0, 0.0, 0.0, 0.0)


def test_a_cell_without_values_is_not_close():
    """Whoever is in a cell all of whose values are missing is known to lack one: it is as far as others have some."""
    table = pa.table({"x": [1, 1, 2, 2], "y": pa.array([None, None, 3.0, 4.0])})
    (y,) = diversity(table, Schema.of(["x"], confidential=["y"], continuous=["y"]))
    assert (y.closeness.ordered, y.closeness.numeric, y.closeness.t) == (0.5, 0.5, 0.5)


def test_similar_values_count_by_interval() -> None:
    """Salaries that differ by little are different values in one interval."""
    table = pa.table({"x": [1, 1, 1, 2, 2, 2], "pay": [30.0, 30.1, 30.2, 10.0, 50.0, 90.0]})
    (pay,) = diversity(table, Schema.of(["x"], confidential=["pay"], continuous=["pay"]))
    assert (pay.distinct, pay.intervals) == (3, 1)


def test_worst_cells_come_first() -> None:
    """Cells of one value come before others, the larger of them first, named by a record of theirs."""
    table = pa.table({"x": [1, 2, 2, 3, 3, 3, 4, 4, 4], "y": list("abbccabac")})
    schema = Schema.of(["x"], confidential=["y"])
    found = exposed_cells(table, schema, most=3)
    assert [(cell.row, cell.size, cell.distinct) for cell in found] == [(1, 2, 1), (0, 1, 1), (3, 3, 2)]
    assert found[2].effective == pytest.approx(2 ** (math.log2(3) - 2 / 3))
    assert [cell.row for cell in exposed_cells(table, schema)] == [1, 0, 3, 6]
    assert found[0].to_dict() == {"row": 1, "size": 2, "column": "y", "distinct": 1, "effective": 1.0}


def test_other_columns_may_be_asked_about() -> None:
    """Columns of any role but the quasi-identifiers', and only those."""
    table = pa.table({"x": [1, 1], "y": ["a", "b"], "z": ["c", "c"]})
    schema = Schema.of(["x"], confidential=["y"], other=["z"], identifiers=["name"])
    assert [one.name for one in diversity(table, schema)] == ["y"]
    assert [one.name for one in diversity(table, schema, sensitive="z")] == ["z"]
    assert average_diversity(table, schema, sensitive=["y", "z"]) == 1.0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"sensitive": []}, "no column is confidential"),
        ({"sensitive": "secret"}, "'secret' that the schema does not have"),
        ({"sensitive": ["x"]}, "among the quasi-identifiers"),
        ({"sensitive": "gone"}, "'gone' that the table does not have"),
        ({"sensitive": 5}, "name of a column or a list of names"),
        ({"l": 0}, "l must be a whole number"),
        ({"l": 1.5}, "l must be a whole number"),
        ({"c": 0}, "c must be a positive number"),
        ({"c": math.nan}, "c must be a positive number"),
        ({"width": -1}, "width must be a positive number"),
        ({"width": math.inf}, "width must be a positive number"),
        ({"width": "wide"}, "width must be a positive number"),
    ],
)
def test_what_cannot_be_measured_is_refused(options: dict[str, Any], sentence: str) -> None:
    """Each misfit is one clear sentence."""
    table = pa.table({"x": [1, 1], "y": ["a", "b"]})
    with pytest.raises(InvalidInput, match=sentence):
        diversity(table, Schema.of(["x"], confidential=["y"], other=["gone"]), **options)


def test_tables_and_schemas_that_cannot_be_measured() -> None:
    """No record, no schema, no cells, no confidential column."""
    table = pa.table({"x": [1, 1], "y": ["a", "b"]})
    schema = Schema.of(["x"], confidential=["y"])
    with pytest.raises(InvalidInput, match="no records"):
        diversity(table.slice(0, 0), schema)
    with pytest.raises(InvalidInput, match=r"must be a covey\.Schema"):
        diversity(table, None)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="no quasi-identifier"):
        average_diversity(table, Schema.of([], confidential=["x", "y"]))
    with pytest.raises(InvalidInput, match="no column is confidential"):
        exposed_cells(table, Schema.of(["x"], other=["y"]))
    with pytest.raises(InvalidInput, match="most must be a whole number"):
        exposed_cells(table, schema, most=0)


@pytest.mark.parametrize("measure", [diversity, average_diversity, exposed_cells, covey.predictability])
def test_cells_and_columns_that_are_not_there_are_refused(measure: Any) -> None:
    """Quasi-identifiers of lists make no cells; columns that the table lacks are named; other columns are not read."""
    schema = Schema.of(["x"], confidential=["y"], other=["z"])
    lists = pa.table({"x": [["canary"], ["b"]], "y": [1, 2], "z": [1, 2]})
    with pytest.raises(InvalidInput, match="column 'x' holds lists or structures") as caught:
        measure(lists, schema)
    assert caught.value.__context__ is None
    for absent in ("x", "y"):
        with pytest.raises(InvalidInput, match=f"column '{absent}' that the table does not have"):
            measure(lists.drop_columns(absent), schema)
    with pytest.raises(InvalidInput, match=r"must be a covey\.Schema"):
        measure(lists, "x")
    mixed = pd.DataFrame({"x": [1, 1], "y": ["a", "b"], "z": [1, "b"]})
    assert repr(measure(mixed, schema)) == repr(measure(mixed.drop(columns="z"), schema))


def test_no_confidential_value_in_what_is_told() -> None:
    """Neither the measures nor the exposed cells hold a confidential value."""
    table = pa.table({"x": [1, 1, 2, 2], "y": ["canary", "canary", "canary", "b"]})
    schema = Schema.of(["x"], confidential=["y"])
    assert "canary" not in repr(diversity(table, schema)) + repr(exposed_cells(table, schema))


def test_adult(covey_data: Any) -> None:
    """On a release of Adult every measure holds together: homogeneous records are some, and risks below entropies."""
    data = pd.read_csv(covey_data / "adult.csv", nrows=4000)
    quasi, secret = ["age", "education_num", "hours_per_week"], ["income", "occupation", "capital_gain"]
    schema = Schema.of(quasi, confidential=secret, continuous=["capital_gain"])
    release = covey.anonymize(data[[*quasi, *secret]], schema, k=10)
    found = diversity(release.table, schema)
    assert all(isinstance(one, Diversity) for one in found)
    assert {one.cells for one in found} == {release.measures.cells}
    assert found[0].values == 2
    assert 0 < found[0].homogeneous_records < 4000
    different = release.table.groupby(quasi)["income"].nunique()
    assert found[0].homogeneous_cells == int((different == 1).sum())
    assert all(one.closeness.t <= 1 and one.risk_bits <= one.entropy_bits for one in found)
    assert len(exposed_cells(release.table, schema, most=30)) == 30
