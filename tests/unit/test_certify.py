"""Certificates against the least SSE of all partitions, and what they promise."""

from __future__ import annotations

import math
import os
import sys
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import covey
from covey import _core
from covey.bounds.generation import bound_of
from tests.reference import bounds as reference
from tests.unit.processes import interrupted
from tests.unit.test_bounds import few_records


def assert_valid(certificate: covey.Certificate, X: np.ndarray, k: int) -> None:
    """Its labels are a partition into cells of at least k, and have its SSE."""
    labels = certificate.labels
    sizes = np.bincount(labels)
    assert labels.shape == (len(X),)
    assert sizes.min() >= k
    cells = [np.flatnonzero(labels == cell).tolist() for cell in range(len(sizes))]
    sse = sum((reference.sse(reference.exact(X), cell) for cell in cells), Fraction(0))
    assert certificate.best_sse == pytest.approx(float(sse), rel=1e-6)
    assert certificate.gap == covey.gap(certificate.best_sse, certificate.bound)


@settings(max_examples=60)
@given(few_records())
def test_never_above_the_least_sse(case: tuple[np.ndarray, int]) -> None:
    """No partition lies below the bound, whatever the scales, offsets and duplicates."""
    X, k = case
    certificate = covey.certify(X, k, seconds=5)
    least = reference.least_sse(X, k)
    if not certificate.optimal:
        assert Fraction(certificate.bound) <= least
    elif least < Fraction(1.7e308):
        assert certificate.bound <= float(least) * (1 + 1e-9)


@settings(max_examples=40)
@given(st.integers(2, 4), st.integers(4, 9), st.integers(1, 3), st.integers(0, 10**6))
def test_tiny_instances_are_solved(k: int, n: int, d: int, seed: int) -> None:
    """Of few records of common numbers it finds the best partition and proves that it is."""
    X = np.random.default_rng(seed).normal(size=(n, d)).round(2)
    certificate = covey.certify(X, k, seconds=20)
    assert certificate.exact
    assert certificate.optimal
    assert certificate.best_sse == pytest.approx(float(reference.least_sse(X, k)), rel=1e-6)
    assert certificate.gap < 2e-6
    assert_valid(certificate, X, k)


@settings(max_examples=60)
@given(few_records(most_records=8, most_k=3), st.data())
def test_pricing_finds_the_least_excess(case: tuple[np.ndarray, int], data: st.DataObject) -> None:
    """Of all cells with an excess below 0 the search finds the least, and with it a bound for any prices."""
    X, _ = case
    k = min(len(X), 3)
    if k < 2 or np.abs(X).max() > 1e9:
        X, k = np.random.default_rng(1).normal(size=(7, 2)), 3
    prices = data.draw(arrays(np.float64, len(X), elements=st.floats(0, 4)))
    rows, begins, excesses, complete = _core.price_cells(X, prices, k, 1, 10**6, 100, 60.0)
    least = reference.least_excess(X, k, prices)
    assert complete
    assert float(excesses.min()) == pytest.approx(min(0.0, float(least)), rel=1e-9, abs=1e-9)
    found = [tuple(rows[a:b]) for a, b in pairwise(begins)]
    assert all(k <= len(cell) < 2 * k for cell in found)
    assert Fraction(bound_of(prices, excesses, k, X.shape[1])) <= reference.least_sse(X, k)


@pytest.mark.parametrize("nodes", [0, 1, 3, 30])
def test_a_search_cut_short_still_bounds(nodes: int) -> None:
    """However few partial cells and candidates are looked at, the bound holds."""
    X = np.random.default_rng(5).normal(size=(9, 2))
    for seed in range(20):
        prices = np.random.default_rng(seed).uniform(0, 2, size=9)
        _, _, excesses, _ = _core.price_cells(X, prices, 3, 2, nodes, 1 + nodes, 60.0)
        assert Fraction(bound_of(prices, excesses, 3, 2)) <= reference.least_sse(X, 3)


def test_between_the_bound_and_mdav() -> None:
    """It is above `lower_bound`, and its partition below MDAV's; the same each time."""
    X = np.random.default_rng(7).normal(size=(120, 3))
    first, second = (covey.certify(X, 3, seconds=60) for _ in range(2))
    assert first.exact
    assert covey.lower_bound(X, 3) < first.bound <= first.best_sse < covey.MDAV(3).fit(X).sse_
    assert first.gap < 0.03
    assert_valid(first, X, 3)
    assert (first.bound, first.labels.tolist()) == (second.bound, second.labels.tolist())


