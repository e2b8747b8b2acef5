"""What the quasi-identifiers lost, against slow and obvious sums."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey.encoding import encode_column, encode_like
from covey.frames import read_frame
from covey.measures import ColumnLoss, Loss, column_loss, joint_loss
from covey.schema import Column

LEVELS = ("a", "b", "c", "d")
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
REALS = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))


def loss_of(column: Column, before: list[object], after: list[object]) -> ColumnLoss:
    original = encode_column(read_frame(pa.table({"x": pa.array(before)})), column)
    return column_loss(original, encode_like(pa.table({"x": pa.array(after)}), original))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(REALS, REALS), min_size=2, max_size=30).filter(lambda pairs: np.std([a for a, _ in pairs]) > 1)
)
def test_continuous_loss(pairs: list[tuple[float, float]]) -> None:
    """D is the mean squared error over the population variance; bias is in standard deviations."""
    before, after = (list(values) for values in zip(*pairs, strict=True))
    found = loss_of(Column("x", "quasi", "continuous"), before, after)
    n, mean = len(before), math.fsum(before) / len(before)
    variance = math.fsum((x - mean) ** 2 for x in before) / n
    error = math.fsum((x - y) ** 2 for x, y in pairs) / n
    later = math.fsum(after) / n
    assert found.loss.distortion == pytest.approx(error / variance, rel=1e-9, abs=1e-12)
    assert found.bias == pytest.approx((later - mean) / math.sqrt(variance), rel=1e-6, abs=1e-9)
    assert found.variance_ratio == pytest.approx(
        math.fsum((y - later) ** 2 for y in after) / n / variance, rel=1e-6, abs=1e-9
    )
    assert found.changed == sum(x != y for x, y in pairs) / n


@settings(max_examples=100, deadline=None, derandomize=True)
@given(PAIRS)
def test_ordinal_loss(pairs: list[tuple[int, int]]) -> None:
    """Ordinal errors are squared differences of ranks over the number of categories, against the median's."""
    before, after = (list(values) for values in zip(*pairs, strict=True))
    column = Column("x", "quasi", "ordinal", LEVELS)
    found = loss_of(column, [LEVELS[a] for a in before], [LEVELS[b] for b in after])
    median = sorted(before)[(len(before) - 1) // 2]
    assert found.loss.sse == pytest.approx(sum((a - b) ** 2 for a, b in pairs) / 16)
    assert found.loss.sst == pytest.approx(sum((a - median) ** 2 for a in before) / 16)
    assert (found.bias, found.variance_ratio) == (None, None)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(PAIRS)
def test_nominal_loss(pairs: list[tuple[int, int]]) -> None:
    """Nominal errors count the changed values, against those that are not the mode."""
    before, after = (list(values) for values in zip(*pairs, strict=True))
    column = Column("x", "quasi", "nominal", LEVELS)
    found = loss_of(column, [LEVELS[a] for a in before], [LEVELS[b] for b in after])
    assert found.loss.sse == sum(a != b for a, b in pairs)
    assert found.loss.sst == len(before) - max(before.count(level) for level in range(4))
    assert found.changed == found.loss.sse / len(pairs)


def test_missing_values_count_for_nothing() -> None:
    """Records that lack the value have no part in the loss."""
    column = Column("x", "quasi", "continuous")
    assert loss_of(column, [1.0, None, 3.0], [2.0, None, 2.0]) == loss_of(column, [1.0, 3.0], [2.0, 2.0])
    column = Column("x", "quasi", "nominal")
    assert loss_of(column, ["a", None, "b"], ["a", None, "a"]).changed == 0.5


def test_a_constant_column_loses_nothing() -> None:
    """A constant column has no spread: D is 0, and there is no ratio of variances."""
    found = loss_of(Column("x", "quasi", "continuous"), [5.0, 5.0], [5.0, 5.0])
    assert (found.loss, found.loss.distortion, found.bias, found.variance_ratio) == (Loss(0.0, 0.0), 0.0, 0.0, None)


@pytest.mark.parametrize("exponent", [-300, -160, -100, 100, 160, 300])
def test_scale_changes_nothing(exponent: int) -> None:
    """The loss of a column does not change when all its values are scaled."""
    before, after = [1.0, 2.0, 4.0, 9.0], [1.5, 1.5, 6.5, 6.5]
    column, scale = Column("x", "quasi", "continuous"), float(f"1e{exponent}")
    plain = loss_of(column, before, after)
    scaled = loss_of(column, [x * scale for x in before], [x * scale for x in after])
    assert scaled.loss.distortion == pytest.approx(plain.loss.distortion, rel=1e-12)
    assert scaled.bias == pytest.approx(plain.bias, abs=1e-12)
    assert scaled.variance_ratio == pytest.approx(plain.variance_ratio, rel=1e-12)


def test_joint_loss_adds_up() -> None:
    """D of several columns is the sum of their errors over the sum of their spreads."""
    columns = [
        ColumnLoss("x", "continuous", Loss(1.0, 4.0), 0, 1, 1),
        ColumnLoss("y", "nominal", Loss(2.0, 2.0), None, None, 1),
    ]
    assert joint_loss(columns) == Loss(3.0, 6.0)
    assert joint_loss(columns).distortion == 0.5


def test_columns_of_different_kinds_have_no_loss() -> None:
    """A continuous column is not compared with a categorical one."""
    table = read_frame(pa.table({"x": [1, 2]}))
    continuous, nominal = (encode_column(table, Column("x", "quasi", kind)) for kind in ("continuous", "nominal"))
    with pytest.raises(TypeError, match="different kinds"):
        column_loss(continuous, nominal)
