"""Probability-constrained quantizers: exact sizes, and no exchange that would lower the distortion."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn.base
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.utils import estimator_checks

import covey
from covey import InvalidInput, io
from tests.reference import pcl as reference
from tests.unit.partition.strategies import COLUMNS

RNG = np.random.default_rng(5)
PLAIN = ("grid", "wide grid", "unit", "constant", "offset")


@dataclass(frozen=True)
class Case:
    """Records, points of cells, and their sizes."""

    X: np.ndarray
    points: np.ndarray
    sizes: np.ndarray


@st.composite
def cases(draw: st.DrawFn, families: tuple[str, ...] = PLAIN) -> Case:
    m = draw(st.integers(1, 6))
    n = draw(st.integers(m, 30))
    chosen = draw(st.lists(st.sampled_from(families), min_size=1, max_size=3))
    X = np.column_stack([draw(arrays(np.float64, n, elements=COLUMNS[family])) for family in chosen])
    points = np.column_stack([draw(arrays(np.float64, m, elements=COLUMNS[family])) for family in chosen])
    cuts = sorted(draw(st.sets(st.integers(1, n - 1), min_size=m - 1, max_size=m - 1))) if m > 1 else []
    assume(len(np.unique(X.round(9), axis=0)) >= m)
    return Case(X, points, np.diff([0, *cuts, n]))


def pcl(X: np.ndarray, sizes: Any, points: Any, **options: Any) -> covey.PCL:
    return covey.PCL(sizes=list(sizes), start=points, **options).fit(X)


def assert_least(X: np.ndarray, fit: covey.PCL) -> None:
    """Theorem 4: every record's own d + c is the least, up to rounding."""
    quantizer = fit.quantizer_
    values = reference.distances(X, quantizer.points) + quantizer.costs
    own = values[np.arange(len(X)), fit.labels_]
    size = float(np.max(values, initial=0.0)) + float(np.max(X**2, initial=0.0))
    assert np.all(own <= values.min(axis=1) + 1e-12 * size)


@given(case=cases())
def test_transport_is_optimal(case: Case) -> None:
    """Sizes are met exactly, at the least distortion that any assignment of them has."""
    fit = pcl(case.X, case.sizes, case.points, iterations=1)
    assert fit.sizes_.tolist() == case.sizes.tolist()
    distortions = reference.distances(case.X, case.points)
    best = distortions[np.arange(len(case.X)), reference.transport(distortions, case.sizes)].sum()
    # At an offset of 1e9 the squares that the reference takes are rounded, too.
    assert distortions[np.arange(len(case.X)), fit.labels_].sum() == pytest.approx(best, rel=1e-9, abs=1e-6)


@given(case=cases(("grid", "wide grid", "unit")))
def test_theorem_4(case: Case) -> None:
    """At the end every record's own d + c is the least up to ties, and the quantizer gives the fitted labels."""
    fit = pcl(case.X, case.sizes, case.points, iterations=5)
    assert_least(case.X, fit)
    values = reference.distances(case.X, fit.quantizer_.points) + fit.quantizer_.costs
    ordered = np.sort(values, axis=1)
    apart = np.ones(len(case.X), bool) if len(case.sizes) == 1 else ordered[:, 1] - ordered[:, 0] > 1e-9
    assert np.array_equal(fit.quantizer_.assign(case.X)[apart], fit.labels_[apart])


def test_no_exchange_lowers_the_sse() -> None:
    """No two records of different cells would do better in each other's, at the fixed points."""
    X = RNG.normal(size=(300, 2))
    fit = covey.PCL(k=30).fit(X)
    d = reference.distances(X, fit.quantizer_.points)
    own = d[np.arange(300), fit.labels_]
    gain = own[:, None] + own - d[:, fit.labels_] - d[:, fit.labels_].T
    assert gain.max() <= 1e-12


