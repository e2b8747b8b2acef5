"""Partitions that meet criteria: on small random tables, against counting and against the best there is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import Close, Diverse, InvalidInput, PSensitive, Schema
from covey.enforcement import mending
from covey.enforcement.embedding import embedding
from tests.reference import criteria as slow

CRITERIA: list[Any] = [
    PSensitive(2),
    PSensitive(3),
    Diverse(2),
    Diverse(1.6, "entropy"),
    Diverse(2, "recursive", 2.0),
    Close(0.2, "equal"),
    Close(0.15, "ordered"),
    Close(0.15, "ordered", "merge"),
    Close(0.15, "ordered", "first"),
    Close(0.1, "numeric"),
    Close(0.0, "numeric", "first"),
]
OPTION = {PSensitive: "p_sensitive", Diverse: "l_diverse", Close: "t_close"}


@st.composite
def tables(draw: st.DrawFn) -> tuple[pa.Table, Schema]:
    """Few records with ties, of mixed kinds, some quasi-identifiers missing, one skew confidential column."""
    n = draw(st.integers(2, 40))

    def column(values: Any) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    x = column(st.integers(0, 9).map(float) | st.none() if draw(st.booleans()) else st.floats(-5, 5))
    x[0] = 1.0
    y = column(st.integers(0, 9) if draw(st.booleans()) else st.sampled_from([0, 0, 0, 0, 7]))
    table = pa.table({"x": x, "c": column(st.sampled_from("abc")), "y": y})
    return table, Schema.of(["x", "c"], confidential=["y"], nominal=["c"])


@settings(max_examples=10, deadline=None)
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@given(drawn=tables(), k=st.integers(2, 4))
def test_every_cell_of_the_output_meets_it_or_nobody_can(criterion: Any, drawn: tuple[Any, Schema], k: int) -> None:
    """On the output hold the criterion, k, every record once. Or it is refused, and one cell of all fails too."""
    table, schema = drawn
    options = {OPTION[type(criterion)]: criterion, "missing": "own-cells", "keep_order": True}
    try:
        plain = covey.anonymize(table, schema, k, missing="own-cells", keep_order=True)
    except InvalidInput:
        return
    everybody = table["y"].take(pa.array(plain.rows)).to_pylist()
    missing = np.array(table["x"].is_null())[plain.rows]
    groups = [[y for y, gap in zip(everybody, missing, strict=True) if gap == which] for which in (False, True)]
    try:
        release = covey.anonymize(table, schema, k, **options)
    except InvalidInput:
        assert not all(slow.meets(criterion, group, everybody) for group in groups if group)
        return
    assert release.rows.tolist() == plain.rows.tolist()
    cells: dict[Any, list[int]] = {}
    for row in release.table.to_pylist():
        cells.setdefault((row["x"], row["c"]), []).append(row["y"])
    assert all(len(cell) >= k and slow.meets(criterion, cell, everybody) for cell in cells.values())
    (also,) = release.statement["also"]
    assert also["column"] == "y"
    assert covey.anonymize(table, schema, k, **options).labels.tolist() == release.labels.tolist()


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_between_the_best_and_one_cell(data: st.DataObject) -> None:
    """The squared errors are no less than those of the best partition of all, and no more than those of one cell."""
    n = data.draw(st.integers(4, 7))
    x = data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n))
    y = data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    if len(set(y)) < 2 or len(set(x)) < 2:
        return
    table, schema = pa.table({"x": np.array(x, float), "y": y}), Schema.of(["x"], confidential=["y"], decimals={"x": 9})
    release = covey.anonymize(table, schema, 2, p_sensitive=2)
    points = np.array(x, float)[:, None]
    cells = [np.flatnonzero(release.labels == cell).tolist() for cell in np.unique(release.labels)]
    found = slow.squared_errors(points, cells)
    least = slow.least_errors(points, 2, lambda cell: len({y[i] for i in cell}) >= 2)
    assert least - 1e-9 <= found <= slow.squared_errors(points, [list(range(n))]) + 1e-9


def clumps(n: int = 400) -> tuple[pa.Table, Schema]:
    """Neighbours are alike in what is confidential: the harder case."""
    rng = np.random.default_rng(5)
    points = rng.normal(size=(n, 2))
    wage = np.round(np.exp(points[:, 0] + 0.3 * rng.normal(size=n)), 3)
    group = np.where(rng.random(n) < 0.1, "rare", "usual")
    table = pa.table({"a": points[:, 0], "b": points[:, 1], "wage": wage, "group": group})
    return table, Schema.of(["a", "b"], confidential=["wage", "group"], table=table)


def test_exchanges_lose_less_than_mergers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where cells lack a rare value, exchanging records leaves a lower distortion than merging."""
    table, schema = clumps()
    mended = covey.anonymize(table, schema, 4, p_sensitive={"group": 2})
    monkeypatch.setattr(mending, "PATIENCE", 0)
    monkeypatch.setattr(mending, "MOST_VISITS", 0)
    merged = covey.anonymize(table, schema, 4, p_sensitive={"group": 2})
    assert mended.measures.distortion < merged.measures.distortion
    assert mended.measures.cells > merged.measures.cells


