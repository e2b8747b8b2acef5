"""k-anonymity with statistical dependence kept: the figures of the paper's §V and more, in experiments/out.

    python experiments/dependence.py                  all
    python experiments/dependence.py gaussian census  some

gaussian: two dependent columns; census, tarragona: D_X, D_Y and ℓ_avg over λ and k; prepartition: blocks of columns and
record linkage; methods: other partitions than MDAV; expected: cells by E[Y|X]. Each leaves CSV and PNG, and prints its
tables. The data sets are read from COVEY_DATA. What they show: docs/methods/dependence-experiments.md.
"""

from __future__ import annotations

import csv
import itertools
import os
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter

import covey
from covey import io
from covey.curves import COLOURS, INK, MARKERS, dress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from covey.sweep import Point

    Data = tuple[pa.Table, covey.Schema]

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "experiments" / "out"
DATA = Path(os.environ.get("COVEY_DATA", ROOT.parent / "shared" / "data"))
QUASI = 6  # columns, of the 13 of census and tarragona
LAMBDAS = tuple(i / 10 for i in range(11))
KS: tuple[int, ...] = (5, 10, 20, 50, 100)
WIDTH = 0.2  # Δ
K = 10  # where there is one k
BLOCKS = (2, 3, 6)
N = 10_000  # the paper's number is lost in the text at hand
RHOS = (0.5, 0.9)
GAUSSIAN_KS: tuple[int, ...] = (50, 100, 200, 500)
SEEDS: Sequence[int] = range(10)
SEED = 20_261_119  # of what is shuffled
STEPS = 10_000_000  # of Refine
AVERAGED = ("distortion", "predictability_loss", "distortion_increment", "loss_increment", "average_diversity")
HALO = [withStroke(linewidth=2.5, foreground="white")]  # of words that may cross a curve
D_X, D_Y = "distortion of quasi-identifiers, $D_X$", "predictability loss, $D_Y$"


# The data


def gaussian_records(rho: float, seed: int) -> Data:
    """Two columns of zero mean and unit variance, the first quasi, the second confidential."""
    X = np.random.default_rng(seed).multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=N)
    return with_schema(pa.table({"x": X[:, 0], "y": X[:, 1]}), 1)


def data_set(name: str) -> Data:
    """Census or Tarragona."""
    path = DATA / f"{name}.csv"
    if not path.is_file():
        sys.exit(f"{path} not found: set COVEY_DATA")
    return with_schema(io.read_table(path), QUASI)


def with_schema(table: pa.Table, quasi: int) -> Data:
    """The first columns quasi, the others confidential."""
    names = table.column_names
    return table, covey.Schema.of(names[:quasi], confidential=names[quasi:], table=table)


def shuffled(data: Data) -> Data:
    """The confidential records dealt out anew: they tell nothing of the quasi-identifiers any more."""
    table, schema = data
    order = np.random.default_rng(SEED).permutation(table.num_rows)
    dealt = [column if i < QUASI else column.take(order) for i, column in enumerate(table.columns)]
    return pa.table(dealt, names=table.column_names), schema


# The experiments


def gaussian() -> None:
    """D_X and D_Y of two Gaussian columns over λ and k: means over seeds, with standard deviations."""
    curves, rows = {}, []
    for rho in RHOS:
        runs = [sweep(gaussian_records(rho, seed), GAUSSIAN_KS) for seed in SEEDS]
        for same in zip(*runs, strict=True):
            means = {name: float(np.mean([getattr(point, name) for point in same])) for name in AVERAGED[:4]}
            deviations = [float(np.std([getattr(point, name) for point in same])) for name in AVERAGED[:4]]
            curves.setdefault(rho, []).append(replace(same[0], **means))
            rows.append((rho, same[0].k, same[0].weight, *itertools.chain(*zip(means.values(), deviations, strict=True))))
    headings = [f"{statistic}{name}" for name in ("D_X", "D_Y", "D_X change", "D_Y change") for statistic in ("", "sd of ")]
    write("gaussian", ("rho", "k", "lambda", *headings), rows)
    by_k = [(rho, *row) for rho, points in curves.items() for row in shapes(points)]
    write("gaussian by k", ("rho", *SHAPES), by_k)
    write("gaussian claims", ("rho", *CLAIMS), [(rho, *claims(points)) for rho, points in curves.items()])
    secondary = [
        (rho, *(100 * (at(points, GAUSSIAN_KS[-1], w, name) / at(points, GAUSSIAN_KS[0], w, name) - 1) for w, name in ENDS))
        for rho, points in curves.items()
    ]
    write("gaussian growth", ("rho", *(f"{name} at {w}, greatest k over least, %" for w, name in ENDS)), secondary)
    draw_gaussian(curves)
    draw_extremes(curves)


