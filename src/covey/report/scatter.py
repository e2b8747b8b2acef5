"""Two columns against each other: the cells as published and, where they may be shown, the records in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.report.columns import Categories
from covey.report.page import Html, count, element, join, shortened
from covey.report.style import HUES
from covey.report.svg import Axis, across, label, line, path, picture, short, upward

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.matrix import Floats, Labels, Mask
    from covey.report.columns import Shown

MOST = 900  # records or cells drawn
WIDTH, HEIGHT, LEFT, BOTTOM = 680.0, 460.0, 74.0, 408.0
MOST_NAMED, ROOM = 12, 10  # categories named along an axis, and letters of each


def drawn_records(cells: Labels, usable: Mask, most: int = MOST) -> Labels:
    """The records to draw, at most so many: whole cells as they come by lot, the same each time."""
    rows = np.flatnonzero(usable)
    if rows.size <= most:
        return rows
    _, own, sizes = np.unique(cells[rows], return_inverse=True, return_counts=True)
    lot = np.random.default_rng(0).permutation(sizes.size)
    chosen = np.zeros(sizes.size, dtype=bool)
    chosen[lot[np.cumsum(sizes[lot]) <= most]] = True
    return rows[chosen[own]] if chosen.any() else rows[:most]


def records_picture(x: Shown, y: Shown, cells: Labels) -> tuple[Html, int]:
    """Records as dots, each joined to the values that are published for it; and how many there are."""
    before = _places(x, x.before, 0), _places(y, y.before, 1)
    after = _places(x, x.after), _places(y, y.after)
    usable = np.all([np.isfinite(part) for part in (*before, *after)], axis=0)
    rows = drawn_records(cells, usable)
    axes = _axes(x, y, [(before[0][rows], before[1][rows]), (after[0][rows], after[1][rows])])
    dots, centres = (
        [axis.place(part[rows]) for axis, part in zip(axes, parts, strict=True)] for parts in (before, after)
    )
    hues = cells[rows] % HUES
    layers = [_spokes(dots, centres, hues), _dots(dots, hues), _diamonds(centres, hues)]
    said = (
        f"Scatter of {count(rows.size, 'record')} in {count(np.unique(cells[rows]).size, 'cell')} by"
        f" {shortened(x.name)} (across) and {shortened(y.name)} (upward): each original record is a dot, joined by a"
        " line to the diamond at the values that are published for it."
    )
    return _frame(x, y, axes, said, layers), rows.size


def cells_picture(x: Shown, y: Shown) -> tuple[Html, int]:
    """Published values as circles whose area is the number of records there; and how many circles there are."""
    after = np.column_stack([_places(x, x.after), _places(y, y.after)])
    after = after[np.isfinite(after).all(axis=1)]
    points, sizes = np.unique(after, axis=0, return_counts=True)
    if len(points) > MOST:
        lot = np.sort(np.random.default_rng(0).permutation(len(points))[:MOST])
        points, sizes = points[lot], sizes[lot]
    axes = _axes(x, y, [(points[:, 0], points[:, 1])])
    xs, ys = axes[0].place(points[:, 0]), axes[1].place(points[:, 1])
    largest = 14.0 if len(points) < 200 else 8.0
    radii = np.maximum(1.6, largest * np.sqrt(sizes / sizes.max(initial=1)))
    circles = [
        element("circle", cx=short(a), cy=short(b), r=short(r), class_="bubble")
        for a, b, r in zip(xs, ys, radii, strict=True)
    ]
    said = (
        f"Published values of {shortened(x.name)} (across) and {shortened(y.name)} (upward):"
        f" {count(len(points), 'circle')}, the larger the more records share the values, at most"
        f" {count(sizes.max(initial=0), 'record')}."
    )
    return _frame(x, y, axes, said, [element("g", *circles, class_="mark hue-0", fill_opacity=".55")]), len(points)


def _places(column: Shown, values: Floats | Labels | None, jitter: int | None = None) -> Floats:
    """Where values are on their axis; categories side by side, original ones spread a little around their place."""
    if values is None:
        raise TypeError("there are no such values")
    if not isinstance(column, Categories):
        return np.asarray(values, dtype=np.float64)
    places = np.where(values < 0, np.nan, values).astype(np.float64)
    if jitter is not None:
        places += 0.5 * (np.random.default_rng(jitter).random(len(places)) - 0.5)
    return places


def _axes(x: Shown, y: Shown, points: list[tuple[Floats, Floats]]) -> tuple[Axis, Axis]:
    spans = [np.concatenate([pair[i] for pair in points]) for i in range(2)]
    found = []
    for column, values, start, end in ((x, spans[0], LEFT + 12, WIDTH - 16), (y, spans[1], BOTTOM - 12, 20.0)):
        low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
        if isinstance(column, Categories):
            low, high = -0.5, len(column.levels) - 0.5
        if low > high:
            low, high = 0.0, 1.0
        found.append(Axis(low, high, start, end))
    return found[0], found[1]


def _ticks(column: Shown, axis: Axis, most: int) -> list[tuple[float, str]]:
    if not isinstance(column, Categories):
        return [(value, column.said(value)) for value in axis.ticks(most)]
    step = -(-len(column.levels) // MOST_NAMED)
    return [(float(i), shortened(column.levels[i], ROOM)) for i in range(0, len(column.levels), max(1, step))]


def _frame(x: Shown, y: Shown, axes: tuple[Axis, Axis], said: str, layers: list[Html]) -> Html:
    return picture(
        WIDTH,
        HEIGHT,
        said,
        upward(axes[1], LEFT, _ticks(y, axes[1], 6), WIDTH - 8),
        across(axes[0], BOTTOM, _ticks(x, axes[0], 7), 12.0),
        *layers,
        label(WIDTH - 16, HEIGHT - 12, f"{shortened(x.name, 22)} →", anchor="end", class_="strong"),
        label(4, 10, f"↑ {shortened(y.name, 22)}", anchor="start", class_="strong"),
    )


def _spokes(dots: list[Floats], centres: list[Floats], hues: Labels) -> Html:
    ends = np.column_stack([*dots, *centres])
    apart = np.abs(ends[:, :2] - ends[:, 2:]).max(axis=1, initial=0.0) >= 0.1
    return _by_hue(
        hues, lambda mine: "".join(line(ends[i, [0, 2]], ends[i, [1, 3]]) for i in mine if apart[i]), "spoke"
    )


def _dots(dots: list[Floats], hues: Labels) -> Html:
    def data(mine: Labels) -> str:
        return "".join(f"M{short(float(dots[0][i]))} {short(float(dots[1][i]))}h0" for i in mine)

    return element("g", _by_hue(hues, data, "dot"), stroke_linecap="round", stroke_width="3.6")


def _diamonds(centres: list[Floats], hues: Labels) -> Html:
    def data(mine: Labels) -> str:
        corners = {(short(float(centres[0][i])), short(float(centres[1][i]) - 5)) for i in mine}
        return "".join(f"M{x} {y}l5 5l-5 5l-5-5z" for x, y in sorted(corners))

    return _by_hue(hues, data, "mark bubble")


def _by_hue(hues: Labels, data: Callable[[Labels], str], class_: str) -> Html:
    drawn = ((hue, data(np.flatnonzero(hues == hue))) for hue in range(HUES))
    return join(path(points, f"{class_} hue-{hue}") for hue, points in drawn if points)