@given(case=cases(), speed=st.sampled_from([0.25, 0.5, 1.0]))
@settings(max_examples=60)
def test_distortion_never_rises(case: Case, speed: float) -> None:
    """The distortion at the reconstruction points never rises from one step to the next; the best step is kept."""
    fit = pcl(case.X, case.sizes, case.points, speed=speed, tolerance=0.0, iterations=30)
    rises = np.diff(fit.distortions_)
    assert np.all(rises <= 1e-12 * (1 + fit.distortions_[0]))
    assert fit.sse_ <= fit.distortions_.min() * case.X.size * (1 + 1e-9) + 1e-6


def test_step_by_step_as_the_paper() -> None:
    """Where no distances tie, the kept partition is one of the reference's, that of the least SSE."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, sizes = rng.normal(size=(60, 2)), np.array([10, 20, 12, 18])
        points = X[rng.choice(60, 4, replace=False)]
        fit = pcl(X, sizes, points, iterations=8, tolerance=0.0)
        cells = reference.pcl(X, points, sizes, 0.5, 8)
        sse = [sum(((X[labels == q] - X[labels == q].mean(axis=0)) ** 2).sum() for q in range(4)) for labels in cells]
        assert fit.sse_ == pytest.approx(min(sse))
        assert any(np.array_equal(fit.labels_, labels) for labels in cells)


@pytest.mark.parametrize(("n", "k", "sizes"), [(23, 5, [6, 6, 6, 5]), (9, 5, [9]), (10, 5, [5, 5]), (15, 5, [5, 5, 5])])
def test_sizes_from_k(n: int, k: int, sizes: list[int]) -> None:
    """⌊n/k⌋ cells, equal in size up to one record."""
    fit = covey.PCL(k=k).fit(RNG.normal(size=(n, 2)))
    assert fit.sizes_.tolist() == sizes


@pytest.mark.parametrize("ratio", [1e-289, 1e-150, 1e150, 1e290])
def test_points_of_another_scale(ratio: float) -> None:
    """Points that are given unimaginably far from the records, or among them, overflow nothing."""
    X = RNG.normal(size=(12, 2)) * ratio
    assert covey.PCL(sizes=[12], start=[[1.0, 1.0]], iterations=3).fit(X).sizes_.tolist() == [12]


def test_sizes_from_cells() -> None:
    """`cells` sets their number."""
    assert covey.PCL(cells=4).fit(RNG.normal(size=(22, 2))).sizes_.tolist() == [6, 6, 5, 5]


@pytest.mark.parametrize("start", ["mdav", "vmdav", "random"])
def test_starts_by_name(start: Any) -> None:
    """Every start ends with cells of at least k, and is repeatable."""
    X = RNG.normal(size=(200, 3))
    fits = [covey.PCL(k=7, start=start).fit(X) for _ in range(2)]
    assert fits[0].sizes_.min() >= 7
    assert np.array_equal(fits[0].labels_, fits[1].labels_)


def test_labels_replicate_their_sizes() -> None:
    """Started from labels alone, cells have the sizes of those; the first step cannot be worse than they are."""
    X = RNG.normal(size=(150, 2))
    base = covey.VMDAV(5, gamma=1.0).fit(X)
    fit = covey.PCL(start=base.labels_).fit(X)
    assert sorted(fit.sizes_) == sorted(base.sizes_)
    assert fit.distortions_[0] * X.size <= base.sse_ * (1 + 1e-12)
    assert fit.sse_ < base.sse_


def test_below_mdav_on_gaussian_records() -> None:
    """65,536 Gaussian records of two columns in 16 cells: 16 % below MDAV, as the paper's Fig. 3 has it."""
    X = np.random.default_rng(1).normal(size=(65_536, 2))
    fit, mdav = covey.PCL(cells=16).fit(X), covey.MDAV(4096).fit(X)
    assert set(fit.sizes_) == {4096}
    assert 0.15 < 1 - fit.sse_ / mdav.sse_ < 0.18


