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


def draw_cells(points: Floats, costs: Floats, centroids: Floats, path: str | Path, X: Floats | None = None) -> None:
    """Draw the cells of points and costs, centroids and, if given, records, as PNG or SVG by the suffix of the path.

    Raises
    ------
    InvalidInput
        There are other than two columns, the suffix is of no such format, or matplotlib is not installed.
    """
    if points.shape[1] != 2:
        raise InvalidInput(f"cells are drawn in two columns, and the quantizer has {points.shape[1]}")
    pictures.require(Path(path).suffix.lower().removeprefix("."))
    from matplotlib.collections import PolyCollection  # noqa: PLC0415 (an extra)
    from matplotlib.figure import Figure  # noqa: PLC0415 (an extra)

    seen = centroids if X is None else X
    margin = 0.05 * np.ptp(seen, axis=0) + 1e-12
    box = np.array([seen.min(axis=0) - margin, seen.max(axis=0) + margin])
    figure = Figure(figsize=(7, 7), layout="constrained")
    axes = figure.add_subplot()
    cells = polygons(points, costs, box)
    shades = [SHADES[q % len(SHADES)] for q in range(len(cells))]
    axes.add_collection(PolyCollection(cells, facecolors=shades, edgecolors="#333333", linewidths=0.7, alpha=0.55))
    if X is not None:
        some = X[:: max(1, len(X) // MOST_RECORDS)]
        axes.plot(some[:, 0], some[:, 1], ",", color="#222222", alpha=0.35, rasterized=True)
    axes.plot(*centroids.T, "o", color="white", markeredgecolor="#111111", markersize=4.5)
    axes.set(xlim=box[:, 0], ylim=box[:, 1], xlabel="first column", ylabel="second column", aspect="equal")
    axes.set_title(f"{len(cells)} cells by least d + c")
    figure.savefig(Path(path), dpi=150)
