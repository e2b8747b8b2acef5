"""Refined partitions: never worse than their base, the best there is for a few records, and repeatable."""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
import pytest
import sklearn.base
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import _core
from covey.matrix import Matrix, Space
from tests.reference import refine as reference
from tests.unit.partition.strategies import Case, cases, mixed_cases, mixed_records, scales_of
from tests.unit.processes import interrupted

STEPS = 3000
BASES: dict[str, Any] = {
    "mdav": covey.MDAV(),
    "md": covey.MD(),
    "vmdav": covey.VMDAV(gamma=1.0),
}


def gaussian(n: int, d: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, d))


def assert_refined(fit: covey.Refine, matrix: Matrix, k: int) -> None:
    assert fit.labels_.shape == (matrix.n,)
    assert sorted(set(fit.labels_.tolist())) == list(range(len(fit.sizes_)))
    assert fit.sizes_.tolist() == np.bincount(fit.labels_).tolist()
    assert fit.sizes_.min() >= k
    assert fit.sse_ <= fit.base_sse_


@pytest.mark.parametrize("base", BASES)
@settings(max_examples=60)
@given(case=cases())
def test_never_worse_than_the_base(base: str, case: Case) -> None:
    """Every cell keeps k records, each record is in one, and the SSE is at most the base's, whatever the values."""
    fit = covey.Refine(BASES[base], k=case.k, steps=STEPS).fit(case.matrix)
    assert_refined(fit, case.matrix, case.k)
    alone = type(BASES[base])(**(BASES[base].get_params() | {"k": case.k})).fit(case.matrix)
    assert fit.base_sse_ == pytest.approx(alone.sse_, rel=1e-9)


@pytest.mark.parametrize("ordinal_average", ["median", "convex"])
@settings(max_examples=60)
@given(case=mixed_cases(), seed=st.integers(0, 9))
def test_mixed_records(ordinal_average: Any, case: Case, seed: int) -> None:
    """So it is for ordinal and nominal columns, under either median."""
    fit = covey.Refine(k=case.k, steps=STEPS, seed=seed, ordinal_average=ordinal_average).fit(case.matrix)
    assert_refined(fit, case.matrix, case.k)


