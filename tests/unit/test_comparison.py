"""Several methods over several k, side by side."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import pictures
from covey.frames import read_frame

RNG = np.random.default_rng(4)
X = RNG.normal(size=(120, 3))
TABLE = pa.table(
    {
        "age": RNG.integers(20, 80, 120),
        "sex": RNG.choice(["male", "female"], 120),
        "mass": RNG.normal(70, 9, 120).astype(np.float32),
        "tsh": RNG.normal(size=120),
    }
)
SCHEMA = covey.Schema.of(["age", "sex", "mass"], confidential=["tsh"], nominal=["sex"])
FRAMES = {"pandas": lambda table: table.to_pandas(), "polars": pl.from_arrow, "pyarrow": lambda table: table}


def results(comparison: covey.Comparison) -> list[tuple[Any, ...]]:
    """All but the time."""
    return [(t.method, t.k, t.distortion, t.cells, t.smallest_cell, t.largest_cell) for t in comparison.trials]


@pytest.mark.parametrize("method", ["mdav", "vmdav", "mst", "mu-approx", "md"])
@pytest.mark.parametrize("options", [{}, {"strata": "sex"}])
def test_the_figures_are_those_of_a_release(method: str, options: dict[str, Any]) -> None:
    """D and the sizes of the cells are those that a release with the same method and k has."""
    for trial in covey.compare(TABLE, SCHEMA, methods=[method], ks=[3, 7], **options).trials:
        measures = covey.anonymize(TABLE, SCHEMA, trial.k, method=method, **options).measures
        assert trial.distortion == pytest.approx(measures.distortion, rel=1e-12)
        cells = (trial.cells, trial.smallest_cell, trial.largest_cell)
        assert cells == (measures.cells, measures.smallest_cell, measures.largest_cell)
        assert trial.seconds > 0


def test_individual_ranking_is_compared_column_by_column() -> None:
    """Its cells are those of all columns, its D that of the release."""
    table, schema = TABLE.select(["age", "mass"]), covey.Schema.of(["age", "mass"])
    (trial,) = covey.compare(table, schema, methods=["individual-ranking"], ks=[4]).trials
    measures = covey.anonymize(table, schema, 4, method="individual-ranking").measures
    assert trial.distortion == pytest.approx(measures.distortion, rel=1e-12)
    assert trial.smallest_cell >= 4


@pytest.mark.parametrize("missing", ["own-cells", "drop"])
def test_missing_values(missing: Any) -> None:
    """Records that lack a value are treated as a release would treat them."""
    ages = pa.array([None if i % 9 == 0 else i % 50 for i in range(120)])
    table = TABLE.set_column(0, "age", ages)
    (trial,) = covey.compare(table, SCHEMA, methods=["mdav"], ks=[5], missing=missing).trials
    measures = covey.anonymize(table, SCHEMA, 5, missing=missing).measures
    assert trial.distortion == pytest.approx(measures.distortion, rel=1e-12)
    with pytest.raises(covey.InvalidInput, match="mdav with k=5: values are missing in 'age'"):
        covey.compare(table, SCHEMA, methods=["mdav"], ks=[5])


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_a_frame_of_the_kind_that_came_in(make: Callable[[pa.Table], Any]) -> None:
    """The figures are a table of the input's kind, a row for each k and method in turn."""
    table = make(TABLE)
    comparison = covey.compare(table, SCHEMA, methods=["mdav", "mst"], ks=[3, 5])
    assert type(comparison.frame) is type(table)
    expected = comparison.to_table()
    assert expected["method"].to_pylist() == ["mdav", "mst"] * 2
    assert expected["k"].to_pylist() == [3, 3, 5, 5]
    assert read_frame(comparison.frame)["cells"].to_list() == expected["cells"].to_pylist()
    assert [trial["method"] for trial in json.loads(comparison.to_json())] == ["mdav", "mst"] * 2
    assert repr(comparison) == "Comparison(2 methods, 2 values of k)"


def test_arrays() -> None:
    """All columns of an array are compared, standardised, and constant ones have no weight."""
    scaled = np.column_stack([X * [1.0, 100.0, 1e-3] + 5, np.ones(120)])
    (trial,) = covey.compare(scaled, methods=["tfrp"], ks=3).trials
    fit = covey.TFRP(3).fit((X - X.mean(0)) / X.std(0))
    assert trial.distortion == pytest.approx(fit.sse_ / X.size)
    assert trial.cells == len(fit.sizes_)
    assert results(covey.compare(scaled.tolist(), methods=["tfrp"], ks=[3])) == results(
        covey.compare(scaled, methods=["tfrp"], ks=[3])
    )


