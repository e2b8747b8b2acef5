"""t-closeness first: cells of one record of each quantile, and the bound of their distance from the table."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import _core
from covey.enforcement.first import cell_size, closeness_first, quantiles
from tests.reference import diversity as slow
from tests.reference import first as plain


def bound(n: int, size: int) -> float:
    """The greatest distance in ranks that a cell with one record of each of `size` quantiles can have."""
    return (n - size) / (2 * (n - 1) * size)


@pytest.mark.parametrize(("width", "size"), [(1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3), (5, 2), (2, 5)])
def test_the_bound_holds_and_is_attained(width: int, size: int) -> None:
    """Of all cells with one record of each quantile, the most distant is exactly as far as the bound says."""
    everybody = list(range(width * size))
    choices = product(*[range(i * width, (i + 1) * width) for i in range(size)])
    distances = [slow.ordered_distance(cell, everybody, len(everybody)) for cell in choices]
    assert max(distances) == pytest.approx(bound(len(everybody), size), abs=1e-12)


@pytest.mark.parametrize(("width", "size"), [(2, 2), (2, 3), (3, 3), (4, 3)])
def test_ties_and_numbers_have_a_bound_too(width: int, size: int) -> None:
    """Whatever the values, the numeric distance of such a cell is at most 1/size − 1/n."""
    rng = np.random.default_rng(1)
    n = width * size
    for _ in range(20):
        values = np.sort(rng.choice([0, 1, 2, 5, 100], n)).tolist()
        choices = product(*[values[i * width : (i + 1) * width] for i in range(size)])
        distances = [slow.numeric_distance(cell, values) for cell in choices]
        assert max(distances) <= 1 / size - 1 / n + 1e-12


@given(n=st.integers(2, 5000), k=st.integers(1, 20), t=st.floats(0, 1))
def test_the_size_is_the_least_that_the_bound_allows(n: int, k: int, t: float) -> None:
    """The bound of the size is t or less, and of one record less it is not, unless k or n set the size."""
    size = cell_size(n, k, t)
    assert min(n, k) <= size <= n
    assert bound(n, size) <= t + 1e-9
    assert size == min(n, k) or bound(n, size - 1) > t - 1e-9


def test_sizes_of_the_paper() -> None:
    """For 1,080 records and t = 0.05, 0.1, 0.25: cells of 10, 5 and 2."""
    assert [cell_size(1080, 2, t) for t in (0.05, 0.1, 0.25)] == [10, 5, 2]


@given(n=st.integers(2, 300), size=st.integers(1, 40))
def test_quantiles_share_the_records_out(n: int, size: int) -> None:
    """Subsets ascend, hold every record once, and all but one or two in the middle are as many as there are cells."""
    size = min(n, size)
    values = np.random.default_rng(n).integers(0, 9, n)
    subsets, cells = quantiles(values, size)
    assert sorted(np.concatenate(subsets).tolist()) == list(range(n))
    assert all(values[a].max() <= values[b].min() for a, b in pairwise(subsets))
    over = np.array([len(rows) - cells for rows in subsets])
    assert over.min() >= 0
    assert over.sum() < cells
    assert set(np.flatnonzero(over)) <= {(len(subsets) - 1) // 2, len(subsets) // 2}


@settings(max_examples=60)
@given(st.data())
def test_every_cell_has_a_record_of_each_quantile(data: st.DataObject) -> None:
    """Cells have one record of each subset, and at most one more; where there is none, they keep the bound."""
    n = data.draw(st.integers(2, 60))
    size = data.draw(st.integers(1, n))
    d = data.draw(st.integers(1, 3))
    points = np.array(data.draw(st.lists(st.integers(0, 4), min_size=n * d, max_size=n * d)), float).reshape(n, d)
    values = np.random.default_rng(n).permutation(n)
    labels = closeness_first(points, values, size)
    subsets, cells = quantiles(values, size)
    counts = np.array([np.bincount(labels[rows], minlength=cells) for rows in subsets])
    assert counts.min() == 1
    assert counts.sum(axis=0).max() <= len(subsets) + 1
    for cell in range(cells):
        mine = values[labels == cell].tolist()
        if n == cells * len(subsets):
            assert slow.ordered_distance(mine, list(range(n)), n) <= bound(n, len(subsets)) + 1e-12


def test_records_near_each_other_share_cells() -> None:
    """Two far clumps with the same values each are not mixed."""
    points = np.array([[0.0], [0.1], [9.0], [9.1], [0.2], [9.2]])
    labels = closeness_first(points, np.array([0, 2, 0, 2, 1, 1]), 3)
    assert labels.tolist() in ([0, 0, 1, 1, 0, 1], [1, 1, 0, 0, 1, 0])


@settings(max_examples=60)
@given(st.data())
def test_the_kernel_takes_the_records_of_the_reference(data: st.DataObject) -> None:
    """Record by record, with ties or without."""
    n = data.draw(st.integers(1, 40))
    size, d = data.draw(st.integers(1, n)), data.draw(st.integers(1, 3))
    values = data.draw(st.sampled_from([st.integers(0, 3).map(float), st.floats(-9, 9)]))
    points = np.array(data.draw(st.lists(values, min_size=n * d, max_size=n * d))).reshape(n, d)
    confidential = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)))
    subsets, cells = quantiles(confidential, size)
    expected = plain.closeness_first(points.tolist(), [rows.tolist() for rows in subsets], cells)
    assert closeness_first(points, confidential, size).tolist() == expected


def test_the_kernel_refuses_what_is_no_partition() -> None:
    """Records twice, or fewer in a subset than there are cells, raise."""
    points = np.zeros((4, 1))
    refused = ([0, 1, 2, 2], [2, 2]), ([0, 1, 2, 3], [1, 3]), ([0, 1, 2, 4], [2, 2]), ([0, 1, 2, 3], [2, 1])
    for order, widths in refused:
        with pytest.raises(ValueError, match="k must be"):
            _core.closeness_first(points, np.array(order), np.array(widths), 2)