def test_starts_from_labels() -> None:
    """A good partition given is never made worse."""
    X = np.random.default_rng(8).normal(size=(60, 2))
    good = covey.certify(X, 3, seconds=30)
    again = covey.certify(X, 3, seconds=0.01, labels=good.labels)
    assert again.best_sse <= good.best_sse * (1 + 1e-12)
    assert again.bound <= good.best_sse


def test_no_time_at_all() -> None:
    """When the time is over before it begins, the bound is that of `lower_bound`, about."""
    X = np.random.default_rng(9).normal(size=(400, 4))
    certificate = covey.certify(X, 4, seconds=1e-9)
    assert certificate.bound == pytest.approx(covey.lower_bound(X, 4, rounds=200), rel=1e-9)
    assert not certificate.exact
    assert_valid(certificate, X, 4)


def test_nothing_to_lose() -> None:
    """Equal records, and cells of one, cost nothing: that is optimal."""
    for X, k in ((np.ones((7, 2)), 3), (np.arange(4.0).reshape(-1, 1), 1)):
        certificate = covey.certify(X, k)
        assert (certificate.bound, certificate.best_sse, certificate.gap) == (0.0, 0.0, 0.0)
        assert certificate.exact
        assert certificate.optimal
        assert_valid(certificate, X, k)


def test_progress() -> None:
    """The callback is told of ever more milliseconds, up to those allotted; an exception in it comes out."""
    X = np.random.default_rng(7).normal(size=(150, 3))
    told: list[tuple[int, int]] = []
    covey.certify(X, 3, seconds=20, progress=lambda *part: told.append(part))
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert told[-1] == (20_000, 20_000)

    def stop(_done: int, _total: int) -> None:
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        covey.certify(X, 3, seconds=20, progress=stop)


CHILD = """
import time
import numpy as np
import covey
X = np.random.default_rng(0).normal(size=(1500, 8))
try:
    covey.certify(X, 5, seconds=60, progress=lambda done, total: done > 3000 and print("ready", flush=True))
except KeyboardInterrupt:
    print("stopped", time.monotonic(), flush=True)
"""


@pytest.mark.skipif(bool(os.environ.get("COVEY_SANITIZED")), reason="too slow there")
@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
def test_ctrl_c() -> None:
    """Ctrl-C ends a certificate of a minute within two seconds, whatever it is doing."""
    last, sent = interrupted(CHILD)
    word, stopped = last.split()
    assert word == "stopped"
    assert float(stopped) - sent < 2.0


LINE = [[float(i)] for i in range(9)]
BAD = {
    "n<k": (lambda: covey.certify([[1.0], [2.0]], 3), "fewer than k=3"),
    "k=0": (lambda: covey.certify(LINE, 0), "at least 1"),
    "NaN": (lambda: covey.certify([[math.nan], [2.0]], 1), "1 values are NaN or inf"),
    "kinds": (lambda: covey.certify(covey.Matrix.of([[0.0]], ["nominal"]), 1), "1 of 1 columns"),
    "many records": (lambda: covey.certify(np.zeros((5001, 1)), 3), "up to 5,000 records.*lower_bound"),
    "large k": (lambda: covey.certify(np.zeros((50, 1)), 13), "k up to 12; lower_bound"),
    "no time": (lambda: covey.certify(LINE, 3, seconds=0), "seconds must be"),
    "endless": (lambda: covey.certify(LINE, 3, seconds=math.inf), "seconds must be"),
    "few labels": (lambda: covey.certify(LINE, 3, labels=[0, 0, 0]), "one for each of the 9 records"),
    "small cells": (lambda: covey.certify(LINE, 3, labels=[0, 0, 1, 1, 1, 1, 1, 1, 1]), "1 of 2 cells"),
    "texts": (lambda: covey.certify(LINE, 3, labels=["a"] * 9), "whole numbers"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str) -> None:
    """What cannot be certified is refused in one sentence that says what can."""
    attempt, words = BAD[case]
    with pytest.raises(covey.InvalidInput, match=words):
        attempt()