def census() -> None:
    """The trade-off and ℓ_avg on Census."""
    study("census")


def tarragona() -> None:
    """The trade-off and ℓ_avg on Tarragona."""
    study("tarragona")


def study(name: str) -> None:
    """The trade-off and ℓ_avg of a data set over λ and k."""
    data = data_set(name)
    points = sweep(data, KS)
    write_points(name, [((), points)])
    write(f"{name} by k", (*SHAPES, *DIVERSITIES), [(*a, *b) for a, b in zip(shapes(points), diversities(points), strict=True)])
    write(f"{name} claims", CLAIMS, [claims(points)])
    counts = categories(data)
    write(f"{name} categories", ("least diverse", "categories", "most diverse", "categories"), [(*counts[0], *counts[-1])])
    draw_study(name, points)


def prepartition() -> None:
    """Census in blocks of columns: D_X and DLD over λ, jointly and per block; and with confidential records shuffled."""
    data = data_set("census")
    runs = {f"b = {b}": [blockwise(data, b, weight) for weight in LAMBDAS] for b in BLOCKS}
    dealt = shuffled(data)
    runs["Y shuffled"] = [blockwise(dealt, QUASI, weight) for weight in LAMBDAS]
    headings = ("blocks", "lambda", "D_X", "DLD", "DLD per block", "DLD most of a block", "combinations", "smallest", "bound")
    write("prepartition", headings, [(name, *row) for name, rows in runs.items() for row in rows])
    draw_prepartition(runs)


def blockwise(data: Data, size: int, weight: float) -> tuple[float, ...]:
    """λ, D_X, joint DLD, mean and most of the DLD of blocks, combinations, the rarest one's records, |Q|/n."""
    table, schema = data
    names = [column.name for column in schema.quasi]
    blocks = [names[first : first + size] for first in range(0, len(names), size)]
    apart: dict[str, Any] = {"column_blocks": size, "guarantee": "per-block"} if len(blocks) > 1 else {}
    release = covey.anonymize(table, schema, K, dependence=weight, seed=SEED, **apart)
    linked = covey.linkage(table, release.table, schema, rows=release.rows, blocks=blocks)
    shares = [block.share for block in linked.blocks]
    combinations = (linked.cells, linked.smallest_cell, linked.bound)
    return (weight, release.measures.distortion, linked.share, float(np.mean(shares)), max(shares), *combinations)


def methods() -> None:
    """Census at one k with other partitions, told against MDAV's at the same λ."""
    data = data_set("census")
    makers: dict[str, Callable[[int], Any]] = {
        "MDAV": covey.MDAV,
        "V-MDAV": covey.VMDAV,
        "PCL": lambda k: covey.PCL(k=k),
        "Refine": lambda k: covey.Refine(covey.MDAV(k), k, steps=STEPS),
    }
    runs = {name: sweep(data, (K,), method=maker) for name, maker in makers.items()}
    write_points("methods", [((name,), points) for name, points in runs.items()], ("method",))
    below = {name: [gap(p, q) for p, q in zip(points, runs["MDAV"], strict=True)] for name, points in runs.items()}
    del below["MDAV"]
    rows = [(name, weight, *three) for name, gaps in below.items() for weight, three in zip(LAMBDAS, gaps, strict=True)]
    write("methods against MDAV", ("method", "lambda", "D %", "D_X %", "D_Y %"), rows)
    means = [(name, *(float(x) for x in np.mean(gaps, axis=0))) for name, gaps in below.items()]
    write("methods in the mean", ("method", "D %", "D_X %", "D_Y %"), means)
    draw_methods(runs, below)


def gap(point: Point, other: Point) -> tuple[float, float, float]:
    """By how many per cent the point's D, D_X and D_Y are above another's of the same λ."""
    pairs = [(p.distortion, p.predictability_loss) for p in (point, other)]
    joint = [(1 - point.weight) * x + point.weight * y for x, y in pairs]
    three = [(joint[i], *pairs[i]) for i in (0, 1)]
    return tuple(100 * (mine / theirs - 1) for mine, theirs in zip(*three, strict=True))  # type: ignore[return-value]


