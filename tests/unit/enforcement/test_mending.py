"""The kernel against the reference: the same steps, on small random tables with ties, one criterion or two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import _core
from tests.reference import enforcement as slow

Asked = tuple[_core.Shortfall, tuple[slow.Shortfall, list[int]]]
LOOKS = 10_000


def line(codes: np.ndarray[Any, Any], levels: int, *, even: bool) -> list[np.ndarray[Any, Any]]:
    """The distribution function of all, the area under it, and the places of the values."""
    reached = np.cumsum(np.bincount(codes, minlength=levels)) / len(codes)
    places = np.arange(levels) if even else np.arange(levels) ** 2
    places = places / (places[-1] or 1.0)
    return [reached, np.append(0.0, np.cumsum(reached[:-1] * np.diff(places))), places]


def distinct(codes: Any, levels: int, p: int) -> Asked:
    return _core.distinct(codes, levels, p), (slow.Distinct(p), codes.tolist())


def entropy(codes: Any, levels: int, l: float) -> Asked:  # noqa: E741
    return _core.entropy(codes, levels, l), (slow.Entropy(l), codes.tolist())


def recursive(codes: Any, levels: int, c: float, l: int) -> Asked:  # noqa: E741
    return _core.recursive(codes, levels, c, l), (slow.Recursive(c, l), codes.tolist())


def equal(codes: Any, levels: int, t: float) -> Asked:
    shares = np.bincount(codes, minlength=levels) / len(codes)
    return _core.equal(codes, t, shares), (slow.Equal(t, shares.tolist()), codes.tolist())


def ordered(codes: Any, levels: int, t: float, *, even: bool = True) -> Asked:
    parts = line(codes, levels, even=even)
    return _core.ordered(codes, t, *parts), (slow.Ordered(t, *(part.tolist() for part in parts)), codes.tolist())


CRITERIA: dict[str, Callable[[Any, int], Asked]] = {
    "p = 2": lambda codes, levels: distinct(codes, levels, 2),
    "p = 3": lambda codes, levels: distinct(codes, levels, 3),
    "entropy l = 1.5": lambda codes, levels: entropy(codes, levels, 1.5),
    "entropy l = 2.5": lambda codes, levels: entropy(codes, levels, 2.5),
    "recursive l = 1, c = 1.5": lambda codes, levels: recursive(codes, levels, 1.5, 1),
    "recursive l = 2, c = 2": lambda codes, levels: recursive(codes, levels, 2.0, 2),
    "recursive l = 3, c = 1.5": lambda codes, levels: recursive(codes, levels, 1.5, 3),
    "t = 0.2, equal": lambda codes, levels: equal(codes, levels, 0.2),
    "t = 0.1, ordered": lambda codes, levels: ordered(codes, levels, 0.1),
    "t = 0.05, numeric": lambda codes, levels: ordered(codes, levels, 0.05, even=False),
}


@st.composite
def given_cells(draw: st.DrawFn) -> tuple[Any, Any, int]:
    """Points with ties or without, in cells of k records or some more."""
    k = draw(st.integers(1, 4))
    labels = [c for c in range(draw(st.integers(1, 8))) for _ in range(draw(st.integers(k, k + 3)))]
    labels = np.array(draw(st.permutations(labels)))
    d = draw(st.integers(1, 3))
    sevenths = st.integers(0, 9).map(lambda x: x / 7)
    values = draw(st.sampled_from([st.integers(0, 3).map(float), st.floats(-9, 9), st.just(1.0), sevenths]))
    points = draw(st.lists(values, min_size=len(labels) * d, max_size=len(labels) * d))
    return np.array(points).reshape(len(labels), d), labels, k


def drawn_codes(data: st.DataObject, n: int) -> tuple[Any, int]:
    """The values of a confidential column, some of which need not occur."""
    levels = data.draw(st.integers(1, 12))
    values = st.integers(0, levels - 1) | st.just(0)
    return np.array(data.draw(st.lists(values, min_size=n, max_size=n))), levels


def both_cells(points: Any, labels: Any, k: int, asked: list[Asked]) -> tuple[_core.Mending, slow.Cells]:
    kernel = _core.Mending(points, labels, k, [shortfall for shortfall, _ in asked], 8192)
    return kernel, slow.Cells(points.tolist(), labels.tolist(), k, [reference for _, reference in asked])


@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize("criterion", CRITERIA)
@given(cells=given_cells(), data=st.data())
def test_a_shortfall_is_that_of_the_reference(criterion: str, cells: Any, data: st.DataObject) -> None:
    """Of every cell and after every exchange, move and departure, to the last bit."""
    _, labels, _ = cells
    codes, levels = drawn_codes(data, len(labels))
    kernel, (reference, values) = CRITERIA[criterion](codes, levels)
    for cell in range(labels.max() + 1):
        records = np.flatnonzero(labels == cell)
        inside = [values[i] for i in records]
        assert kernel.whole(records) == reference.whole(inside)
        for into in (None, *range(levels)):
            for out in (None, *inside):
                if into is None and (out is None or len(inside) == 1):
                    continue
                found = kernel.changed(records, -1 if out is None else out, -1 if into is None else into)
                assert found == reference.changed(inside, out, into)
                assert found == pytest.approx(reference.whole(slow.exchanged(inside, out, into)), abs=2e-9)


@settings(max_examples=25, deadline=None)
@pytest.mark.parametrize("criterion", CRITERIA)
@given(cells=given_cells(), data=st.data(), looks=st.sampled_from([0, 3, LOOKS]))
def test_the_same_steps_are_taken(criterion: str, cells: Any, data: st.DataObject, looks: int) -> None:
    """Mended and descended, the labels are those of the reference; no cell is smaller than k, and none falls short."""
    points, labels, k = cells
    asked = [CRITERIA[criterion](*drawn_codes(data, len(labels)))]
    if data.draw(st.booleans()):
        asked.append(CRITERIA[data.draw(st.sampled_from(list(CRITERIA)))](*drawn_codes(data, len(labels))))
    kernel, reference = both_cells(points, labels, k, asked)
    assert kernel.failing == sum(reference.shortfall(cell) > 0 for cell in reference.members)
    done = kernel.mend(looks, 1)
    touched = reference.mend(looks)
    assert done
    assert touched is not None
    assert kernel.labels().tolist() == reference.labels()
    everywhere = data.draw(st.booleans())
    before = kernel.squared_errors
    kernel.descend(50, everywhere)
    reference.descend(set(range(labels.max() + 1)) if everywhere else touched, 50)
    assert kernel.labels().tolist() == reference.labels()
    assert kernel.squared_errors == pytest.approx(reference.squared_errors(), rel=1e-12, abs=1e-300)
    assert kernel.squared_errors <= before
    assert kernel.failing == 0 or kernel.count == 1
    assert np.bincount(kernel.labels()).min() >= k


def test_large_cells_take_the_same_steps() -> None:
    """Of cells of more than 64 records only the nearest ones move, the same as in the reference."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(3), [70, 66, 75])
    points = np.round(rng.normal(size=(len(labels), 2)) + labels[:, None], 1)
    codes = np.where(labels == 1, 0, rng.integers(0, 3, len(labels)))
    kernel, reference = both_cells(points, labels, 60, [ordered(codes, 3, 0.16)])
    assert kernel.failing
    kernel.mend(LOOKS, 1)
    reference.mend(LOOKS)
    assert kernel.labels().tolist() == reference.labels()
    assert kernel.count > 1