def test_estimators_names_and_functions() -> None:
    """Methods are names, estimators whose k is replaced, or functions of k, under names of one's own."""
    methods = {
        "plain": "vmdav",
        "grown": covey.VMDAV(2, gamma=1.0),
        "in blocks": covey.Blocks(covey.MDAV(2), size=60),
        "made": lambda k: covey.MDAV(k, tail="adjoin"),
    }
    comparison = covey.compare(X, methods=methods, ks=[3, 4])
    assert [trial.method for trial in comparison.trials] == [*methods, *methods]
    assert [trial.smallest_cell for trial in comparison.trials] == [3] * 4 + [4] * 4
    alone = covey.compare(X, methods=[covey.VMDAV(9, gamma=1.0)], ks=[3])
    assert alone.trials[0].method == "VMDAV"
    assert alone.trials[0].distortion == comparison.trials[1].distortion


def test_the_same_each_time() -> None:
    """Two comparisons differ in nothing but the times."""
    assert results(covey.compare(X, ks=[3, 4])) == results(covey.compare(X, ks=[3, 4, 3]))


def test_progress() -> None:
    """Progress counts every record once for each method and k, and never goes back."""
    told: list[tuple[int, int]] = []
    covey.compare(X, methods=["mdav", "mst"], ks=[3, 4], progress=lambda *args: told.append(args))
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert told[-1] == (480, 480)
    assert {total for _, total in told} == {480}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"ks": [3, 121]}, "mdav with k=121: the table has 120 records, fewer than k=121"),
    ({"ks": [1]}, "mdav with k=1: k=1 protects nobody"),
    ({"ks": []}, "ks is empty"),
    ({"ks": ["three"]}, "k must be a whole number"),
    ({"methods": []}, "methods is empty"),
    ({"methods": {}}, "methods is empty"),
    ({"methods": ["magic"]}, "unknown method"),
    ({"methods": [5]}, "each method is a name"),
    ({"methods": ["mdav", "mdav"]}, "same name"),
    ({"methods": {"mine": lambda k: k}}, "mine with k=3: unknown method"),
    ({"methods": {"mine": lambda k: covey.MDAV(9)}}, "mine with k=3: k is given twice"),
    ({"methods": ["univariate"]}, "univariate with k=3: Univariate partitions one column"),
    ({"missing": "guess"}, "unknown missing"),
    ({"schema": covey.Schema.of(["a"])}, "an array has no columns"),
    ({"table": np.full((9, 2), np.nan)}, "18 values are NaN or inf"),
    ({"table": TABLE}, "the schema is missing"),
    ({"table": TABLE, "schema": SCHEMA, "methods": ["tfrp"]}, "tfrp with k=3: TFRP averages continuous columns only"),
    ({"table": TABLE, "schema": SCHEMA, "strata": "town"}, "'town'"),
]


@pytest.mark.parametrize(("options", "sentence"), BAD)
def test_bad_input(options: dict[str, Any], sentence: str) -> None:
    """What cannot be compared is refused in one sentence; a method that fails is named, with its k."""
    options = {"table": X, "methods": ["mdav"], "ks": [3]} | options
    with pytest.raises(covey.InvalidInput, match=sentence) as caught:
        covey.compare(options.pop("table"), options.pop("schema", None), **options)
    assert caught.value.__cause__ is None


COMPARISON = covey.compare(X, methods=["mdav", "mst"], ks=[3, 5])


@pytest.mark.parametrize(("kind", "signature"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_pictures(kind: str, signature: bytes) -> None:
    """A picture is a PNG or an SVG file, the same bytes each time."""
    drawn = COMPARISON.picture(kind)
    assert drawn.startswith(signature)
    assert COMPARISON.picture(kind) == drawn


def test_pictures_name_methods_and_k() -> None:
    """An SVG has a curve for each method, and all k on the axis."""
    drawn = COMPARISON.picture("svg").decode()
    assert all(f"<!-- {word} -->" in drawn for word in ("mdav", "mst", "3", "5"))


def test_pictures_of_nothing_lost() -> None:
    """Where nothing is lost at all there is nothing to divide by, and a picture all the same."""
    assert covey.compare(np.ones((9, 2)), methods=["mdav", "mst"], ks=[3]).picture().startswith(b"\x89PNG")


def test_pictures_of_other_formats() -> None:
    """Other formats are refused."""
    with pytest.raises(covey.InvalidInput, match="png or svg"):
        COMPARISON.picture("gif")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without matplotlib the sentence says how to install it."""
    found = builtins.__import__

    def missing(name: str, *args: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return found(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(covey.InvalidInput, match=r"pip install 'covey\[report\]'") as caught:
        pictures.require("png")
    assert caught.value.__context__ is None


def test_values_stay_out_of_sentences() -> None:
    """A method's failure tells of columns and counts, not of values."""
    table = pd.DataFrame({"q": ["CANARYx7"] * 9, "r": [918273645.125] * 9})
    with pytest.raises(covey.InvalidInput) as caught:
        covey.compare(table, covey.Schema.of(["q", "r"], nominal=["q"]), methods=["tfrp"], ks=[3])
    assert "CANARY" not in str(caught.value)
    assert "918273645" not in str(caught.value)


def test_an_interrupt_of_a_search_ends_the_comparison() -> None:
    """Ctrl-C while one method refines its cells does not go on with the next method."""

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        covey.compare(np.random.default_rng(0).normal(size=(500, 3)), methods=[covey.Refine(seconds=60)], progress=stop)