def test_adult_as_in_fig_7(covey_data: Path) -> None:
    """Adult, k = 4000 and 2000: at least 22 % and 32 % below MDAV, every cell at its size."""
    table = io.read_table(covey_data / "adult.csv")
    X = np.column_stack([table[name].to_numpy() for name in ("age", "education_num", "hours_per_week")]).astype(float)
    X = (X - X.mean(0)) / X.std(0)
    for k, gain in ((4000, 0.22), (2000, 0.32)):
        fit = covey.PCL(k=k).fit(X)
        assert set(fit.sizes_) <= {len(X) // (len(X) // k), len(X) // (len(X) // k) + 1}
        assert 1 - fit.sse_ / covey.MDAV(k).fit(X).sse_ >= gain


@pytest.mark.parametrize("family", ["huge", "tiny", "offset", "huge and small", "nearly lost"])
def test_scales(family: str) -> None:
    """Scaled by a power of two, or moved far away, records fall into the same cells of the same sizes."""
    rng = np.random.default_rng(3)
    X = rng.integers(-60, 60, size=(80, 2)).astype(float)
    plain = covey.PCL(k=8).fit(X)
    changed = {
        "huge": X * 2.0**980,
        "tiny": X * 2.0**-1000,
        "nearly lost": X * 2.0**-530,
        "offset": X + 2.0**33,
        "huge and small": np.column_stack([X, np.full(80, 1e16)]),
    }[family]
    fit = covey.PCL(k=8).fit(changed)
    assert fit.sizes_.tolist() == plain.sizes_.tolist()
    if family in ("huge", "tiny", "nearly lost"):
        assert np.array_equal(fit.labels_, plain.labels_)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_loads_and_weights(seed: int) -> None:
    """Loads are met to within the heaviest, and every record's own w·d + v·c is the least."""
    rng = np.random.default_rng(seed)
    n, m = 120, 6
    X, weights, loads = rng.normal(size=(n, 2)), rng.uniform(0.2, 3, n), rng.uniform(0.5, 2, n)
    fit = covey.PCL(cells=m).fit(X, weights=weights, loads=loads)
    held = np.bincount(fit.labels_, loads, m)
    assert np.all(np.abs(held - loads.sum() / m) <= loads.max() * (1 + 1e-9))
    values = reference.distances(X, fit.quantizer_.points) * weights[:, None] + fit.quantizer_.costs * loads[:, None]
    assert np.all(values[np.arange(n), fit.labels_] <= values.min(axis=1) + 1e-9)
    assert np.array_equal(fit.quantizer_.assign(X, ratios=weights / loads), fit.labels_)


def test_equal_weights_and_loads_change_nothing() -> None:
    """Weights and loads that are all alike give the cells of none."""
    X = RNG.normal(size=(90, 2))
    plain = covey.PCL(cells=9).fit(X)
    for given_ in ({"weights": np.full(90, 4.0)}, {"loads": np.full(90, 1.0)}):
        assert np.array_equal(covey.PCL(cells=9).fit(X, **given_).labels_, plain.labels_)


def test_warm_start_takes_fewer_steps() -> None:
    """After some records left and others came, a warm start meets the sizes in a fraction of the steps."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(20_000, 2))
    before = covey.PCL(cells=20).fit(X)
    changed = np.vstack([X[200:], rng.normal(size=(300, 2))])
    cold, warm = covey.PCL(cells=20).fit(changed), covey.PCL(cells=20, start=before.quantizer_).fit(changed)
    assert sorted(warm.sizes_) == [1005] * 20
    steps = [int(np.argmax(fit.distortions_ <= 1.002 * cold.distortions_[-1])) + 1 for fit in (cold, warm)]
    assert steps[1] * 3 <= steps[0]
    assert warm.distortions_.min() <= 1.002 * cold.distortions_[-1]
    assert_least(changed, warm)


def test_the_start_says_how_many_cells() -> None:
    """If nothing else does: a quantizer's, points, or labels of few records."""
    X = RNG.normal(size=(100, 2))
    fitted = covey.PCL(cells=4).fit(X)
    assert covey.PCL(start=fitted.quantizer_).fit(X).sizes_.tolist() == [25] * 4
    assert covey.PCL(start=X[:5]).fit(X).sizes_.tolist() == [20] * 5
    assert sorted(covey.PCL(start=[0, 0, 1, 1]).fit(X[:4]).sizes_) == [2, 2]


def test_k_counts_loads() -> None:
    """Where records have loads, k is a load."""
    fit = covey.PCL(200, start="random").fit(RNG.normal(size=(10, 2)), loads=np.full(10, 100.0))
    assert fit.sizes_.tolist() == [2] * 5


def test_across_a_gap() -> None:
    """Where records must cross a gap beyond all neighbours, sizes are met, and no exchange helps."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(400, 2)) + [[1000.0, 0.0]] * (rng.random((400, 1)) < 0.5)
    for start in ("mdav", "random"):
        fit = covey.PCL(k=5, start=start, iterations=2).fit(X)
        assert set(fit.sizes_) == {5}
        assert_least(X, fit)


def test_points_too_far_to_matter() -> None:
    """Given points so far away that records cannot be told apart from there end the fit all the same."""
    assert covey.PCL(cells=2, start=[[1e160, 0.0], [-1e160, 0.0]]).fit(RNG.normal(size=(100, 2))).sizes_.tolist() == [
        50,
        50,
    ]


@pytest.mark.parametrize("n", [150, 260])
def test_warm_start_with_other_cells(n: int) -> None:
    """When the records allow fewer cells or more, the emptiest go or the fullest are split."""
    X = RNG.normal(size=(200, 2))
    quantizer = covey.PCL(k=10).fit(X).quantizer_
    Y = RNG.normal(size=(n, 2))
    fit = covey.PCL(k=10, start=quantizer).fit(Y)
    assert len(fit.sizes_) == n // 10
    assert fit.sizes_.min() >= 10


def test_strata() -> None:
    """Within strata, k holds in each, no cell mixes them, and there is no single quantizer."""
    X, strata = RNG.normal(size=(120, 2)), np.repeat([0, 1, 2], 40)
    fit = covey.PCL(k=6).fit(X, strata=strata)
    assert fit.sizes_.min() >= 6
    assert all(len(set(strata[fit.labels_ == cell])) == 1 for cell in range(len(fit.sizes_)))
    with pytest.raises(InvalidInput, match="fit them one by one"):
        _ = fit.quantizer_


@pytest.mark.parametrize("options", [{"cells": 4}, {"sizes": [60, 60]}])
def test_only_k_promises_a_least_size(options: dict[str, Any]) -> None:
    """Where a least size is needed, within strata or as the base of Refine, cells and sizes are refused."""
    X = RNG.normal(size=(120, 2))
    with pytest.raises(InvalidInput, match="give k here"):
        covey.PCL(**options).fit(X, strata=np.repeat([0, 1], 60))
    with pytest.raises(InvalidInput, match="give k here"):
        covey.Refine(covey.PCL(**options), steps=10).fit(X)


def test_as_a_base() -> None:
    """Refine and Blocks take it as a base; refined, it loses less."""
    X = np.random.default_rng(6).normal(size=(305, 3))
    refined = covey.Refine(covey.PCL(k=10), steps=2_000_000).fit(X)
    assert refined.sse_ < covey.PCL(k=10).fit(X).sse_ == pytest.approx(refined.base_sse_)
    assert covey.Blocks(covey.PCL(k=10), 100).fit(X).sizes_.min() >= 10


def test_in_a_release() -> None:
    """`anonymize` takes it by name and as an estimator, and recounts what it gives."""
    import pyarrow as pa

    table = pa.table({name: RNG.normal(size=300) for name in "abc"})
    schema = covey.Schema.of(quasi=["a", "b"], confidential=["c"])
    releases = [covey.anonymize(table, schema, k=10, method=m) for m in ("pcl", "mdav")]
    assert releases[0].measures.smallest_cell >= 10
    assert releases[0].measures.distortion < releases[1].measures.distortion
    again = covey.anonymize(table, schema, method=covey.Refine(covey.PCL(k=10, start="random"), steps=1000))
    assert again.measures.smallest_cell >= 10
    assert covey.anonymize(table, schema, method=covey.PCL()).recipe["method"]["k"] == 5
    for method, match in (
        (covey.PCL(cells=9), "give k here"),
        (covey.PCL(start=np.zeros(300, int)), "the recipe tells"),
    ):
        with pytest.raises(InvalidInput, match=match):
            covey.anonymize(table, schema, method=method)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "sizes do not add up": ({"sizes": [10, 9]}, "sizes add up to 19, the records to 20"),
    "size 0": ({"sizes": [20, 0]}, "1 of 2 sizes are below 1"),
    "size −1": ({"sizes": [21, -1]}, "1 of 2 sizes are below 1"),
    "sizes of fractions": ({"sizes": [10.5, 9.5]}, "whole numbers"),
    "no sizes": ({"sizes": []}, "whole numbers, one for each cell"),
    "more cells than records": ({"cells": 21}, "21 cells are more than there are records"),
    "more sizes than records": ({"sizes": [1] * 21}, "21 cells are more than there are records"),
    "k and cells": ({"k": 3, "cells": 4}, "k and cells are given"),
    "k of 0": ({"k": 0}, "k must be at least 1"),
    "cells of 2.5": ({"cells": 2.5}, "cells must be a whole number"),
    "speed 0": ({"speed": 0.0}, "speed must be a number above 0 and at most 1"),
    "speed 1.5": ({"speed": 1.5}, "speed must be"),
    "speed NaN": ({"speed": float("nan")}, "speed must be"),
    "tolerance −1": ({"tolerance": -1.0}, "tolerance must be"),
    "iterations 0": ({"iterations": 0}, "iterations must be at least 1"),
    "unknown solver": ({"solver": "magic"}, "unknown solver"),
    "unknown start": ({"start": "nowhere"}, "unknown start"),
    "points with NaN": ({"cells": 2, "start": [[0.0, np.nan], [1.0, 1.0]]}, "1 values are NaN or inf"),
    "too few points": ({"cells": 3, "start": [[0.0, 0.0], [1.0, 1.0]]}, "expected 3 of 2"),
    "points of other columns": ({"cells": 2, "start": [[0.0], [1.0]]}, "expected 2 of 2"),
    "too few labels": ({"start": [0, 1]}, "one for each of the 20 records"),
    "negative labels": ({"start": [-1] * 20}, "whole numbers from 0"),
    "sizes of one number": ({"sizes": 3}, "one for each cell"),
    "seed −1": ({"seed": -1, "start": "random"}, "seed must be"),
    "ragged start": ({"start": [[1.0, 2.0], [3.0]]}, "different lengths"),
    "n < k": ({"k": 21}, "fewer than k=21"),
}


@pytest.mark.parametrize(("options", "match"), BAD.values(), ids=BAD)
def test_bad_parameters(options: dict[str, Any], match: str) -> None:
    """Each is refused in one sentence."""
    with pytest.raises(InvalidInput, match=match):
        covey.PCL(**options).fit(RNG.normal(size=(20, 2)))


@pytest.mark.parametrize("start", ["mdav", "random"])
def test_fewer_distinct_records_than_cells(start: Any) -> None:
    """Equal records cannot be the points of several cells: refused, with the counts."""
    X = np.repeat(RNG.normal(size=(3, 2)), 10, axis=0)
    with pytest.raises(InvalidInput, match="3 records are distinct, fewer than 6 cells"):
        covey.PCL(k=5, start=start).fit(X)


def test_categories_are_refused() -> None:
    """There is no mean of categories."""
    with pytest.raises(InvalidInput, match="continuous columns only"):
        covey.PCL(k=2).fit(covey.Matrix.of([[0], [1], [0], [1]], ["nominal"]))


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("solver", ["exact", "newton"])
def test_the_contract_of_scikit_learn(solver: Any) -> None:
    """scikit-learn's own checks pass."""
    results = estimator_checks.check_estimator(covey.PCL(k=2, solver=solver), on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    sklearn.base.clone(covey.PCL(start=covey.PCL(k=2).fit(RNG.normal(size=(9, 2))).quantizer_))


def test_progress_ends_at_all() -> None:
    """Progress never falls and ends with all records done."""
    told: list[tuple[int, int]] = []
    covey.PCL(k=50).fit(RNG.normal(size=(2000, 2)), progress=lambda *args: told.append(args))
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert done[-1] == 2000