@settings(max_examples=50, deadline=None)
@given(cells=given_cells(), data=st.data())
def test_it_is_given_up_where_the_reference_gives_up(cells: Any, data: st.DataObject) -> None:
    """With fewer cells than are wanted, both give up."""
    points, labels, k = cells
    kernel, reference = both_cells(points, labels, k, [entropy(*drawn_codes(data, len(labels)), 2.5)])
    fewest = data.draw(st.integers(1, 8))
    assert kernel.mend(LOOKS, fewest) == (reference.mend(LOOKS, fewest) is not None)


def test_a_tree_of_means_forgets_no_cell() -> None:
    """Where a tree finds the neighbours, cells that end are left out, and every record is in one cell of k or more."""
    rng = np.random.default_rng(8)
    points = rng.normal(size=(2000, 2))
    labels = np.argsort(np.argsort(points[:, 0], kind="stable"), kind="stable") // 4
    codes = (rng.random(2000) < 0.08).astype(np.int64)
    found = []
    for scanned in (8, 8192):
        kernel = _core.Mending(points, labels, 4, [distinct(codes, 2, 2)[0]], scanned)
        assert kernel.mend(LOOKS, 1)
        kernel.descend(100, everywhere=True)
        assert kernel.failing == 0
        sizes = np.bincount(kernel.labels())
        assert sizes.min() >= 4
        assert len(sizes) == kernel.count
        found.append(kernel.squared_errors)
    assert found[0] == pytest.approx(found[1], rel=0.1)


def test_what_would_end_in_memory_that_is_not_ours_is_refused() -> None:
    """Codes beyond the levels, labels of empty cells and values of another number of records raise."""
    points, labels = np.zeros((4, 1)), np.array([0, 0, 1, 1])
    codes = np.array([0, 1, 0, 2])
    with pytest.raises(ValueError, match="k must be"):
        _core.distinct(codes, 2, 2)
    with pytest.raises(ValueError, match="k must be"):
        _core.Mending(points, np.array([0, 0, 2, 2]), 1, [_core.distinct(codes, 3, 2)], 8)
    with pytest.raises(ValueError, match="k must be"):
        _core.Mending(points, labels, 1, [_core.distinct(codes[:3], 3, 2)], 8)
