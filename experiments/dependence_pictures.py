"""Pictures of what experiments/dependence.py measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from dependence_curves import AVERAGED, ENDS, at, curves_of
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter

from covey.curves import COLOURS, INK, MARKERS, dress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from covey.sweep import Point

D_X, D_Y = "distortion of quasi-identifiers, $D_X$", "predictability loss, $D_Y$"
HALO = [withStroke(linewidth=2.5, foreground="white")]  # of words that may cross a curve


def draw_extremes(curves: dict[float, list[Point]]) -> Figure:
    """D_X and D_Y against k at λ = 0 and 1."""
    figure, panels = canvas(1, len(curves), 5.6, 4.2)
    lowest = min(point.predictability_loss for points in curves.values() for point in points)
    for axes, (rho, points) in zip(panels[0], curves.items(), strict=True):
        ends, ks = [], [curve[0].k for curve in curves_of(points)]
        for i, (weight, name) in enumerate(ENDS):
            quantity = "$D_X$" if name == "distortion" else "$D_Y$"
            ys = [at(points, k, weight, name) for k in ks]
            plot(axes, ks, ys, i, linestyle="--" if weight else "-")
            ends.append((f"{quantity}, λ = {weight:g}", i, ks[-1], ys[-1]))
        axes.set(xscale="log", yscale="log", ylim=(lowest / 1.5, 1))
        axes.set_xticks(ks, labels=[str(k) for k in ks])
        axes.set_xticks([], minor=True)
        finish(axes, f"ρ = {rho:g}", "k, the least number of records in a cell", "$D_X$ and $D_Y$")
        label_ends(axes, ends)
    return figure


def draw_gaussian(curves: dict[float, list[Point]]) -> Figure:
    """The trade-off of each correlation, absolute and relative, on logarithmic scales."""
    figure, panels = canvas(len(curves), 2, 5.8, 4.2)
    for (absolute, relative), (rho, points) in zip(panels, curves.items(), strict=True):
        draw_tradeoff(absolute, curves_of(points), f"ρ = {rho:g}")
        absolute.set(xscale="log", yscale="log")
        relative.set(xscale="log", xlim=(10, 2e5), ylim=(-105, -5))
        draw_relative(relative, [curve[1:] for curve in curves_of(points)], f"ρ = {rho:g}, relative to λ = 0")
        relative.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    return figure


def draw_study(name: str, points: Sequence[Point]) -> Figure:
    """The trade-off, absolute and relative, and ℓ_avg over λ."""
    figure, panels = canvas(1, 3, 5.0, 4.4)
    absolute, relative, diversity = panels[0]
    curves = curves_of(points)
    draw_tradeoff(absolute, curves, name.capitalize())
    absolute.set_ylim(bottom=0)
    absolute.set_xlim(left=0)
    draw_relative(relative, curves, "Relative to λ = 0")
    for i, curve in enumerate(curves):
        plot(diversity, [p.weight for p in curve], [p.average_diversity for p in curve], i)
    diversity.set_ylim(bottom=0)
    finish(diversity, "Diversity", "λ", "$\\ell_{avg}$, different values in a cell")
    label_ends(diversity, [(f"k = {c[0].k}", i, 1, c[-1].average_diversity) for i, c in enumerate(curves)])
    return figure


def draw_tradeoff(axes: Axes, curves: Sequence[Sequence[Point]], title: str) -> None:
    """D_Y over D_X, a curve for each k."""
    for i, curve in enumerate(curves):
        xs, ys = [p.distortion for p in curve], [p.predictability_loss for p in curve]
        plot(axes, xs, ys, i)
        mark(axes, f"k = {curve[0].k}", (xs[-1], ys[-1]), (7, -3), COLOURS[i])
        if i == 0:
            mark(axes, "λ = 0", (xs[0], ys[0]), (-16, 8))
            mark(axes, "λ = 0.1", (xs[1], ys[1]), (-42, -4))
            mark(axes, "λ = 1", (xs[-1], ys[-1]), (-10, -16))
    axes.margins(x=0.14, y=0.1)
    finish(axes, title, D_X, D_Y)


def draw_relative(axes: Axes, curves: Sequence[Sequence[Point]], title: str) -> None:
    """The increments over λ = 0 in per cent, and the line on which D_Y gains what D_X loses."""
    even = np.geomspace(1, 100)
    place, offset = (0, (-44, -3)) if axes.get_xscale() == "log" else (-1, (7, -3))
    for i, curve in enumerate(curves):
        xs, ys = ([100 * getattr(p, name) for p in curve] for name in AVERAGED[2:4])
        plot(axes, xs, ys, i)
        mark(axes, f"k = {curve[0].k}", (xs[place], ys[place]), offset, COLOURS[i])
    left, right = axes.get_xlim()
    axes.plot(even, -even, linestyle=":", color=INK, linewidth=1.4, zorder=1)
    axes.set_xlim(left, right)
    axes.margins(x=0.14)
    finish(axes, title, "increment of $D_X$, %", "increment of $D_Y$, %")
    note = "⋯  gain in $D_Y$ = loss in $D_X$"
    axes.annotate(note, (0.98, 0.9), xycoords="axes fraction", ha="right", fontsize=9, color=INK, path_effects=HALO)


def draw_prepartition(k: int, runs: dict[str, list[tuple[float, ...]]]) -> Figure:
    """D_X and DLD, joint and per block, over λ."""
    figure, panels = canvas(1, 3, 5.0, 4.4)
    titles = ("Distortion", "Record linkage, all columns", "Record linkage, a block alone")
    quantities = ("$D_X$", "DLD, share of records linked", "DLD, mean over blocks")
    for axes, place, title, quantity in zip(panels[0], (1, 2, 3), titles, quantities, strict=True):
        ends = []
        for i, (name, rows) in enumerate(runs.items()):
            plot(
                axes,
                [row[0] for row in rows],
                [row[place] for row in rows],
                i,
                linestyle="--" if "shuffled" in name else "-",
            )
            ends.append((name, i, 1, rows[-1][place]))
        ends.sort(key=lambda end: sum(row[place] for row in runs[end[0]]))
        if place > 1:
            axes.axhline(1 / k, linestyle=":", color=INK, linewidth=1.4, zorder=1)
            mark(axes, "1/k", (0 if place == 2 else 0.95, 1 / k), (0, 4))
        axes.set_ylim(bottom=0)
        finish(axes, title, "λ", quantity)
        label_ends(axes, ends)
    return figure


def draw_methods(runs: dict[str, Sequence[Point]], below: dict[str, list[tuple[float, float, float]]]) -> Figure:
    """The trade-off of each method, and D against MDAV's over λ."""
    figure, panels = canvas(1, 2, 5.8, 4.4)
    tradeoff, against = panels[0]
    ends = []
    for i, (name, points) in enumerate(runs.items()):
        plot(tradeoff, [p.distortion for p in points], [p.predictability_loss for p in points], i, label=name)
        if name in below:
            ys = [three[0] for three in below[name]]
            plot(against, [p.weight for p in points], ys, i)
            ends.append((name, i, 1, ys[-1]))
    tradeoff.legend(frameon=False, labelcolor=INK)
    tradeoff.set_ylim(bottom=0)
    finish(tradeoff, f"Census, k = {points[0].k}", D_X, D_Y)
    against.axhline(0, color=COLOURS[0], linewidth=1.8)
    ends.append(("MDAV", 0, 1, 0.0))
    finish(against, "Against MDAV at the same λ", "λ", "$D = (1 − λ)\\,D_X + λ\\,D_Y$, %")
    label_ends(against, ends)
    return figure