def expected() -> None:
    """Census at one k with cells by Y and by estimates of E[Y|X], and with confidential records shuffled."""
    data = data_set("census")
    sources = {"census": data, "shuffled": shuffled(data)}
    runs = {
        (source, name): sweep(records, (K,), expected=option)
        for source, records in sources.items()
        for name, option in {"Y": None, "linear": "linear", "neighbours": "neighbours"}.items()
    }
    write_points("expected", list(runs.items()), ("data", "cells by"))
    draw_expected(runs)


def sweep(data: Data, ks: Sequence[int], **how: Any) -> Sequence[Point]:
    """D_X, D_Y and ℓ_avg for each k and every λ."""
    return covey.tradeoff(*data, k=ks, lambdas=LAMBDAS, width=WIDTH, **how).points


# What the paper says of such curves, counted

ENDS = ((0.0, "distortion"), (1.0, "predictability_loss"), (0.0, "predictability_loss"), (1.0, "distortion"))
SHAPES = (
    "k", "D_X at 0", "D_Y at 0", "D_X at 1", "D_Y at 1", "D_X at 0.1, %", "D_Y at 0.1, %", "slope there",
    "last gain above loss", "steps back", "not convex",
)  # fmt: skip
CLAIMS = ("D_X > D_Y at 0", "D_X < D_Y at 1", "D_X not above that of less k", "D_Y not above that of less k")
DIVERSITIES = ("l_avg at 0", "at 0.1", "at 0.5", "at 1", "at 0.1, %", "at 0.5, %", "at 1, %")


def at(points: Sequence[Point], k: int, weight: float, name: str) -> float:
    """A number of the point of k and λ."""
    return next(float(getattr(point, name)) for point in points if (point.k, point.weight) == (k, weight))


def curves_of(points: Sequence[Point]) -> list[list[Point]]:
    """The points of each k."""
    return [list(own) for _, own in itertools.groupby(points, lambda point: point.k)]


def shapes(points: Sequence[Point]) -> list[tuple[float, ...]]:
    """For each k: the ends; the first step; the last λ at which D_Y gains more than D_X loses; steps and turns that
    an optimum would not make.
    """
    return [shape(curve) for curve in curves_of(points)]


def shape(curve: Sequence[Point]) -> tuple[float, ...]:
    xs, ys = ([getattr(point, name) for point in curve] for name in AVERAGED[:2])
    first, one, last = curve[0], curve[1], curve[-1]
    worth = (p.weight for p in curve[1:] if -p.loss_increment > p.distortion_increment)
    back = sum(xs[i + 1] < xs[i] or ys[i + 1] > ys[i] for i in range(len(curve) - 1))
    bent = sum(above_chord(xs[i - 1 : i + 2], ys[i - 1 : i + 2]) for i in range(1, len(curve) - 1))
    ends = (first.distortion, first.predictability_loss, last.distortion, last.predictability_loss)
    step = (100 * one.distortion_increment, 100 * one.loss_increment, (ys[1] - ys[0]) / (xs[1] - xs[0]))
    return (first.k, *ends, *step, max(worth, default=0.0), back, bent)


def above_chord(xs: Sequence[float], ys: Sequence[float]) -> bool:
    """Whether the middle of three points lies above the line between the others, or is not between them."""
    if not xs[0] < xs[1] < xs[2]:
        return True
    return ys[1] > ys[0] + (ys[2] - ys[0]) * (xs[1] - xs[0]) / (xs[2] - xs[0])


def claims(points: Sequence[Point]) -> tuple[int, ...]:
    """How often what the paper says does not hold: the order of D_X and D_Y at either end; more loss with more k."""
    curves = curves_of(points)
    first = sum(curve[0].distortion > curve[0].predictability_loss for curve in curves)
    last = sum(curve[-1].distortion < curve[-1].predictability_loss for curve in curves)
    pairs = [pair for less, more in itertools.pairwise(curves) for pair in zip(less, more, strict=True)]
    falls = [sum(getattr(more, name) <= getattr(less, name) for less, more in pairs) for name in AVERAGED[:2]]
    return (first, last, *falls)


