"""Moments before and after, against NumPy's."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey import InvalidInput, Schema

NAMES = ["a", "b", "y"]
KINDS = Schema.of(quasi=["a", "b"], confidential=["y"], continuous=["y"])


def tables(before, after, names=NAMES):
    return tuple(pa.table([pa.array(column) for column in side], names=names) for side in (before, after))


@given(st.integers(0, 2**32), st.sampled_from([0.0, 1e9]), st.sampled_from([1e-150, 1e-3, 1.0, 1e150]))
def test_moments_are_those_of_numpy(seed, offset, scale):
    """Without gaps: means, variances, covariances and correlations, whatever offset and scale."""
    rng = np.random.default_rng(seed)
    plain = rng.integers(-8, 9, size=(3, 20)) + 0.5 * np.eye(3, 20)
    moved = np.vstack([plain[:2, rng.permutation(20)], plain[2:]])
    found = covey.moments_kept(*tables((plain + offset) * scale, (moved + offset) * scale), KINDS)
    for values, means, covariances, correlations in (
        (plain, found.means_before, found.covariances_before, found.correlations_before),
        (moved, found.means_after, found.covariances_after, found.correlations_after),
    ):
        assert means == pytest.approx((values.mean(axis=1) + offset) * scale, rel=1e-12, abs=1e-12 * scale)
        assert np.allclose(np.array(covariances) / scale / scale, np.cov(values, bias=True), rtol=1e-5, atol=1e-5)
        assert np.allclose(np.array(correlations), np.corrcoef(values), rtol=0, atol=1e-6)
    assert found.variances_after == tuple(found.covariances_after[i][i] for i in range(3))
    changes = np.abs(np.corrcoef(moved) - np.corrcoef(plain))
    assert found.within_quasi.mean == pytest.approx(changes[0, 1], abs=1e-6)
    assert found.with_confidential.greatest == pytest.approx(changes[:2, 2].max(), abs=1e-6)
    assert found.overall.mean == pytest.approx((changes[0, 1] + changes[0, 2] + changes[1, 2]) / 3, abs=1e-6)
    assert (found.overall.pairs, found.within_quasi.pairs, found.with_confidential.pairs) == (3, 1, 2)


def test_gaps_are_left_out_pair_by_pair():
    """A covariance is over the records that have both values, on each side its own."""
    before = [[1.0, 2.0, None, 4.0, 9.0], [2.0, None, 1.0, 7.0, 3.0], [1.0, 2.0, 3.0, 4.0, None]]
    found = covey.moments_kept(*tables(before, before), KINDS)
    assert found.means_before == (4.0, 3.25, 2.5)
    both = np.array([[1.0, 4.0, 9.0], [2.0, 7.0, 3.0]])
    assert found.covariances_before[0][1] == pytest.approx(np.cov(both, bias=True)[0, 1])
    assert found.correlations_before[1][0] == pytest.approx(np.corrcoef(both)[0, 1])
    assert found.overall == covey.measures.moments.CorrelationChange(3, 0.0, 0.0)


def test_constant_columns_have_no_correlation():
    """A pair without one in the original is not counted; one that lost it counts as having become 0."""
    flat, rising, falling = [3.0] * 4, [1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]
    found = covey.moments_kept(*tables([flat, rising, falling], [flat, [2.5] * 4, falling]), KINDS)
    assert found.correlations_before[0] == (None, None, None)
    assert found.correlations_before[1][2] == pytest.approx(-1.0)
    assert found.correlations_after[1] == (None, None, None)
    assert found.variances_after[:2] == (0.0, 0.0)
    assert found.overall.pairs == found.with_confidential.pairs == 1
    assert found.overall.greatest == pytest.approx(1.0)
    assert found.within_quasi == covey.measures.moments.CorrelationChange(0, 0.0, 0.0)


def test_what_no_record_has_is_none():
    """A released column without any value has no mean; two columns never there together no covariance."""
    before = [[1.0, 2.0, None, None], [None, None, 3.0, 5.0], [1.0, 2.0, 3.0, 5.0]]
    after = [pa.array([None] * 4, pa.float64()), before[1], before[2]]
    found = covey.moments_kept(*tables(before, after), KINDS)
    assert found.means_after[0] is None
    assert found.variances_after[0] is None
    assert found.covariances_before[0][1] is None
    assert found.correlations_before[0][1] is None


def test_large_offsets_cost_no_digits():
    """Whole numbers near 2**60, whose squares no float tells apart, and moments in time."""
    base = 2**60
    times = pa.array([10**15, 10**15 + 2, 10**15 + 4], pa.timestamp("us"))
    table = pa.table({"a": [base, base + 1, base + 2], "b": times, "y": [1.0, 2.0, 4.0]})
    found = covey.moments_kept(table, table, KINDS)
    assert found.variances_before[0] == pytest.approx(2 / 3)
    assert found.correlations_before[0][1] == pytest.approx(1.0)
    assert found.means_before[0] == float(base + 1)


@pytest.mark.parametrize(("scale", "variance"), [(1e300, float("inf")), (1e-300, 0.0)])
def test_what_no_float_holds_is_said(scale, variance):
    """Variances out of range are infinite or 0, correlations are right all the same, and JSON has null."""
    columns = np.array([[1.0, 2.0, 4.0], [3.0, -2.0, -5.0], [1.0, 0.0, 1.0]])
    found = covey.moments_kept(*tables(columns * scale, columns * scale), KINDS)
    assert found.variances_before == (variance,) * 3
    assert np.allclose(np.array(found.correlations_before), np.corrcoef(columns))
    assert (
        repr(found) == "MomentsKept(records=3, columns=3, correlations=3, greatest_change=0.0000, mean_change=0.0000)"
    )
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["variances_before"] == [None if variance else 0.0] * 3
    assert plain["overall"] == {"pairs": 3, "greatest": 0.0, "mean": 0.0}


def test_only_continuous_columns_have_moments():
    """Confidential columns that are not continuous are left out, and a schema without any continuous one refused."""
    table = pa.table({"a": [1, 2, 4], "s": ["x", "y", "x"], "y": [1, 2, 3], "z": [0.5, 1.0, 2.0]})
    schema = Schema.of(quasi=["a", "s"], nominal=["s"], confidential=["y", "z"], continuous=["z"])
    found = covey.moments_kept(table, table, schema)
    assert (found.columns, found.quasi) == (("a", "z"), ("a",))
    with pytest.raises(InvalidInput, match="no continuous quasi-identifier"):
        covey.moments_kept(table, table, Schema.of(quasi=["s"], nominal=["s"]))
    with pytest.raises(InvalidInput, match=r"schema must be a covey\.Schema"):
        covey.moments_kept(table, table, None)


def test_withheld_records_count_on_neither_side():
    """Both sides are of the released records."""
    before, after = tables([[1.0, 3.0, 99.0]], [[2.0, 2.0]], ["a"])
    found = covey.moments_kept(before, after, Schema.of(quasi=["a"]), rows=[1, 0])
    assert (found.means_before, found.means_after, found.records) == ((2.0,), (2.0,), 2)
