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
from dependence_curves import AVERAGED, CLAIMS, DIVERSITIES, ENDS, SHAPES, at, claims, diversities, gap, shapes
from dependence_pictures import (
    draw_expected,
    draw_extremes,
    draw_gaussian,
    draw_methods,
    draw_prepartition,
    draw_study,
)

import covey
from covey import io

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

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
SEED = 20_240_229  # of what is shuffled
STEPS = 10_000_000  # of Refine


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
    curves: dict[float, list[Point]] = {rho: [] for rho in RHOS}
    rows = []
    for rho in RHOS:
        runs = [sweep(gaussian_records(rho, seed), GAUSSIAN_KS) for seed in SEEDS]
        for same in zip(*runs, strict=True):
            values = np.array([[getattr(point, name) for name in AVERAGED] for point in same])
            means = dict(zip(AVERAGED, values.mean(0).tolist(), strict=True))
            curves[rho].append(replace(same[0], **means))
            pairs = zip(means.values(), values.std(0).tolist(), strict=True)
            rows.append((rho, same[0].k, same[0].weight, *itertools.chain(*pairs)))
    names = ("D_X", "D_Y", "D_X change", "D_Y change")
    write("gaussian", ("rho", "k", "lambda", *itertools.chain(*((name, f"sd of {name}") for name in names))), rows)
    write("gaussian by k", ("rho", *SHAPES), [(rho, *row) for rho, points in curves.items() for row in shapes(points)])
    write("gaussian claims", ("rho", *CLAIMS), [(rho, *claims(points)) for rho, points in curves.items()])
    growths = [(rho, *(growth(points, weight, name) for weight, name in ENDS)) for rho, points in curves.items()]
    write("gaussian growth", ("rho", *(f"{name} at {weight:g}, %" for weight, name in ENDS)), growths)
    save("gaussian", draw_gaussian(curves))
    save("gaussian extremes", draw_extremes(curves))


def growth(points: Sequence[Point], weight: float, name: str) -> float:
    """By how many per cent a number is greater with the greatest k than with the least."""
    least, most = (at(points, k, weight, name) for k in (GAUSSIAN_KS[0], GAUSSIAN_KS[-1]))
    return 100 * (most / least - 1)


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
    write(f"{name} by k", SHAPES, shapes(points))
    write(f"{name} diversity", DIVERSITIES, diversities(points))
    write(f"{name} claims", CLAIMS, [claims(points)])
    counts = categories(data)
    write(f"{name} categories", ("column", "intervals"), [counts[0], counts[-1]])
    save(name, draw_study(name, points))


def prepartition() -> None:
    """Census in blocks of columns: D_X and DLD, joint and per block; and with confidential records shuffled."""
    data = data_set("census")
    runs = {f"b = {b}": [blockwise(data, b, weight) for weight in LAMBDAS] for b in BLOCKS}
    dealt = shuffled(data)
    runs[f"b = {QUASI}, Y shuffled"] = [blockwise(dealt, QUASI, weight) for weight in LAMBDAS]
    linkages = ("DLD", "DLD of a block", "most of a block", "combinations", "rarest", "bound")
    rows = [(name, *row) for name, own in runs.items() for row in own]
    write("prepartition", ("blocks", "lambda", "D_X", *linkages), rows)
    save("prepartition", draw_prepartition(K, runs))


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
    save("methods", draw_methods(runs, below))


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
    save("expected", draw_expected(runs))


def sweep(data: Data, ks: Sequence[int], **how: Any) -> Sequence[Point]:
    """D_X, D_Y and ℓ_avg for each k and every λ."""
    return covey.tradeoff(*data, k=ks, lambdas=LAMBDAS, width=WIDTH, **how).points


# Tables and files


def categories(data: Data) -> list[tuple[str, int]]:
    """How many intervals of Δ each confidential column occupies, fewest first."""
    table, schema = data
    counts = []
    for column in schema.confidential:
        values = table[column.name].to_numpy().astype(float)
        counts.append((column.name, len(np.unique(np.floor((values - values.mean()) / values.std() / WIDTH)))))
    return sorted(counts, key=lambda pair: pair[1])


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


def save(name: str, figure: Figure) -> None:
    """The picture as a PNG."""
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