def diversities(points: Sequence[Point]) -> list[tuple[float, ...]]:
    """For each k: ℓ_avg at λ = 0, 0.1, 0.5 and 1, and what it changes."""
    rows = []
    for curve in curves_of(points):
        own = [curve[i].average_diversity for i in (0, 1, len(curve) // 2, len(curve) - 1)]
        rows.append((*own, *(100 * (value / own[0] - 1) for value in own[1:])))
    return rows


def categories(data: Data) -> list[tuple[str, int]]:
    """How many intervals of Δ each confidential column occupies, fewest first."""
    table, schema = data
    counts = []
    for column in schema.confidential:
        values = table[column.name].to_numpy().astype(float)
        counts.append((column.name, len(np.unique(np.floor((values - values.mean()) / values.std() / WIDTH)))))
    return sorted(counts, key=lambda pair: pair[1])


# Tables


def write(name: str, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """The rows as CSV, and on the terminal."""
    OUT.mkdir(exist_ok=True)
    with (OUT / f"dependence {name}.csv").open("w", newline="") as file:
        csv.writer(file).writerows([headings, *rows])
    print(f"\n{name}: {', '.join(headings)}")
    for row in rows:
        print("  " + "  ".join(f"{x:.4g}" if isinstance(x, float) else str(x) for x in row))


def write_points(
    name: str, runs: Sequence[tuple[tuple[str, ...], Sequence[Point]]], headings: Sequence[str] = ()
) -> None:
    """All points of runs, but for the time they took."""
    names = [field.name for field in fields(runs[0][1][0]) if field.name != "seconds"]
    rows = [(*of, *(getattr(point, each) for each in names)) for of, points in runs for point in points]
    write(name, (*headings, *names), rows)


# Pictures


def draw_extremes(curves: dict[float, list[Point]]) -> None:
    """D_X and D_Y against k at λ = 0 and 1."""
    figure, panels = canvas(1, len(curves), 5.6, 4.2)
    low, high = min(point.predictability_loss for point in curves[RHOS[0]]) / 1.5, 1
    for axes, (rho, points) in zip(panels[0], curves.items(), strict=True):
        ends = []
        for i, (weight, name) in enumerate(ENDS):
            quantity = "$D_X$" if name == "distortion" else "$D_Y$"
            ys = [at(points, k, weight, name) for k in GAUSSIAN_KS]
            plot(axes, GAUSSIAN_KS, ys, i, linestyle="--" if weight else "-")
            ends.append((f"{quantity}, λ = {weight:g}", i, GAUSSIAN_KS[-1], ys[-1]))
        axes.set(xscale="log", yscale="log", ylim=(low, high))
        axes.set_xticks(GAUSSIAN_KS, labels=[str(k) for k in GAUSSIAN_KS], minor=False)
        axes.set_xticks([], minor=True)
        finish(axes, f"ρ = {rho:g}", "k, the least number of records in a cell", "$D_X$ and $D_Y$")
        label_ends(axes, ends)
    save(figure, "gaussian extremes")


def draw_gaussian(curves: dict[float, list[Point]]) -> None:
    """The trade-off of each correlation, absolute and relative, on logarithmic scales."""
    figure, panels = canvas(len(curves), 2, 5.8, 4.2)
    for (absolute, relative), (rho, points) in zip(panels, curves.items(), strict=True):
        draw_tradeoff(absolute, curves_of(points), f"ρ = {rho:g}")
        absolute.set(xscale="log", yscale="log")
        relative.set(xscale="log", xlim=(20, 2e5), ylim=(-105, -15))
        draw_relative(relative, [curve[1:] for curve in curves_of(points)], f"ρ = {rho:g}, relative to λ = 0")
        relative.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    save(figure, "gaussian")


def draw_study(name: str, points: Sequence[Point]) -> None:
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
    save(figure, name)


def draw_tradeoff(axes: Axes, curves: Sequence[Sequence[Point]], title: str) -> None:
    """D_Y over D_X, a curve for each k."""
    for i, curve in enumerate(curves):
        xs, ys = [p.distortion for p in curve], [p.predictability_loss for p in curve]
        plot(axes, xs, ys, i)
        mark(axes, f"k = {curve[0].k}", (xs[-1], ys[-1]), (7, -3), COLOURS[i])
        if i == 0:
            mark(axes, "λ = 0", (xs[0], ys[0]), (-16, 8))
            mark(axes, "λ = 0.1", (xs[1], ys[1]), (-42, -4))
            mark(axes, "λ = 1", (xs[-1], ys[-1]), (-6, 9))
    axes.margins(x=0.14)
    finish(axes, title, D_X, D_Y)


def draw_relative(axes: Axes, curves: Sequence[Sequence[Point]], title: str) -> None:
    """The increments over λ = 0 in per cent, and the line on which D_Y gains what D_X loses."""
    even = np.geomspace(1, 100)
    place, offset = (0, (-34, 9)) if axes.get_xscale() == "log" else (-1, (7, -3))
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


def draw_prepartition(runs: dict[str, list[tuple[float, ...]]]) -> None:
    """D_X and DLD, joint and per block, over λ."""
    figure, panels = canvas(1, 3, 5.0, 4.4)
    titles = ("Distortion", "Record linkage, all columns", "Record linkage, a block alone")
    quantities = ("$D_X$", "DLD, share of records linked", "DLD, mean over blocks")
    for axes, place, title, quantity in zip(panels[0], (1, 2, 3), titles, quantities, strict=True):
        ends = []
        for i, (name, rows) in enumerate(runs.items()):
            plot(axes, LAMBDAS, [row[place] for row in rows], i, linestyle="--" if "shuffled" in name else "-")
            ends.append((name, i, 1, rows[-1][place]))
        if place > 1:
            axes.axhline(1 / K, linestyle=":", color=INK, linewidth=1.4, zorder=1)
            mark(axes, "1/k", (0, 1 / K), (0, 4))
        axes.set_ylim(bottom=0)
        finish(axes, title, "λ", quantity)
        label_ends(axes, ends)
    save(figure, "prepartition")


def draw_methods(runs: dict[str, Sequence[Point]], below: dict[str, list[tuple[float, float, float]]]) -> None:
    """The trade-off of each method, and D against MDAV's over λ."""
    figure, panels = canvas(1, 2, 5.8, 4.4)
    tradeoff, against = panels[0]
    ends = []
    for i, (name, points) in enumerate(runs.items()):
        plot(tradeoff, [p.distortion for p in points], [p.predictability_loss for p in points], i, label=name)
        if name in below:
            ys = [three[0] for three in below[name]]
            plot(against, LAMBDAS, ys, i)
            ends.append((name, i, 1, ys[-1]))
    tradeoff.legend(frameon=False, labelcolor=INK)
    tradeoff.set_ylim(bottom=0)
    finish(tradeoff, f"Census, k = {K}", D_X, D_Y)
    against.axhline(0, color=COLOURS[0], linewidth=1.8)
    ends.append(("MDAV", 0, 1, 0.0))
    finish(against, "Against MDAV at the same λ", "λ", "$D = (1 − λ)\\,D_X + λ\\,D_Y$, %")
    label_ends(against, ends)
    save(figure, "methods")


def draw_expected(runs: dict[tuple[str, str], Sequence[Point]]) -> None:
    """D_Y over D_X by what cells are formed by, on the data and where there is nothing to predict."""
    figure, panels = canvas(1, 2, 5.8, 4.4)
    titles = {"census": f"Census, k = {K}", "shuffled": "The same, confidential records shuffled"}
    names = {"Y": "cells by Y", "linear": "by E[Y|X], linear", "neighbours": "by E[Y|X], neighbours"}
    for axes, source in zip(panels[0], titles, strict=True):
        for i, name in enumerate(names):
            points = runs[source, name]
            plot(axes, [p.distortion for p in points], [p.predictability_loss for p in points], i, label=names[name])
        axes.set_ylim(bottom=0)
        finish(axes, titles[source], D_X, D_Y)
    level(panels[0])
    panels[0][0].legend(frameon=False, labelcolor=INK)
    save(figure, "expected")


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
    """Names at the right, each at the height where its curve ends, moved up where one would cover another."""
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())
    to_panel = axes.transData + axes.transAxes.inverted()
    lowest = -1.0
    for height, name, i in sorted((float(to_panel.transform((x, y))[1]), name, i) for name, i, x, y in ends):
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


def save(figure: Figure, name: str) -> None:
    """The figure as a PNG."""
    OUT.mkdir(exist_ok=True)
    figure.savefig(OUT / f"dependence {name}.png", dpi=150)


EXPERIMENTS = {
    "gaussian": gaussian,
    "census": census,
    "tarragona": tarragona,
    "prepartition": prepartition,
    "methods": methods,
    "expected": expected,
}


def main(names: Sequence[str]) -> None:
    """Run the experiments named, or all."""
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        sys.exit(f"unknown experiment: expected some of {', '.join(EXPERIMENTS)}")
    for name in names or EXPERIMENTS:
        EXPERIMENTS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