@settings(max_examples=60)
@given(case=cases(), data=st.data())
def test_labels_as_base(case: Case, data: st.DataObject) -> None:
    """Any labels of cells of at least k will do, one cell of all among them, under any numbers."""
    cells = data.draw(st.integers(1, case.matrix.n // case.k))
    numbers = data.draw(st.permutations(range(-50, 50)))
    labels = np.array([numbers[i % cells] for i in range(case.matrix.n)])
    fit = covey.Refine(labels, k=case.k, steps=STEPS).fit(case.matrix)
    assert_refined(fit, case.matrix, case.k)


@settings(max_examples=25)
@given(n=st.integers(2, 8), k=st.integers(2, 4), seed=st.integers(0, 99))
def test_few_records_reach_the_optimum(n: int, k: int, seed: int) -> None:
    """Of up to eight records, the refined partition has the least SSE of all: all of these cases have been tried."""
    X, k = gaussian(n, 2, seed), min(k, n)
    scales = scales_of(Space.of(Matrix.of(X)))
    fit = covey.Refine(k=k, steps=1_000_000).fit(X)
    assert fit.sse_ == pytest.approx(reference.least_sse(X, k, scales), rel=1e-9)


@settings(max_examples=15)
@given(case=mixed_cases(most_records=8))
def test_few_mixed_records_reach_the_optimum(case: Case) -> None:
    """So it does for nominal and ordinal columns, whose averages are no means."""
    matrix = case.matrix.rows(np.arange(min(case.matrix.n, 8)))
    k = max(2, min(case.k, matrix.n))
    if matrix.n < k:
        return
    space = Space.of(matrix)
    fit = covey.Refine(k=k, steps=60_000).fit(matrix)
    least = reference.least_sse(space.values, k, scales_of(space))
    assert fit.sse_ == pytest.approx(least, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_no_single_move_makes_it_better(seed: int) -> None:
    """What is left allows no relocation and no swap that lowers the SSE: every record here neighbours every other."""
    X = gaussian(16, 2, seed)
    fit = covey.Refine(k=3, steps=30_000, seed=seed).fit(X)
    scales = scales_of(Space.of(Matrix.of(X)))
    least = min(reference.sse(X, labels, scales) for labels in reference.single_moves(fit.labels_.tolist(), 3))
    assert fit.sse_ <= least + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_one_column(seed: int) -> None:
    """In one column it comes within two hundredths of the optimum that Univariate finds, and not below."""
    X = gaussian(60, 1, seed)
    least = covey.Univariate(3).fit(X).sse_
    assert least * (1 - 1e-9) <= covey.Refine(k=3, steps=1_000_000).fit(X).sse_ <= 1.02 * least


@pytest.mark.parametrize("k", [3, 5])
def test_it_pays(k: int) -> None:
    """On N(0, I) in 3 columns it lowers the SSE of MDAV by a tenth and more."""
    X = gaussian(600, 3)
    fit = covey.Refine(covey.MDAV(k), steps=1_000_000).fit(X)
    assert fit.sse_ < 0.9 * fit.base_sse_


@given(
    steps=st.lists(st.integers(0, 400_000), min_size=2, max_size=3, unique=True),
    seed=st.integers(0, 3),
    mixed=st.booleans(),
)
@settings(max_examples=10)
def test_more_steps_are_never_worse(steps: list[int], seed: int, mixed: bool) -> None:
    """With the same seed, a larger budget of steps gives an SSE that is at most the smaller's."""
    matrix = mixed_records(60, seed) if mixed else Matrix.of(gaussian(150, 3, seed))
    found = [covey.Refine(k=3, steps=count, seed=seed).fit(matrix).sse_ for count in sorted(steps)]
    assert found == sorted(found, reverse=True)


def test_the_same_steps_give_the_same_labels() -> None:
    """Seed and steps decide the labels; another seed is another search."""
    X = gaussian(300, 3)
    labels = [covey.Refine(k=4, steps=200_000, seed=seed).fit_predict(X).tolist() for seed in (1, 1, 2)]
    assert labels[0] == labels[1] != labels[2]


def test_known_labels() -> None:
    """They are the same on every platform: these are of the day when this was written."""
    X = np.array([[i * 7919 % 104729 % 97, i * 104729 % 7919 % 89] for i in range(400)], dtype=float)
    labels = covey.Refine(k=5, steps=200_000, seed=5).fit(X).labels_
    assert labels[:30].tolist() == KNOWN
    assert int(np.sum(labels * np.arange(400) % 1009)) == SUM


KNOWN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 26, 27, 28]
SUM = 192570


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e100, 1e300])
def test_scales(scale: float) -> None:
    """Scaling by a power of two changes no label, and any other scale keeps the SSE in proportion."""
    X = gaussian(100, 2)
    plain = covey.Refine(k=3, steps=100_000).fit(X)
    power = 2.0 ** np.floor(np.log2(scale))
    assert covey.Refine(k=3, steps=100_000).fit(X * power).labels_.tolist() == plain.labels_.tolist()
    fit = covey.Refine(k=3, steps=100_000).fit(X * scale)
    assert_refined(fit, Matrix.of(X), 3)


@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_offsets(offset: float) -> None:
    """An offset far from the spread costs nothing: the result is within a percent of that without it."""
    X = gaussian(200, 2)
    plain, moved = (covey.Refine(k=3, steps=300_000).fit(X + shift).sse_ for shift in (0.0, offset))
    assert moved == pytest.approx(plain, rel=0.02)


def test_records_all_alike() -> None:
    """Where nothing can be lowered nothing is, and the search ends."""
    fit = covey.Refine(k=3, steps=20_000).fit(np.full((50, 2), 0.1))
    assert fit.sse_ == fit.base_sse_ == 0.0
    assert fit.sizes_.min() >= 3


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 8, 9, 10, 11])
def test_small_numbers(n: int) -> None:
    """n of k … 4k, and cells of 2k or more are split."""
    fit = covey.Refine(np.zeros(n, dtype=int), k=2, steps=5000).fit(gaussian(n, 2))
    assert_refined(fit, Matrix.of(gaussian(n, 2)), 2)
    assert fit.sizes_.max() < 4


def test_large_cells() -> None:
    """Cells of hundreds of records, too, and one cell of all is cut and refined."""
    X = gaussian(2000, 2)
    refined = covey.Refine(covey.MDAV(100), steps=1_000_000).fit(X)
    assert refined.sse_ < 0.95 * refined.base_sse_
    assert refined.sizes_.min() >= 100
    whole = covey.Refine(np.zeros(2000, dtype=np.int8), k=100, steps=1_000_000).fit(X)
    assert whole.sse_ < refined.base_sse_


def test_cells_are_numbered_by_their_lowest_rows() -> None:
    """The first record is in cell 0, and each next cell begins at a higher row; within strata, stratum by stratum."""
    X, strata = gaussian(80, 2), np.arange(80) % 2
    labels = covey.Refine(k=3, steps=20_000).fit_predict(X)
    _, first = np.unique(labels, return_index=True)
    assert np.all(np.diff(first) > 0)
    labels = covey.Refine(k=3, steps=20_000).fit_predict(X, strata=strata)
    for stratum in (0, 1):
        _, first = np.unique(labels[strata == stratum], return_index=True)
        assert np.all(np.diff(first) > 0)
    assert labels[strata == 0].max() < labels[strata == 1].min()


