"""The pictures: distributions, sizes of cells, correlations, and the curve of what can be traded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.report.columns import Categories, Numbers
from covey.report.page import Html, count, element, figure, join, name, percent, shortened
from covey.report.style import HUES, STRONGEST
from covey.report.svg import Axis, across, bars, label, line, path, picture, plot, short, upward

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.matrix import Floats, Labels
    from covey.report.columns import Shown

WIDTH, HEIGHT = 320.0, 150.0
BINS = 28
QUARTERS = (0.25, 0.5, 0.75)
MOST_LEVELS = 7  # categories with a bar of their own


# Distributions


def distribution(column: Shown) -> Html:
    """How often values occur as published and, where it may be shown, as they were."""
    if isinstance(column, Categories):
        return _category_bars(column)
    return _histogram(column)


def _histogram(column: Numbers) -> Html:
    known = [part[np.isfinite(part)] for part in (column.after, column.before) if part is not None]
    values = np.concatenate(known)
    if not values.size:
        return plot(element("b", name(column.name)), element("p", "No value is published.", class_="note"))
    low, high, cut = _range(values)
    axis = Axis(low, high, 8.0, WIDTH - 8.0)
    edges = np.linspace(axis.start, axis.end, _bins(values, low, high) + 1)
    shares = [np.histogram(axis.place(part), edges)[0] / max(1, part.size) for part in known]
    top = max(float(share.max()) for share in shares)
    scale = Axis(0.0, top, HEIGHT - 24.0, 12.0)
    ends = [(low, ("≤ " if cut[0] else "") + column.said(low)), (high, ("≥ " if cut[1] else "") + column.said(high))]
    parts = [_columns(edges, shares[0], scale, 1.0, "after")]
    if len(known) > 1:
        parts.append(path(_steps(edges, shares[1], scale), "before"))
    summary = "; ".join(
        f"{what}: median {quartiles[1]}, middle half from {quartiles[0]} to {quartiles[2]}"
        for what, part in zip(("published", "original"), known, strict=False)
        for quartiles in [[column.said(float(x)) for x in np.quantile(part, QUARTERS, method="nearest")]]
        if part.size
    )
    words = f"Histogram of {shortened(column.name)} from {ends[0][1]} to {ends[1][1]}. {_capital(summary)}."
    caption = join([element("b", name(column.name)), f" · tallest bar {percent(top)}"])
    return plot(caption, picture(WIDTH, HEIGHT, words, across(axis, HEIGHT - 24.0, ends), *parts))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _range(values: Floats) -> tuple[float, float, tuple[bool, bool]]:
    """From where to where a histogram goes; long tails are gathered in its last bars."""
    low, high = float(values.min()), float(values.max())
    inner = [float(x) for x in np.quantile(values, (0.005, 0.995), method="nearest")]
    if inner[1] > inner[0] and high / 4 - low / 4 > inner[1] - inner[0]:
        return inner[0], inner[1], (low < inner[0], high > inner[1])
    return low, high, (False, False)


def _bins(values: Floats, low: float, high: float) -> int:
    """A bin for each value of few whole numbers, and some thirty otherwise."""
    if low == high:
        return 1
    if high - low < BINS and np.array_equal(values, np.round(values)):
        return int(high - low) + 1
    return BINS


def _columns(edges: Floats, shares: Floats, scale: Axis, gap: float, class_: str) -> Html:
    tops = scale.place(shares)
    return bars(
        (
            (a + gap / 2, y, b - a - gap, scale.start - y)
            for a, b, y, share in zip(edges[:-1], edges[1:], tops, shares, strict=True)
            if share
        ),
        class_,
    )


def _steps(edges: Floats, shares: Floats, scale: Axis) -> str:
    """The outline of a histogram."""
    xs = [edges[0], *np.repeat(edges[1:-1], 2), edges[-1]]
    ys = np.repeat(scale.place(shares), 2)
    return line([edges[0], *xs, edges[-1]], [scale.start, *ys, scale.start])


def _category_bars(column: Categories) -> Html:
    parts = [column.counts(codes) for codes in (column.after, column.before) if codes is not None]
    chosen, rest = _chosen(column, parts[0])
    rows = [(column.levels[i], [part[i] / max(1, part.sum()) for part in parts]) for i in chosen]
    if rest.size:
        said = count(rest.size, "other category", "other categories")
        rows.append((said, [part[rest].sum() / max(1, part.sum()) for part in parts]))
    if not rows:
        return plot(element("b", name(column.name)), element("p", "No value is published.", class_="note"))
    height = 24.0 * len(rows) + 4
    scale = Axis(0.0, max(max(shares) for _, shares in rows) or 1.0, 0.0, 150.0)
    drawn = [_category_row(4 + 24.0 * i, level, shares, scale) for i, (level, shares) in enumerate(rows)]
    said = "; ".join(
        f"{shortened(level, 30)} {percent(shares[0])}" + (f" (was {percent(shares[1])})" if len(shares) > 1 else "")
        for level, shares in rows
    )
    words = f"Bars of {shortened(column.name)}, share of the records as published: {said}."
    caption = join([element("b", name(column.name)), f" · {count(len(column.levels), 'category', 'categories')}"])
    return plot(caption, picture(WIDTH, height, words, *drawn))


def _chosen(column: Categories, published: Labels) -> tuple[Labels, Labels]:
    """The categories with a bar of their own, in order, and the others; the most frequent are chosen."""
    everyone = np.arange(len(column.levels))
    if len(everyone) <= MOST_LEVELS + 1:
        return everyone, everyone[:0]
    chosen = np.sort(np.argsort(-published, kind="stable")[:MOST_LEVELS])
    return chosen, np.setdiff1d(everyone, chosen)


def _category_row(y: float, level: str, shares: Sequence[float], scale: Axis) -> Html:
    widths = [float(scale.place(share)) for share in shares]
    thick = 14.0
    parts = [
        label(116, y + 11, shortened(level, 18), anchor="end"),
        bars([(122, y, max(0.8, widths[0]), thick)] if shares[0] else [], "after"),
    ]
    if len(shares) > 1:
        parts.append(path(f"M{short(122 + widths[1])} {short(y - 2.5)}v{short(thick + 5)}", "before"))
    parts.append(label(128 + max(widths), y + 11, percent(shares[0]), anchor="start", class_="strong"))
    return join(parts)


# Cells


def sizes_histogram(sizes: Labels, k: int) -> Html:
    """How many cells there are of each size."""
    low, high = int(sizes.min()), int(sizes.max())
    width, height, bottom = 640.0, 210.0, 176.0
    step = max(1, -(-(high - low + 1) // 40))
    bins = -(-(high - low + 1) // step)
    counts = np.bincount((sizes - low) // step, minlength=bins)
    top = int(counts.max())
    scale = Axis(0.0, float(top), bottom, 14.0)
    edges = np.linspace(52.0, width - 8, max(bins, 10) + 1)[: bins + 1]
    words = [
        label(float(edges[i : i + 2].mean()), bottom + 15, _size(low + i * step, step, high))
        for i in range(0, bins, max(1, -(-bins // 10)))
    ]
    ticks = [(value, count(value)) for value in scale.ticks(3) if value == int(value)]
    smallest = int(np.count_nonzero(sizes == low))
    said = (
        f"Histogram of the sizes of {count(sizes.size, 'cell')}: from {low:,} to {high:,} records, median"
        f" {figure(float(np.median(sizes)), 4)}; {count(smallest, 'cell has', 'cells have')} the"
        f" smallest size; k is {k}."
    )
    return plot(
        "Cells (upward) by how many records they have (across)",
        picture(
            width,
            height,
            said,
            upward(scale, 48.0, ticks, width - 8),
            _columns(edges, counts.astype(np.float64), scale, 2.0, "after"),
            path(f"M48 {short(bottom)}H{short(width - 8)}", "axis"),
            *words,
            label(width - 8, height - 4, "records in the cell", anchor="end"),
        ),
        large=True,
    )


def _size(first: int, step: int, high: int) -> str:
    last = min(first + step - 1, high)
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


# Correlations


def heatmap(title: str, names: Sequence[str], matrix: Floats) -> Html:
    """A matrix of correlations as tiles: the number on each, its sign by the colour and its size by the strength."""
    d = len(names)
    side, left, top = 44.0, 88.0, 20.0
    shown = max(d - 1, 4)  # few tiles are no larger than many
    tiles = [
        _tile(left + side * j, top + side * (i - 1), side, float(matrix[i, j])) for i in range(d) for j in range(i)
    ]
    rows = [label(left - 6, top + side * (i - 0.5) + 4, shortened(names[i], 13), anchor="end") for i in range(1, d)]
    heads = [label(left + side * (j + 0.5), top + side * j - 6, shortened(names[j], 8)) for j in range(d - 1)]
    words = f"{title}. {_strongest(names, matrix)}"
    drawn = picture(left + side * shown + 8, top + side * (d - 1) + 4, words, *tiles, *rows, *heads)
    return plot(element("b", title), drawn)


def _tile(x: float, y: float, side: float, value: float) -> Html:
    if not np.isfinite(value):
        return label(x + side / 2, y + side / 2 + 4, "–")
    opacity = f"{STRONGEST * min(1.0, abs(value)) ** 0.5:.2f}"  # so that weak ones are seen, too
    colour = "tile low" if value < 0 else "tile high"
    square = {"x": short(x), "y": short(y), "width": short(side), "height": short(side), "class_": colour}
    tile = element("rect", fill_opacity=opacity, **square)
    return join([tile, label(x + side / 2, y + side / 2 + 4, signed(value), class_="strong")])


def signed(correlation: float) -> str:
    """A correlation of two decimals with its sign, but that 0 has none."""
    said = f"{correlation:+.2f}".replace("-", "−")
    return "0.00" if said[1:] == "0.00" else said


def _strongest(names: Sequence[str], matrix: Floats) -> str:
    d = len(names)
    pairs = [(i, j) for i in range(d) for j in range(i) if np.isfinite(matrix[i, j])]
    pairs.sort(key=lambda pair: -abs(matrix[pair]))
    said = "; ".join(
        f"{shortened(names[j])} and {shortened(names[i])} {signed(float(matrix[i, j]))}" for i, j in pairs[:3]
    )
    return f"Greatest in size: {said}." if said else "No pair of columns varies."


# Trade-off


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a chart: its name and its points."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]


def curves(caption: str, drawn: Sequence[Curve], across_words: str, up_words: str) -> Html:
    """Lines through marked points, each named at its end and told apart by its dashes too."""
    width, height, left, bottom, right = 640.0, 400.0, 56.0, 350.0, 556.0
    xs, ys = ([value for curve in drawn for value in getattr(curve, name)] for name in ("xs", "ys"))
    horizontal = Axis(min(xs), max(xs), left, right)
    vertical = Axis(0.0, max(ys) or 1.0, bottom, 24.0)
    lines = [_curve(curve, i, horizontal, vertical) for i, curve in enumerate(drawn)]
    said = "; ".join(
        f"{curve.name}: from ({figure(curve.xs[0])}, {figure(curve.ys[0])})"
        f" to ({figure(curve.xs[-1])}, {figure(curve.ys[-1])})"
        for curve in drawn
    )
    return plot(
        caption,
        picture(
            width,
            height,
            f"Curves of {up_words} against {across_words}. {said}.",
            upward(vertical, left, [(value, figure(value)) for value in vertical.ticks(5)], right),
            across(horizontal, bottom, [(value, figure(value)) for value in horizontal.ticks(6)]),
            *lines,
            label(right, height - 8, across_words, anchor="end"),
            label(left, 12, up_words, anchor="start"),
        ),
        large=True,
    )


def _curve(curve: Curve, i: int, horizontal: Axis, vertical: Axis) -> Html:
    xs, ys = horizontal.place(np.array(curve.xs)), vertical.place(np.array(curve.ys))
    last = int(np.argmax(xs))  # where there is room
    hue = f"hue-{i % HUES}"
    dashes = ("", "7 3", "2 3", "9 3 2 3")[i % 4] or None
    marks = [
        element("circle", cx=short(x), cy=short(y), r="3", class_=f"mark {hue}") for x, y in zip(xs, ys, strict=True)
    ]
    return join(
        [
            element("path", d=line(xs, ys), class_=f"curve {hue}", stroke_dasharray=dashes),
            *marks,
            label(float(xs[last]) + 8, float(ys[last]) + 4, curve.name, anchor="start", class_="strong"),
        ]
    )
