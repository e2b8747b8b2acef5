"""Probability-constrained quantizers: the figures of the paper's §7, as CSV and PNG, in experiments/out.

    python experiments/pcl.py              all
    python experiments/pcl.py fig3 fig7    some

Figures: fig3 (two pictures of 16 cells), fig4 (distortion below MDAV's), fig5 (convergence), fig6 (time against n),
fig7 and fig8 (Adult, against MDAV and V-MDAV). Adult is read from COVEY_DATA.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

import covey
from covey import io

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Lines = dict[str, tuple[Sequence[float], Sequence[float]]]

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "experiments" / "out"
DATA = Path(os.environ.get("COVEY_DATA", ROOT.parent / "shared" / "data"))
SEED = 20_240_229
N = 2**16
COUNTS = range(30_000, 100_001, 10_000)
Floats = NDArray[np.float64]


def gaussian(n: int, d: int, correlation: float) -> Floats:
    """N draws of zero mean, unit variance and one correlation between any two columns."""
    covariance = np.full((d, d), correlation) + (1 - correlation) * np.eye(d)
    return np.random.default_rng(SEED).multivariate_normal(np.zeros(d), covariance, size=n)


def distortion(X: Floats, fit: covey.PCL | covey.MDAV | covey.VMDAV) -> float:
    """D, the MSE per dimension."""
    return fit.sse_ / X.size


def write(name: str, headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """The rows as CSV, and on the terminal."""
    OUT.mkdir(exist_ok=True)
    with (OUT / f"{name}.csv").open("w", newline="") as file:
        csv.writer(file).writerows([headings, *rows])
    print(f"\n{name}: {', '.join(headings)}")
    for row in rows:
        print("  " + "  ".join(f"{x:.6g}" if isinstance(x, float) else str(x) for x in row))


def draw(
    name: str, lines: dict[str, tuple[Sequence[float], Sequence[float]]], x: str, y: str, *, log: str = ""
) -> None:
    """Lines as a PNG."""
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for label, (xs, ys) in lines.items():
        axes.plot(xs, ys, "o-", label=label, markersize=4)
    if "x" in log:
        axes.set_xscale("log", base=2)
    if "y" in log:
        axes.set_yscale("log")
    axes.set(xlabel=x, ylabel=y, title=name)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(OUT / f"{name}.png", dpi=150)


def fig3() -> None:
    """65,536 records in 16 cells: D of MDAV and PCL, and pictures of PCL's cells."""
    rows = []
    for correlation in (0.0, 0.5):
        X = gaussian(N, 2, correlation)
        mdav, pcl = covey.MDAV(N // 16).fit(X), covey.PCL(cells=16, iterations=40).fit(X)
        below = 100 * (1 - pcl.sse_ / mdav.sse_)
        rows.append(
            (correlation, distortion(X, mdav), distortion(X, pcl), below, int(pcl.sizes_.min()), int(pcl.sizes_.max()))
        )
        OUT.mkdir(exist_ok=True)
        pcl.quantizer_.draw(OUT / f"fig3 correlation {correlation:g}.png", X)
    write("fig3", ("correlation", "D MDAV", "D PCL", "below %", "smallest cell", "largest cell"), rows)


def fig4() -> None:
    """Distortion below MDAV's for 2 … 64 cells in 2, 3 and 4 columns."""
    rows, lines = [], {}
    for correlation in (0.0, 0.5):
        for d in (2, 3, 4):
            X = gaussian(N, d, correlation)
            counts = [2**i for i in range(1, 7)]
            fits = [(covey.MDAV(N // m).fit(X), covey.PCL(cells=m).fit(X)) for m in counts]
            below = [100 * (pcl.sse_ / mdav.sse_ - 1) for mdav, pcl in fits]
            lines[f"d = {d}, ρ = {correlation:g}"] = (counts, below)
            rows += [
                (correlation, d, m, distortion(X, mdav), distortion(X, pcl), change, int(pcl.sizes_.min()))
                for m, (mdav, pcl), change in zip(counts, fits, below, strict=True)
            ]
    write("fig4", ("correlation", "d", "cells", "D MDAV", "D PCL", "change %", "smallest cell"), rows)
    draw("fig4", lines, "cells", "D of PCL against MDAV, %", log="x")


def fig5() -> None:
    """The distortion of each of 50 steps, 32 cells, ρ = ½."""
    X = gaussian(N, 2, 0.5)
    pcl, mdav = covey.PCL(cells=32, iterations=50, tolerance=0.0).fit(X), covey.MDAV(N // 32).fit(X)
    steps = list(range(1, len(pcl.distortions_) + 1))
    rows = [(step, float(d), distortion(X, mdav)) for step, d in zip(steps, pcl.distortions_, strict=True)]
    write("fig5", ("step", "D PCL", "D MDAV"), rows)
    draw(
        "fig5",
        {"PCL": (steps, list(pcl.distortions_)), "MDAV": (steps, [distortion(X, mdav)] * len(steps))},
        "step",
        "D",
    )


def fig6() -> None:
    """Seconds against n at k = 1000 with 100 steps; least of three."""
    rows = []
    for n in COUNTS:
        X = gaussian(n, 2, 0.0)
        mdav = least(lambda X=X: covey.MDAV(1000).fit(X))
        pcl = least(lambda X=X: covey.PCL(k=1000, iterations=100, tolerance=0.0).fit(X))
        rows.append((n, mdav, pcl))
    sizes = np.log([row[0] for row in rows])
    slopes = [float(np.polyfit(sizes, np.log([row[column] for row in rows]), 1)[0]) for column in (1, 2)]
    write("fig6", ("n", "s MDAV", "s PCL"), rows)
    print(f"  exponents: MDAV {slopes[0]:.2f} (the paper: 1.98), PCL {slopes[1]:.2f} (the paper: 1.87)")
    draw(
        "fig6",
        {name: ([r[0] for r in rows], [r[i] for r in rows]) for i, name in ((1, "MDAV"), (2, "PCL"))},
        "n",
        "s",
        log="xy",
    )


def least(step: Callable[[], object], repeats: int = 3) -> float:
    """The least of several times."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return min(times)


def adult() -> Floats:
    """Age, education_num and hours_per_week of Adult, standardised."""
    path = DATA / "adult.csv"
    if not path.is_file():
        sys.exit(f"{path} not found: set COVEY_DATA")
    table = io.read_table(path)
    X = np.column_stack([table[name].to_numpy() for name in ("age", "education_num", "hours_per_week")]).astype(float)
    return np.asarray((X - X.mean(0)) / X.std(0))


def fig7() -> None:
    """Adult, k = 500 … 4000: PCL against MDAV."""
    against("fig7", "MDAV", lambda X, k: covey.MDAV(k).fit(X))


def fig8() -> None:
    """Adult, k = 500 … 4000: PCL against V-MDAV at its best γ."""
    against("fig8", "V-MDAV", lambda X, k: covey.VMDAV(k, gamma="best").fit(X))


def against(name: str, other: str, fit: Callable[[Floats, int], covey.MDAV | covey.VMDAV]) -> None:
    """D of PCL and of another method on Adult."""
    X, rows = adult(), []
    for k in range(500, 4001, 500):
        base = fit(X, k)
        begin = time.perf_counter()
        pcl = covey.PCL(k=k).fit(X)
        seconds = time.perf_counter() - begin
        change = 100 * (pcl.sse_ / base.sse_ - 1)
        rows.append(
            (k, distortion(X, base), distortion(X, pcl), change, int(pcl.sizes_.min()), int(pcl.sizes_.max()), seconds)
        )
    write(name, ("k", f"D {other}", "D PCL", "change %", "smallest cell", "largest cell", "s PCL"), rows)
    draw(name, {n: ([r[0] for r in rows], [r[i] for r in rows]) for i, n in ((1, other), (2, "PCL"))}, "k", "D")


FIGURES = {"fig3": fig3, "fig4": fig4, "fig5": fig5, "fig6": fig6, "fig7": fig7, "fig8": fig8}


def main(names: Sequence[str]) -> None:
    """Make the figures named, or all."""
    unknown = [name for name in names if name not in FIGURES]
    if unknown:
        sys.exit(f"unknown figure: expected some of {', '.join(FIGURES)}")
    for name in names or FIGURES:
        FIGURES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
