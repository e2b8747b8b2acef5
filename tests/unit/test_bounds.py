"""The lower bound against the least SSE of all partitions, in exact arithmetic."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pyarrow import csv

import covey
from covey.bounds.tables import bound_table
from tests.reference import bounds as reference
from tests.unit.partition.strategies import COLUMNS


@st.composite
def few_records(draw: st.DrawFn, most_records: int = 7, most_k: int = 4) -> tuple[np.ndarray, int]:
    """Up to seven records, hard ones among them, some of them repeated."""
    n = draw(st.integers(1, most_records))
    k = draw(st.integers(1, min(n, most_k)))
    families = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=3))
    X = np.column_stack([draw(arrays(np.float64, n, elements=COLUMNS[family])) for family in families])
    if draw(st.booleans()):
        X = X[draw(arrays(np.intp, n, elements=st.integers(0, n - 1)))]
    return X, k


@settings(max_examples=300)
@given(few_records(), st.sampled_from([0, 1, 30]))
def test_never_above_the_least_sse(case: tuple[np.ndarray, int], rounds: int) -> None:
    """No partition has a lower SSE: not by one rounding, whatever the scales, offsets and duplicates."""
    X, k = case
    assert Fraction(covey.lower_bound(X, k, rounds=rounds)) <= reference.least_sse(X, k)


@given(few_records(most_records=12, most_k=6))
def test_without_prices(case: tuple[np.ndarray, int]) -> None:
    """Without rounds it is half of each record's k − 1 least squared distances over k, but for roundings."""
    X, k = case
    plain = reference.plain_bound(X, k)
    lost = Fraction(float(np.max(np.abs(X)))) ** 2 / 2**600 + 8 * Fraction(5e-324)
    bound = Fraction(covey.lower_bound(X, k, rounds=0))
    assert bound <= plain
    assert bound >= plain * (1 - Fraction(1, 10**13)) - lost or plain > 1.7e308


@given(few_records(most_records=12, most_k=6))
def test_prices_never_lower_it(case: tuple[np.ndarray, int]) -> None:
    """More rounds never give a lower bound."""
    X, k = case
    found = [covey.lower_bound(X, k, rounds=rounds) for rounds in (0, 10, 40)]
    assert found[0] <= found[1]
    assert found[0] <= found[2]


def test_by_hand() -> None:
    """0, 1, 10, 11 with k=2: both pairs have SSE 1/2, and so much every record says of its neighbour."""
    assert covey.lower_bound([[0.0], [1.0], [10.0], [11.0]], 2) == pytest.approx(1.0, rel=1e-12)


def test_prices_let_an_outlier_count_for_both() -> None:
    """0, 0, 9 with k=3, SSE 54: alone, the records say 0.5·(81 + 81 + 81 + 81)/3; with prices all there is."""
    X = [[0.0], [0.0], [9.0], [0.0]]
    assert covey.lower_bound(X, 2, rounds=0) == pytest.approx(81 / 4, rel=1e-12)
    assert covey.lower_bound(X, 2, rounds=200) == pytest.approx(81 / 2, rel=0.02)


def test_a_large_offset_costs_nothing() -> None:
    """The bound of records that lie 1e9 standard deviations away is that of the same records at home."""
    X = np.random.default_rng(3).integers(0, 1000, size=(300, 4)).astype(float)
    assert covey.lower_bound(X + 1e12, 4) == pytest.approx(covey.lower_bound(X, 4), rel=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e-20, 1e20, 1e140])
def test_scales(scale: float) -> None:
    """The bound grows with the square of the scale, however small or large that is."""
    X = np.random.default_rng(3).normal(size=(200, 3))
    expected = covey.lower_bound(X, 3) * scale * scale
    assert covey.lower_bound(X * scale, 3) == pytest.approx(expected, rel=1e-9, abs=5e-324)


def test_more_than_floats_hold() -> None:
    """Where every SSE overflows, the bound is the greatest float and no more."""
    X = np.random.default_rng(3).normal(size=(20, 2)) * 1e300
    assert covey.lower_bound(X, 3) == np.finfo(float).max


