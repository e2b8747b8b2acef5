"""The trade-off swept: each point is what a release would be."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import csv

import covey
from covey import InvalidInput, Schema
from tests.unit import processes

RNG = np.random.default_rng(11)
N = 150
X = RNG.normal(size=(N, 3))
TABLE = pa.table(
    {
        "a": X[:, 0],
        "b": X[:, 1],
        "y": X[:, 0] + X[:, 2],
        "flu": np.where(X[:, 1] > 0.3, "yes", "no"),
    }
)
SCHEMA = Schema.of(["a", "b"], confidential=["y", "flu"], continuous=["y"])


@pytest.mark.parametrize("method", ["mdav", "vmdav", covey.PCL(3)])
@pytest.mark.parametrize("expected", [None, "linear"])
def test_points_are_those_of_releases(method, expected):
    """D_X, D_Y, cells and ℓ_avg of each point are those of the release with the same k and λ."""
    found = covey.tradeoff(TABLE, SCHEMA, k=[3, 8], lambdas=[0.2, 1], method=method, expected=expected)
    assert [(p.k, p.weight) for p in found.points] == [(k, x) for k in (3, 8) for x in (0.0, 0.2, 1.0)]
    for point in found.points:
        estimator = method if isinstance(method, str) else method.with_k(point.k)
        dependence = covey.Dependence(point.weight, expected if point.weight else None)
        release = covey.anonymize(TABLE, SCHEMA, point.k, method=estimator, dependence=dependence)
        assert point.distortion == pytest.approx(release.measures.distortion, rel=1e-12)
        assert point.predictability_loss == pytest.approx(release.measures.predictability.loss, rel=1e-12)
        assert point.average_diversity == pytest.approx(covey.average_diversity(release.table, SCHEMA), rel=1e-12)
        assert (point.cells, point.smallest_cell) == (release.measures.cells, release.measures.smallest_cell)


def test_increments_are_relative_to_the_usual_case():
    """(D(λ) − D(0))/D(0), 0 for λ = 0, which is always there."""
    usual, other = covey.tradeoff(TABLE, SCHEMA, k=4, lambdas=0.5).points
    assert (usual.weight, usual.distortion_increment, usual.loss_increment) == (0, 0, 0)
    assert other.distortion_increment == pytest.approx(other.distortion / usual.distortion - 1)
    assert other.loss_increment == pytest.approx(other.predictability_loss / usual.predictability_loss - 1)


def test_nothing_to_compare_with_is_not_a_number():
    """Where λ = 0 loses nothing the increment is NaN, and null in JSON."""
    table = pa.table({"x": [1.0] * 6 + [2.0] * 6, "y": [0.0, 1.0] * 6})
    found = covey.tradeoff(table, Schema.of(["x"], confidential=["y"], continuous=["y"]), k=6, lambdas=[0.5])
    assert math.isnan(found.points[0].distortion_increment)
    assert json.loads(found.to_json())[0]["distortion_increment"] is None


def test_forms_of_the_result():
    """A frame of the kind that came in, a table, JSON, and pictures in both formats."""
    found = covey.tradeoff(pl.from_arrow(TABLE), SCHEMA, k=[3], lambdas=[0, 1])
    assert isinstance(found.frame, pl.DataFrame)
    assert found.to_table().num_rows == 2
    assert [point["k"] for point in json.loads(found.to_json())] == [3, 3]
    assert repr(found) == "Tradeoff(1 values of k, 2 values of λ)"
    assert found.picture("png").startswith(b"\x89PNG")
    assert found.picture("svg") == found.picture("svg")
    with pytest.raises(InvalidInput, match="pictures are png or svg"):
        found.picture("pdf")


def test_progress_counts_every_point():
    """It never goes back, and ends at all the work."""
    seen: list[tuple[int, int]] = []
    covey.tradeoff(TABLE, SCHEMA, k=[3, 4], lambdas=[0, 1], progress=lambda *x: seen.append(x))
    assert seen == sorted(seen)
    assert seen[-1] == (4 * N, 4 * N)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"lambdas": [0.5, 1.1]}, "a number from 0"),
        ({"lambdas": "0.5"}, "a number from 0"),
        ({"k": []}, "ks is empty"),
        ({"k": 1}, "λ=0 with k=1: k=1 protects nobody"),
        ({"k": 1000}, "λ=0 with k=1000: the table has 150 records"),
        ({"width": 0}, "width must be a positive number"),
        ({"method": "magic"}, "unknown method"),
        ({"method": "individual-ranking"}, "individual-ranking"),
        ({"missing": "maybe"}, "unknown missing"),
    ],
)
def test_refusals(options, sentence):
    """What is not usable is refused in one sentence."""
    with pytest.raises(InvalidInput, match=sentence):
        covey.tradeoff(TABLE.drop(["flu"]), Schema.of(["a", "b"], confidential=["y"], continuous=["y"]), **options)


def test_without_confidential_columns_there_is_nothing_to_trade():
    """The schema must have one."""
    with pytest.raises(InvalidInput, match="no confidential column"):
        covey.tradeoff(TABLE, Schema.of(["a", "b"], other=["y", "flu"]))


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """The table as a file."""
    csv.write_csv(TABLE, tmp_path / "t.csv")
    return tmp_path / "t.csv"


ROLES = ["--quasi", "a,b", "--confidential", "y,flu"]


def test_the_command(records):
    """A table on the terminal with a row for each k and λ, files and JSON on request."""
    done = processes.run("tradeoff", records, *ROLES, "-k", "3,5", "--lambdas", "0.5", cwd=records.parent)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.decode().splitlines() if line.strip()]
    assert lines[0][:3] == ["k", "λ", "D_X"]
    assert [line[:2] for line in lines[1:]] == [["3", "0"], ["3", "0.5"], ["5", "0"], ["5", "0.5"]]
    done = processes.run(
        "tradeoff", records, *ROLES, "-k", "3", "--lambdas", "0,1", "-o", "o.csv", "--plot", "p.svg", "--json",
        cwd=records.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)) == csv.read_csv(records.with_name("o.csv")).num_rows == 2
    assert records.with_name("p.svg").read_text().lstrip().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--lambdas", "half"], "λ must be a number"),
        (["--lambdas", "2"], "a number from 0"),
        (["-k", "five"], "k must be a whole number"),
        (["--width", "-1"], "width must be a positive number"),
        (["--plot", "p.pdf"], "pictures are png or svg"),
    ],
)
def test_refusals_of_the_command(records, arguments, sentence):
    """Bad options end with exit code 2 and one sentence."""
    done = processes.run("tradeoff", records, *ROLES, *arguments, cwd=records.parent)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.decode().split())


def test_dependence_and_column_blocks_of_the_command(records):
    """`covey anonymize` takes both, and refuses what it would have to ignore."""
    out = ["-k", "4", "-o", "o.csv", "--force", "-q"]
    done = processes.run(
        "anonymize", records, *ROLES, "--dependence", "0.3", *out, "--recipe", "r.json", cwd=records.parent
    )
    assert done.returncode == 0, done.stderr
    recipe = json.loads(records.with_name("r.json").read_text())
    assert recipe["recipe"]["dependence"] == {"lambda": 0.3, "expected": None}
    blocks = ["--column-blocks", "a", "--column-blocks", "b"]
    for option in (blocks, ["--column-blocks", "1"]):
        done = processes.run("anonymize", records, *ROLES, *option, *out, cwd=records.parent)
        assert done.returncode == 2
        assert b"ask for it by name" in done.stderr
        done = processes.run(
            "anonymize", records, *ROLES, *option, "--guarantee", "per-block", *out, cwd=records.parent
        )
        assert done.returncode == 0, done.stderr
    done = processes.run("anonymize", records, *ROLES, "--expected", "linear", *out, cwd=records.parent)
    assert done.returncode == 2
    assert b"--expected is for --dependence" in done.stderr


@pytest.mark.parametrize("k", [None, 5.0, "5", [None]])
def test_what_is_no_k_is_refused(k):
    """k is a whole number or several, and anything else one sentence."""
    with pytest.raises(InvalidInput, match="k must be a whole number of at least 1, not of type"):
        covey.tradeoff(TABLE, SCHEMA, k=k)
    with pytest.raises(InvalidInput, match="k must be a whole number of at least 1, not of type"):
        covey.compare(TABLE, SCHEMA, ks=k)
