"""Quantizers at work: least d + c, whatever is asked of them."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import covey
from covey import InvalidInput, Quantizer
from covey.polytopes import polygons
from tests.reference.pcl import distances

RNG = np.random.default_rng(9)


@given(seed=st.integers(0, 10**6), m=st.integers(1, 300), d=st.integers(1, 5))
@settings(max_examples=60)
def test_assign_is_the_least(seed: int, m: int, d: int) -> None:
    """Every record goes where d + c is least, the lowest of several: among many cells as among few."""
    rng = np.random.default_rng(seed)
    points = rng.integers(-9, 9, size=(m, d)) / 2 if seed % 2 else rng.normal(size=(m, d))
    costs = rng.integers(0, 4, size=m).astype(float)
    X = rng.integers(-9, 9, size=(50, d)) / 2
    labels = Quantizer.of(points, costs).assign(X)
    values = distances(X, points) + costs - costs.min()
    own = values[np.arange(50), labels]
    assert np.all(own <= values.min(axis=1) * (1 + 1e-12) + 1e-12)


def test_ties_go_to_the_lowest_cell() -> None:
    """A record as near to two points goes to the first."""
    assert Quantizer.of([[1.0], [-1.0]]).assign([[0.0]]).tolist() == [0]


def test_decode() -> None:
    """What is published of a record is the centroid of its cell."""
    quantizer = Quantizer.of([[0.0], [4.0]], centroids=[[0.5], [4.5]])
    assert quantizer.decode(quantizer.assign([[1.0], [9.0]])).tolist() == [[0.5], [4.5]]


def test_cells_are_convex() -> None:
    """Theorem 3: between two records of a cell lie only records of that cell."""
    fit = covey.PCL(k=40).fit(RNG.normal(size=(800, 3)))
    ends = RNG.normal(size=(400, 3))
    labels = fit.quantizer_.assign(ends)
    for cell in range(len(fit.sizes_)):
        members = ends[labels == cell]
        for a, b in itertools.pairwise(members):
            assert set(fit.quantizer_.assign(np.linspace(a, b, 7))) == {cell}


def area(polygon: np.ndarray) -> float:
    """By the shoelace formula."""
    x, y = polygon.reshape(-1, 2).T
    return 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))


def test_polygons_fill_the_box() -> None:
    """The polygons of two columns cover the box once, and hold just the records of their cells."""
    points, costs = RNG.uniform(size=(25, 2)), RNG.uniform(0, 0.02, size=25)
    cells = polygons(points, costs, np.array([[0.0, 0.0], [1.0, 1.0]]))
    areas = [
        0.5 * abs(np.dot(c[:, 0], np.roll(c[:, 1], 1)) - np.dot(c[:, 1], np.roll(c[:, 0], 1))) for c in cells if len(c)
    ]
    assert sum(areas) == pytest.approx(1.0)
    quantizer = Quantizer.of(points, costs)
    for q, cell in enumerate(cells):
        if len(cell):
            assert quantizer.assign(cell.mean(axis=0, keepdims=True)).tolist() == [q]


def test_a_cell_without_room_has_no_polygon() -> None:
    """Where the cost is too high, nothing is left of a cell."""
    cells = polygons(np.array([[0.0, 0.0], [0.1, 0.0]]), np.array([0.0, 99.0]), np.array([[-1.0, -1.0], [1.0, 1.0]]))
    assert [len(cell) for cell in cells] == [4, 0]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_picture(tmp_path: Path, suffix: str) -> None:
    """A quantizer of two columns draws itself."""
    pytest.importorskip("matplotlib")
    X = RNG.normal(size=(500, 2))
    path = tmp_path / f"cells.{suffix}"
    covey.PCL(cells=9).fit(X).quantizer_.draw(path, X)
    assert path.read_bytes()[:4] in (b"\x89PNG", b"<?xm")


def test_pictures_of_other_than_two_columns_are_refused(tmp_path: Path) -> None:
    """Three columns cannot be drawn so."""
    with pytest.raises(InvalidInput, match="two columns"):
        Quantizer.of([[0.0, 1.0, 2.0]]).draw(tmp_path / "cells.png")


@pytest.mark.parametrize(
    ("parts", "match"),
    [
        (([[0.0], [np.nan]],), "NaN or inf"),
        (([[0.0], [1.0]], [0.0, np.inf]), "NaN or inf"),
        (([[0.0], [1.0]], [0.0]), "as many costs"),
        (([[0.0], [1.0]], None, [[0.0]]), "as many costs and centroids"),
    ],
)
def test_bad_parts(parts: tuple[object, ...], match: str) -> None:
    """Parts that do not fit, or are no numbers, are refused."""
    with pytest.raises(InvalidInput, match=match):
        Quantizer.of(*parts)


def test_made_by_hand_it_is_checked_as_well() -> None:
    """Costs that are no numbers, or too few, are refused however a quantizer is made."""
    points = np.zeros((2, 1))
    for costs in (np.array([0.0, np.nan]), np.zeros(3)):
        with pytest.raises(InvalidInput):
            Quantizer(points, costs, points)


@pytest.mark.parametrize("ratios", [[1.0, 2.0], [0.0], [np.nan]])
def test_bad_ratios(ratios: list[float]) -> None:
    """Ratios are positive numbers, one for each record."""
    with pytest.raises(InvalidInput):
        Quantizer.of([[0.0]]).assign([[0.0]], ratios=ratios)


@pytest.mark.parametrize("labels", [[1], [-1], [0.5]])
def test_bad_labels(labels: list[float]) -> None:
    """Labels of no cell have no centroid."""
    with pytest.raises(InvalidInput, match="from 0 to 0"):
        Quantizer.of([[0.0]]).decode(labels)


def test_records_of_other_columns_are_refused() -> None:
    """Records must have the columns of the points."""
    with pytest.raises(InvalidInput, match="records have 2 columns, the quantizer has 1"):
        Quantizer.of([[0.0]]).assign([[0.0, 1.0]])