@pytest.mark.parametrize("base", [None, covey.VMDAV(3), np.arange(90) % 3 + 3 * (np.arange(90) // 45)])
def test_strata(base: Any) -> None:
    """No cell holds records of two strata, whatever the base; each stratum has its share of the steps."""
    X, strata = gaussian(90, 2), np.arange(90) % 3
    fit = covey.Refine(base, k=3, steps=300_000).fit(X, strata=strata)
    assert_refined(fit, Matrix.of(X), 3)
    assert all(len(set(strata[fit.labels_ == cell])) == 1 for cell in range(len(fit.sizes_)))
    assert fit.sse_ < fit.base_sse_
    assert fit.steps_ <= 300_000 + 3 * 100


def test_weights_change_the_centroids_alone() -> None:
    """Labels and the search are those without weights; centroids are weighted."""
    X, weights = gaussian(60, 2), np.linspace(1, 5, 60)
    plain = covey.Refine(k=3, steps=20_000).fit(X)
    weighted = covey.Refine(k=3, steps=20_000).fit(X, weights=weights)
    assert weighted.labels_.tolist() == plain.labels_.tolist()
    members = weighted.labels_ == 0
    np.testing.assert_allclose(weighted.centroids_[0], np.average(X[members], axis=0, weights=weights[members]))


def test_nested_parameters() -> None:
    """The base's parameters are reached as base__k, clones are deep, and the base given is left alone."""
    base = covey.MDAV(4)
    refine = covey.Refine(base, steps=1000)
    assert refine.get_params()["base__tail"] == "split"
    assert "base__tail" not in refine.get_params(deep=False)
    clone = sklearn.base.clone(refine).set_params(base__k=6, steps=10)
    assert (clone.base.k, base.k) == (6, 4)
    assert clone.fit(gaussian(40, 2)).sizes_.min() >= 6
    assert covey.Refine(base, k=5, steps=10).fit(gaussian(40, 2)).sizes_.min() >= 5
    assert base.k == 4
    assert not hasattr(base, "labels_")
    assert eval(repr(refine), vars(covey.partition)).get_params(deep=False)["steps"] == 1000
    with pytest.raises(covey.InvalidInput, match="no parameter 'base__spin'"):
        refine.set_params(base__spin=1)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "both budgets": ({"seconds": 1, "steps": 1}, "one budget"),
    "no time": ({"seconds": 0}, "seconds must be"),
    "negative time": ({"seconds": -1.0}, "seconds must be"),
    "NaN": ({"seconds": float("nan")}, "seconds must be"),
    "for ever": ({"seconds": float("inf")}, "seconds must be"),
    "a text": ({"seconds": "canary-4f1d"}, "seconds must be"),
    "truth": ({"seconds": True}, "seconds must be"),
    "negative steps": ({"steps": -1}, "steps must be"),
    "half a step": ({"steps": 1.5}, "steps must be"),
    "too many steps": ({"steps": 2**62}, "steps must be"),
    "negative seed": ({"seed": -1}, "seed must be"),
    "no seed": ({"seed": None}, "seed must be"),
    "large seed": ({"seed": 2**64}, "seed must be"),
    "no k": ({"k": None}, "k must be"),
    "labels without k": ({"k": None, "base": [0] * 40}, "k must be"),
    "columnwise base": ({"base": covey.IndividualRanking(3)}, "no joint cells"),
    "a class": ({"base": covey.MDAV}, "base must be"),
    "a name": ({"base": "canary-4f1d"}, "base must be"),
    "few labels": ({"base": [0] * 39}, "base must be"),
    "texts": ({"base": ["canary-4f1d"] * 40}, "base must be"),
    "halves": ({"base": [0.5] * 40}, "base must be"),
    "small cells": ({"base": [987654321] + [0] * 39}, "1 cells of the base have fewer than k=3"),
    "another median": ({"base": covey.MDAV(3, ordinal_average="convex")}, "ordinal_average differs"),
    "the base's parameter": ({"base": covey.MDAV(3, tail="canary")}, "unknown tail"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_parameters(case: str) -> None:
    """What cannot be used is refused in one sentence that tells no value."""
    parameters, sentence = BAD[case]
    with pytest.raises(covey.InvalidInput, match=sentence) as caught:
        covey.Refine(**({"k": 3} | parameters)).fit(gaussian(40, 2))
    assert not any(canary in str(caught.value) for canary in ("canary", "987654321"))


def test_cells_of_the_base_within_strata() -> None:
    """Labels whose cells span strata are refused."""
    with pytest.raises(covey.InvalidInput, match="span strata"):
        covey.Refine([0] * 12, k=3, steps=1).fit(gaussian(12, 2), strata=[0, 1] * 6)


@pytest.mark.parametrize(
    ("labels", "k"), [([0, 0, 1], 2), ([0, 0, 2, 2], 2), ([0, 0, -1, 0], 1), ([0, 0, 9, 9], 1), ([0, 0], 1)]
)
def test_the_kernel_refuses_what_is_no_partition(labels: list[int], k: int) -> None:
    """Labels that would end in memory that is not ours are refused by the kernel itself."""
    space = Space.of(Matrix.of(gaussian(max(len(labels), 4), 2)))
    with pytest.raises(ValueError, match="k must be"):
        _core.refine(space.values, space.averages, space.levels, k, np.array(labels), 10, 0.0, 0)


def test_no_steps() -> None:
    """With no step to take, the base is what comes out."""
    X = gaussian(50, 2)
    fit = covey.Refine(covey.MDAV(3), steps=0).fit(X)
    assert fit.sse_ == fit.base_sse_
    assert fit.steps_ == 0


def test_seconds() -> None:
    """A budget of time is kept, and the result is no worse than the base."""
    fit = covey.Refine(k=3, seconds=0.2).fit(gaussian(500, 3))
    assert fit.steps_ > 0
    assert not fit.interrupted_
    assert fit.sse_ < fit.base_sse_


def test_progress() -> None:
    """The callback is told of the part of the budget that is spent, as records of all, to the end; strata share it."""
    for strata in (None, np.arange(500) % 3):
        told: list[tuple[int, int]] = []
        covey.Refine(k=3, seconds=0.5).fit(
            gaussian(500, 3), strata=strata, progress=lambda *args, told=told: told.append(args)
        )
        done = [part for part, _ in told]
        assert done == sorted(done)
        assert len(done) > 2
        assert done[-1] == 500
        assert {total for _, total in told} == {500}


def test_an_exception_in_the_callback_ends_the_fit() -> None:
    """It comes out of `fit` as it was raised."""

    def stop(_done: int, _total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        covey.Refine(k=3, seconds=5).fit(gaussian(500, 3), progress=stop)


@pytest.mark.parametrize("strata", [None, np.arange(500) % 3])
def test_an_interrupt_keeps_the_best_so_far(strata: Any) -> None:
    """KeyboardInterrupt in the search ends it, and what is best by then is the result; later strata keep their base."""

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    fit = covey.Refine(k=3, seconds=60).fit(gaussian(500, 3), strata=strata, progress=stop)
    assert fit.interrupted_
    assert_refined(fit, Matrix.of(gaussian(500, 3)), 3)


def test_an_interrupt_ends_the_blocks_that_the_search_is_a_part_of() -> None:
    """Where there is more to do after a search than the search, KeyboardInterrupt ends all of it."""

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        covey.Blocks(covey.Refine(covey.MDAV(3), seconds=60), size=100).fit(gaussian(500, 3), progress=stop)


def test_blocks_share_the_budget() -> None:
    """Ten blocks that are refined for a second take a second together; given labels are of no use to them."""
    begin = time.monotonic()
    estimator = covey.Blocks(covey.Refine(covey.MDAV(3), seconds=1.0), size=50)
    assert estimator.fit(gaussian(500, 3)).sizes_.min() == 3
    assert time.monotonic() - begin < 5
    assert estimator.with_k(4).k == estimator.with_k(4).fit(gaussian(60, 3)).sizes_.min() == 4
    with pytest.raises(covey.InvalidInput, match="given labels"):
        covey.Blocks(covey.Refine([0] * 40, k=3), size=50).fit(gaussian(40, 3))


CHILD = """
import numpy as np
import covey
X = np.random.default_rng(0).normal(size=(2000, 3))
fit = covey.Refine(k=3, seconds=60).fit(X, progress=lambda done, total: print("ready", flush=True))
print(fit.interrupted_, fit.sse_ < fit.base_sse_, fit.sizes_.min())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
def test_ctrl_c() -> None:
    """Ctrl-C ends a search of a minute at once and keeps what it has found."""
    last, _ = interrupted(CHILD, ready=20)
    assert last == "True True 3"


def test_far_clusters_and_outliers() -> None:
    """Clusters apart by more digits than a difference of sums would survive are each refined within."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 2)) * 1e-3 + np.repeat([0.0, 1e6, -1e6], 40)[:, None]
    fit = covey.Refine(k=4, steps=400_000).fit(X)
    parts = [covey.Refine(k=4, steps=400_000).fit(X[i : i + 40]).sse_ for i in (0, 40, 80)]
    assert fit.sse_ == pytest.approx(sum(parts), rel=0.05)
