"""How low does refinement bring the information loss of MDAV? --long gives it a minute a case, otherwise a second."""

from __future__ import annotations

from itertools import product

import numpy as np
from bench_golden import EIA, KS
from measure import DATA, LONG, gaussian, need_data, print_table

import covey
from covey import io

# Found by long annealing, and by column generation with an integer programme over its columns.
BEST_KNOWN = {
    "census": (4.6679, 6.0322, 7.2793, 11.3668),
    "tarragona": (14.4679, 17.0806, 20.1606, 30.1158),
    "eia": (0.3498, 0.4833, 0.7296, 1.9328),
}
BUDGETS = (20.0, 60.0) if LONG else (0.3, 1.0)


def records(name: str) -> np.ndarray:
    table = io.read_table(DATA / f"{name}.csv")
    columns = EIA if name == "eia" else table.column_names
    X = np.column_stack([table[column].to_numpy().astype(float) for column in columns])
    return (X - X.mean(0)) / X.std(0)


def losses(X: np.ndarray, k: int, budgets: tuple[float, ...]) -> list[float]:
    """Information loss of MDAV, and of it refined for each of the budgets."""
    base = covey.MDAV(k=k).fit(X)
    fits = [base, *(covey.Refine(base.labels_, k=k, seconds=seconds).fit(X) for seconds in budgets)]
    return [100 * fit.sse_ / (X.var(0).sum() * len(X)) for fit in fits]


def standard() -> None:
    rows = []
    for name, (i, k) in product(BEST_KNOWN, enumerate(KS)):
        if not need_data(f"{name}.csv"):
            continue
        found = losses(records(name), k, BUDGETS)
        best = BEST_KNOWN[name][i]
        shown = (f"{loss:.4f}" for loss in (*found, best))
        rows.append((name, k, *shown, f"{100 * (found[-1] / best - 1):+.2f} %"))
    times = (f"{seconds:g} s" for seconds in BUDGETS)
    print_table("Information loss", ("data", "k", "MDAV", *times, "best known", "difference"), rows)


def many() -> None:
    X = gaussian(100_000, 3)
    rows = []
    for seconds in (BUDGETS[-1],) if LONG else (3.0,):
        before, after = losses(X, 5, (seconds,))
        rows.append((f"{seconds:g} s", f"{before:.5f}", f"{after:.5f}", f"{100 * (after / before - 1):+.1f} %"))
    print_table("N(0,I), 100,000 × 3, k=5", ("time", "MDAV", "refined", "difference"), rows)


if __name__ == "__main__":
    standard()
    many()
