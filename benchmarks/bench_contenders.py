"""What do the methods that the papers name lose on the standard data sets, what do they cost, and what do blocks?"""

from __future__ import annotations

import numpy as np
from bench_golden import EIA
from measure import DATA, LONG, gaussian, need_data, print_table, seconds

import covey
from covey import io

METHODS = {
    "MDAV": covey.MDAV(),
    "MD": covey.MD(),
    "V-MDAV γ=0.2": covey.VMDAV(),
    "V-MDAV best γ": covey.VMDAV(gamma="best"),
    "MST": covey.MST(split="none"),
    "MST, M-d": covey.MST(),
    "TFRP": covey.TFRP(),
    "μ-Approx": covey.MuApprox(),
}
KS = (3, 5, 10)


def standardised(name: str) -> np.ndarray:
    table = io.read_table(DATA / f"{name}.csv")
    columns = EIA if name == "eia" else table.column_names
    X = np.column_stack([table[column].to_numpy().astype(float) for column in columns])
    return (X - X.mean(0)) / X.std(0)


def losses() -> None:
    for name in ("census", "tarragona", "eia"):
        if not need_data(f"{name}.csv"):
            continue
        trials = covey.compare(standardised(name), methods=METHODS, ks=KS).trials
        rows = [
            (method, *(f"{100 * trial.distortion:.4f}" for trial in trials if trial.method == method))
            for method in METHODS
        ]
        print_table(f"Information loss on {name}, %", ("method", *(f"k={k}" for k in KS)), rows)


def costs() -> None:
    shapes = [(100_000, 3), (100_000, 10), (1_000_000, 3)] if LONG else [(100_000, 3)]
    for n, d in shapes:
        X, rows, first = gaussian(n, d), [], None
        for name, method in METHODS.items():
            if name == "V-MDAV best γ":
                continue
            time = seconds(lambda method=method, X=X: method.fit(X), 2 if n * d < 1_000_000 else 1)
            first = first or time
            loss = 100 * method.sse_ / X.var(0).sum() / n
            rows.append((name, f"{time:.2f} s", f"{time / first:.1f} ×", f"{loss:.5f}", method.sizes_.max()))
        print_table(f"N(0,I), {n:,} × {d}, k=5", ("method", "time", "of MDAV", "loss %", "largest cell"), rows)


def in_blocks() -> None:
    """Where MDAV is fast as it is, in few columns, and where it is not."""
    for n, d in [(1_000_000, 3), *([(300_000, 10)] if LONG else [(100_000, 10)])]:
        X = gaussian(n, d)
        rows = []
        for size in (None, n // 10, n // 100, n // 1000):
            method = covey.MDAV(k=5) if size is None else covey.Blocks(covey.MDAV(k=5), size=size)
            time = seconds(lambda method=method, X=X: method.fit(X), 1)
            if size is None:
                whole, sse = time, method.sse_
            label = "whole" if size is None else f"blocks of {size:,}"
            gap = f"{100 * (method.sse_ / sse - 1):+.2f} %"
            rows.append((label, f"{time:.2f} s", f"{whole / time:.1f} ×", gap))
        print_table(f"MDAV, N(0,I), {n:,} × {d}, k=5", ("records", "time", "faster", "SSE"), rows)


if __name__ == "__main__":
    losses()
    costs()
    in_blocks()