def draw_expected(runs: dict[tuple[str, str], Sequence[Point]]) -> Figure:
    """D_Y over D_X by what cells are formed by, on the data and where there is nothing to predict."""
    figure, panels = canvas(1, 2, 5.8, 4.4)
    k = runs["census", "Y"][0].k
    titles = {"census": f"Census, k = {k}", "shuffled": "The same, confidential records shuffled"}
    names = {"Y": "cells by Y", "linear": "by E[Y|X], linear", "neighbours": "by E[Y|X], neighbours"}
    for axes, source in zip(panels[0], titles, strict=True):
        for i, name in enumerate(names):
            points = runs[source, name]
            plot(axes, [p.distortion for p in points], [p.predictability_loss for p in points], i, label=names[name])
        axes.set_ylim(bottom=0)
        finish(axes, titles[source], D_X, D_Y)
    level(panels[0])
    panels[0][0].legend(frameon=False, labelcolor=INK)
    return figure


def canvas(rows: int, columns: int, width: float, height: float) -> tuple[Figure, Any]:
    """A figure of panels, each so many inches."""
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    return figure, figure.subplots(rows, columns, squeeze=False)


def plot(axes: Axes, xs: Sequence[float], ys: Sequence[float], i: int, **style: Any) -> None:
    """The i-th curve."""
    style = {"linewidth": 1.8, "markersize": 5.5, "markeredgecolor": "white", **style}
    axes.plot(xs, ys, color=COLOURS[i], marker=MARKERS[i], **style)


def mark(axes: Axes, text: str, point: tuple[float, float], offset: tuple[float, float], colour: str = INK) -> None:
    """Words beside a point, so many points away."""
    axes.annotate(text, point, xytext=offset, textcoords="offset points", fontsize=9, color=colour, path_effects=HALO)


def label_ends(axes: Axes, ends: Sequence[tuple[str, int, float, float]], gap: float = 0.06) -> None:
    """Names at the right, each at the height where its curve ends, moved up where one would cover another.

    Those of one height keep the order in which they are given, from below.
    """
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())
    to_panel = axes.transData + axes.transAxes.inverted()
    heights = [(round(float(to_panel.transform((x, y))[1]), 3), name, i) for name, i, x, y in ends]
    lowest = -1.0
    for height, name, i in sorted(heights, key=lambda each: each[0]):
        lowest = max(height, lowest + gap)
        axes.annotate(name, (1.02, lowest), xycoords="axes fraction", va="center", fontsize=9, color=COLOURS[i])


def level(panels: Sequence[Axes]) -> None:
    """The same heights for all panels."""
    low, high = min(p.get_ylim()[0] for p in panels), max(p.get_ylim()[1] for p in panels)
    for panel in panels:
        panel.set_ylim(low, high)


def finish(axes: Axes, title: str, x: str, y: str) -> None:
    """Axes in the manner of covey."""
    dress(axes, y)
    axes.set_xlabel(x, color=INK)
    axes.set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold", pad=8)