def test_many_records() -> None:
    """The tree finds what brute force finds, and MDAV lies above the bound, at most twice as far in ten columns."""
    X = np.random.default_rng(4).normal(size=(20_000, 2))
    bound = covey.lower_bound(X, 5)
    assert bound < covey.MDAV(5).fit(X).sse_ < 2.5 * bound
    assert covey.lower_bound(X, 5) == bound


def test_progress() -> None:
    """The callback is told of ever more work done, up to all of it."""
    told: list[tuple[int, int]] = []
    covey.lower_bound(np.random.default_rng(4).normal(size=(30_000, 3)), 5, progress=lambda *part: told.append(part))
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert told[-1] == (60_000, 60_000)


def test_gap() -> None:
    """The excess over the bound in parts of it; none below it; endless where the bound says nothing."""
    assert covey.gap(11.0, 10.0) == pytest.approx(0.1)
    assert covey.gap(10.0, 10.0 + 1e-9) == 0.0
    assert covey.gap(0.0, 0.0) == 0.0
    assert covey.gap(1.0, 0.0) == math.inf


BAD = {
    "n<k": (lambda: covey.lower_bound([[1.0], [2.0]], 3), "fewer than k=3"),
    "k=0": (lambda: covey.lower_bound([[1.0]], 0), "at least 1"),
    "k=2.5": (lambda: covey.lower_bound([[1.0]], 2.5), "whole number"),  # type: ignore[arg-type]
    "NaN": (lambda: covey.lower_bound([[math.nan], [2.0]], 1), "1 values are NaN or inf"),
    "rounds": (lambda: covey.lower_bound([[1.0]], 1, rounds=-1), "rounds must be"),
    "kinds": (lambda: covey.lower_bound(covey.Matrix.of([[1.0, 0]], ["continuous", "nominal"]), 1), "1 of 2 columns"),
    "gap": (lambda: covey.gap(-1.0, 2.0), "at least 0"),
    "gap of NaN": (lambda: covey.gap(math.nan, 2.0), "at least 0"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str) -> None:
    """What has no bound is refused in one sentence."""
    attempt, words = BAD[case]
    with pytest.raises(covey.InvalidInput, match=words):
        attempt()


def heights() -> pa.Table:
    """Two quasi-identifiers and a constant one."""
    draws = np.random.default_rng(2).normal(size=(200, 2))
    return pa.table({"height": draws[:, 0] * 9 + 170, "weight": draws[:, 1] * 12 + 70, "planet": np.ones(200)})


def test_bound_of_a_table() -> None:
    """Of a table it is in distortion: below that of a release by MDAV, whatever the units and constant columns."""
    schema = covey.Schema.of(quasi=["height", "weight", "planet"])
    found = bound_table(heights(), schema, 4)
    release = covey.anonymize(heights(), schema, 4)
    assert found.mdav == pytest.approx(release.measures.distortion, rel=1e-9)
    assert found.distortion < found.mdav
    assert found.gap == covey.gap(found.mdav, found.distortion)
    assert found.records == 200


BAD_TABLES = {
    "missing": ({"age": [1.0, None, 3.0]}, "missing in column 'age'"),
    "constant": ({"age": [1.0, 1.0, 1.0]}, "no quasi-identifier varies"),
    "texts": ({"age": ["a", "b", "a"]}, "not continuous"),
}


@pytest.mark.parametrize("case", BAD_TABLES)
def test_tables_without_a_bound(case: str) -> None:
    """A table that has no bound is refused in one sentence."""
    columns, words = BAD_TABLES[case]
    table = pa.table(columns)
    with pytest.raises(covey.InvalidInput, match=words):
        bound_table(table, covey.Schema.of(quasi=["age"], table=table), 2)


def test_command(tmp_path: Path) -> None:
    """`covey bound` prints the bound and the gap of mdav."""
    csv.write_csv(heights(), tmp_path / "heights.csv")
    toml = covey.Schema.of(quasi=["height", "weight", "planet"]).to_toml()
    (tmp_path / "heights.toml").write_text(toml)
    command = [sys.executable, "-m", "covey", "bound", "heights.csv", "--schema", "heights.toml", "-k", "4"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    found = bound_table(heights(), covey.Schema.of(quasi=["height", "weight", "planet"]), 4)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"200 records: no release has a distortion below D = {found.distortion:.4f};")
    assert f"{found.mdav:.4f}, at most {100 * found.gap:.0f} % above the least" in done.stdout