def test_what_holds_anyway_changes_nothing() -> None:
    """A criterion that the cells meet leaves the labels as they are, and the notes say so."""
    table, schema = clumps()
    plain = covey.anonymize(table, schema, 4)
    release = covey.anonymize(table, schema, 4, p_sensitive={"wage": 2})
    assert release.labels.tolist() == plain.labels.tolist()
    assert "the criteria asked for hold without a change of the cells" in release.notes


def test_best_is_no_worse_than_either() -> None:
    """Where cells are mended and formed anew, what loses less is taken."""
    table, schema = clumps()
    lost = {
        how: covey.anonymize(table, schema, 4, t_close={"wage": Close(0.08, "ordered", how)}).measures.distortion
        for how in ("best", "merge", "first")
    }
    assert lost["best"] == pytest.approx(min(lost.values()), rel=1e-12)
    assert lost["first"] < lost["merge"]


def test_several_criteria_hold_together() -> None:
    """Criteria of several columns are all met, and all told."""
    table, schema = clumps()
    release = covey.anonymize(
        table, schema, 5, p_sensitive={"group": 2}, l_diverse={"wage": 4}, t_close={"wage": Close(0.25, "ordered")}
    )
    also = release.statement["also"]
    assert [(entry["criterion"], entry["column"]) for entry in also] == [
        ("p-sensitivity", "group"),
        ("distinct l-diversity", "wage"),
        ("t-closeness", "wage"),
    ]
    assert also[0]["attained"] >= 2
    assert also[1]["attained"] >= 4
    assert also[2]["attained"] <= 0.25 + 1e-9
    assert release.recipe["criteria"][2] == {
        "criterion": "t-closeness", "column": "wage", "t": 0.25, "ground": "ordered", "method": "best"
    }  # fmt: skip


def test_strata_are_not_mixed() -> None:
    """Cells are mended within their stratum only."""
    table, schema = clumps()
    release = covey.anonymize(table, schema, 4, strata="group", l_diverse={"wage": 3}, keep_order=True)
    pairs = set(zip(release.labels.tolist(), table["group"].to_pylist(), strict=True))
    assert len(pairs) == len(set(release.labels.tolist()))


def test_a_tree_finds_the_same_kind_of_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many cells neighbours come from a tree: the criterion holds all the same, at a distortion much the same."""
    table, schema = clumps()
    scanned = covey.anonymize(table, schema, 3, p_sensitive={"group": 2})
    monkeypatch.setattr(mending, "SCANNED", 8)
    found = covey.anonymize(table, schema, 3, p_sensitive={"group": 2})
    assert found.statement["also"][0]["attained"] >= 2
    assert found.measures.distortion == pytest.approx(scanned.measures.distortion, rel=0.15)


def test_many_categories_lie_apart() -> None:
    """Categories that are too many for a direction each are still some 1 apart, as are few."""
    for levels in (5, 400):
        matrix = covey.Matrix.of(np.arange(levels, dtype=float)[:, None], ["nominal"])
        points = embedding(matrix)
        distances = np.square(points[:, None] - points[None]).sum(axis=2)[np.triu_indices(levels, 1)]
        assert distances.mean() == pytest.approx(1, abs=0.02)
        assert distances.min() > 0.1


def test_large_cells_exchange_their_nearest_records() -> None:
    """Cells of hundreds of records are mended, too."""
    table, schema = clumps()
    release = covey.anonymize(table, schema, 100, t_close={"wage": Close(0.1, "ordered", "merge")})
    assert release.statement["also"][0]["attained"] <= 0.1 + 1e-9


def test_progress_goes_on() -> None:
    """The mending tells how far it is, in records of all of them."""
    table, schema = clumps(3000)
    told: list[tuple[int, int]] = []
    covey.anonymize(table, schema, 3, p_sensitive={"group": 2}, progress=lambda done, n: told.append((done, n)))
    assert {n for _, n in told} == {3000}
    assert all(0 <= done <= 3000 for done, _ in told)
    assert any(a > b for (a, _), (b, _) in pairwise(told))


def test_a_stop_is_heard_while_cells_are_mended() -> None:
    """What interrupts the work on criteria ends it at once: nothing is released."""
    table, schema = clumps(2000)
    told: list[int] = []

    def stop(done: int, _n: int) -> None:
        if told and done < told[-1]:
            raise KeyboardInterrupt
        told.append(done)

    with pytest.raises(KeyboardInterrupt):
        covey.anonymize(table, schema, 3, p_sensitive={"group": 2}, progress=stop)
