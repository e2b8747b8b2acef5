"""Pictures of a quantizer's cells in two columns: convex polytopes, as the paper's Theorem 3 says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from covey import pictures
from covey.errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SHADES = ("#4e79a7", "#a0cbe8", "#59a14f", "#8cd17d", "#f1ce63", "#ffbe7d", "#e15759", "#ff9d9a", "#b07aa1", "#d4a6c8")
MOST_OBLONG = 3
MOST_RECORDS = 20_000  # drawn; more would only blacken the paper


def polygons(points: Floats, costs: Floats, box: Floats) -> list[Floats]:
    """The cell of each point within a box of two corners, as the corners of a polygon in order; empty if it has none.

    Time: O(m²) cuts, each in the corners of the polygon so far.
    """
    (left, bottom), (right, top) = box
    whole = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    norms = np.sum(np.square(points), axis=1)
    cells = []
    for q, point in enumerate(points):
        cell = whole
        for r in np.argsort(np.sum(np.square(points - point), axis=1)):
            if r != q and len(cell):
                cell = _cut(cell, 2 * (points[r] - point), norms[r] - norms[q] + costs[r] - costs[q])
        cells.append(cell)
    return cells


def _cut(polygon: Floats, normal: Floats, limit: float) -> Floats:
    """The part of a convex polygon where normal·x ≤ limit."""
    over = polygon @ normal - limit
    if np.all(over <= 0):
        return polygon
    corners = []
    for i, corner in enumerate(polygon):
        before = i - 1
        if (over[before] <= 0) != (over[i] <= 0):
            share = over[before] / (over[before] - over[i])
            corners.append(polygon[before] + share * (corner - polygon[before]))
        if over[i] <= 0:
            corners.append(corner)
    return np.asarray(corners).reshape(-1, 2)


def _shades(cells: list[Floats]) -> list[int]:
    """A shade for each cell that none of its neighbours has, where there are enough of them."""
    shades: list[int] = []
    corners = [{tuple(corner) for corner in cell.round(9).tolist()} for cell in cells]
    for q, own in enumerate(corners):
        taken = {shades[r] for r in range(q) if own & corners[r]}
        free = [shade for shade in range(len(SHADES)) if shade not in taken]
        shades.append(free[q % len(free)] if free else q % len(SHADES))
    return shades


def draw_cells(points: Floats, costs: Floats, centroids: Floats, path: str | Path, X: Floats | None = None) -> None:
    """Draw the cells of points and costs, centroids and, if given, records, as PNG or SVG by the suffix of the path.

    Raises
    ------
    InvalidInput
        There are other than two columns, the suffix is of no such format, or matplotlib is not installed.
    """
    if points.shape[1] != 2:
        raise InvalidInput(f"cells are drawn in two columns, and the quantizer has {points.shape[1]}")
    if X is not None and X.shape[1] != 2:
        raise InvalidInput(f"records to draw have {X.shape[1]} columns, the quantizer 2")
    pictures.require(Path(path).suffix.lower().removeprefix("."))
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 (an extra)
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    seen = centroids if X is None else X
    margin = 0.05 * np.ptp(seen, axis=0) + 1e-12
    box = np.array([seen.min(axis=0) - margin, seen.max(axis=0) + margin])
    # Distances look as they are where the columns are of like extent; else the picture fills the paper.
    width, height = box[1] - box[0]
    equal = 1 / MOST_OBLONG <= height / width <= MOST_OBLONG
    figure = Figure(figsize=(7, 7 * float(np.clip(height / width, 0.5, 1.6)) if equal else 6), layout="constrained")
    axes = figure.add_subplot()
    cells = polygons(points, costs, box)
    shades = [SHADES[shade] for shade in _shades(cells)]
    axes.add_collection(PolyCollection(cells, facecolors=shades, edgecolors="#333333", linewidths=0.7, alpha=0.55))
    if X is not None:
        some = X[:: max(1, len(X) // MOST_RECORDS)]
        size = float(np.clip(60 / np.sqrt(len(some)), 0.6, 4))
        axes.plot(some[:, 0], some[:, 1], ".", color="#222222", markersize=size, markeredgewidth=0, rasterized=True)
    axes.plot(*centroids.T, "o", color="white", markeredgecolor="#111111", markersize=4.5)
    axes.set(
        xlim=box[:, 0],
        ylim=box[:, 1],
        xlabel="first column",
        ylabel="second column",
        aspect="equal" if equal else "auto",
    )
    axes.set_title(f"{len(cells)} cells by least d + c")
    figure.savefig(Path(path), dpi=150)
