"""What do exact sizes cost, and what do they gain? --long adds a million records, and a peer's fifty steps.

The peer is k-means-constrained (pip install k-means-constrained), left out where it is not installed. It is given the
same points and the same bounds on the sizes.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from measure import DATA, LONG, gaussian, need_data, print_table, reached

import covey
from covey import io

if TYPE_CHECKING:
    from collections.abc import Callable

ADULT = ("age", "education_num", "hours_per_week")
STEPS = 50
PROPOSALS = 20_000_000


def standardised(name: str, columns: tuple[str, ...] | None = None) -> np.ndarray:
    table = io.read_table(DATA / f"{name}.csv")
    X = np.column_stack([table[column].to_numpy().astype(float) for column in columns or table.column_names])
    return (X - X.mean(0)) / X.std(0)


def timed(step: Callable[[], Any], repeats: int = 1) -> tuple[float, Any]:
    """The least of several times, and the last result."""
    best, result = math.inf, None
    for _ in range(repeats):
        begin = time.perf_counter()
        result = step()
        best = min(best, time.perf_counter() - begin)
    return best, result


def adult() -> None:
    if not need_data("adult.csv"):
        return
    X = standardised("adult", ADULT)
    base = covey.MDAV(500).fit(X)
    m = len(X) // 500
    mine, fit = timed(lambda: covey.PCL(k=500, iterations=STEPS, tolerance=0.0).fit(X), 3)
    rows = [
        ("MDAV", "", f"{timed(lambda: covey.MDAV(500).fit(X), 3)[0]:.2f} s", "", f"{base.sse_ / X.size:.5f}", "", ""),
        ("PCL", STEPS, f"{mine:.2f} s", "3 s", f"{fit.sse_ / X.size:.5f}", sizes(fit.sizes_), reached(mine, 3.0)),
    ]
    peer = with_peer(X, base.centroids_[:m], STEPS if LONG else 2)
    if peer is not None:
        steps, seconds, sse, labels = peer
        rows.append(
            (
                "k-means-constrained",
                steps,
                f"{seconds:.1f} s",
                "",
                f"{sse / X.size:.5f}",
                sizes(np.bincount(labels)),
                "",
            )
        )
        print(f"a step takes k-means-constrained {seconds / steps / (mine / STEPS):.0f} times as long\n")
    headings = ("method", "steps", "time", "asked", "D", "sizes", "reached")
    print_table("Adult, 48,842 × 3, k=500 (the paper: 325 s)", headings, rows)


def with_peer(X: np.ndarray, points: np.ndarray, steps: int) -> tuple[int, float, float, np.ndarray] | None:
    try:
        from k_means_constrained import KMeansConstrained  # noqa: PLC0415 (it may be absent)
    except ImportError:
        print("k-means-constrained is not installed: pip install k-means-constrained for the comparison\n")
        return None
    least = len(X) // len(points)
    peer = KMeansConstrained(
        len(points), size_min=least, size_max=least + 1, init=points, n_init=1, max_iter=steps, tol=0.0, n_jobs=1
    )
    seconds, labels = timed(lambda: peer.fit_predict(X))
    means = np.asarray([X[labels == q].mean(0) for q in range(len(points))])
    return int(peer.n_iter_), seconds, float(((X - means[labels]) ** 2).sum()), labels


def sizes(counts: np.ndarray) -> str:
    return f"{counts.min()} to {counts.max()}"


def small_cells() -> None:
    """Each step lowers the information loss; Refine looks at as many proposals after either."""
    if not need_data("census.csv"):
        return
    rows = []
    X = standardised("census")
    for k in (3, 5, 10):
        base = covey.MDAV(k).fit(X)
        seconds, fit = timed(lambda k=k: covey.PCL(k=k).fit(X), 2)
        refined = [covey.Refine(labels, k, steps=PROPOSALS).fit(X) for labels in (fit.labels_, base.labels_)]
        losses = [f"{100 * one.sse_ / X.size:.4f}" for one in (base, fit, *refined)]
        rows.append((k, *losses, f"{seconds:.2f} s"))
    headings = ("k", "MDAV", "PCL", "PCL, then Refine", "MDAV, then Refine", "time of PCL")
    print_table(f"Census, small k: information loss; {PROPOSALS:,} proposals", headings, rows)


def warm() -> None:
    """Steps until the distortion is within 0.1 % of where a cold start ends."""
    rng = np.random.default_rng(20_240_229)
    X = gaussian(100_000, 3)
    before = covey.PCL(cells=100).fit(X).quantizer_
    rows = []
    for share in (0.001, 0.01, 0.1):
        count = int(share * len(X))
        changed = np.vstack([X[count:], rng.standard_normal((count, 3))])
        cold = covey.PCL(cells=100).fit(changed)
        enough = 1.001 * cold.distortions_[-1]
        steps = [
            int(np.argmax(fit.distortions_ <= enough)) + 1
            for fit in (cold, covey.PCL(cells=100, start=before).fit(changed))
        ]
        times = [
            timed(lambda s=start, i=i, Y=changed: covey.PCL(cells=100, start=s, iterations=i, tolerance=0.0).fit(Y))[0]
            for start, i in zip(("mdav", before), steps, strict=True)
        ]
        rows.append((f"{share:.1%}", *steps, *(f"{seconds:.2f} s" for seconds in times)))
    headings = ("records exchanged", "steps, cold", "steps, warm", "cold", "warm")
    print_table("Warm start, 100,000 × 3, 100 cells, to within 0.1 % of the cold end", headings, rows)


def million() -> None:
    X = gaussian(1_000_000, 3)
    base = covey.MDAV(1000).fit(X)
    seconds, fit = timed(lambda: covey.PCL(cells=1000, iterations=STEPS).fit(X))
    below = f"{100 * (1 - fit.sse_ / base.sse_):.1f} %"
    row = (f"{fit.iterations_}", f"{seconds:.0f} s", "120 s", reached(seconds, 120), below, sizes(fit.sizes_))
    print_table(
        "N(0,I), 1,000,000 × 3, 1,000 cells", ("steps", "time", "asked", "reached", "D below MDAV", "sizes"), [row]
    )


if __name__ == "__main__":
    adult()
    small_cells()
    warm()
    if LONG:
        million()
