"""How fast is exact MDAV, how does it grow, and where does which index win?

With --one it times one case in a fresh process, so that its memory can be told.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys

import numpy as np
from measure import LONG, gaussian, peak_kib, print_table, reached, seconds

from covey import _core

K = 5


def mdav(X: np.ndarray, search: _core.Search, threads: int) -> np.ndarray:
    """The labels, by one thread or two and by one index or the other."""
    d = X.shape[1]
    return _core.mdav(X, [_core.Average.mean] * d, [0] * d, K, _core.Tail.split, search, threads)


def fit(n: int, d: int, search: _core.Search, threads: int, repeats: int) -> tuple[float, float]:
    """Seconds of the kernel, and its scratch memory in multiples of the matrix."""
    X = gaussian(n, d)
    before = peak_kib()
    time = seconds(lambda: mdav(X, search, threads), repeats)
    return time, (peak_kib() - before) * 1024 / X.nbytes


def apart(n: int, d: int, search: str = "automatic", threads: int = 1, repeats: int = 3) -> tuple[float, float]:
    """The same in a process of its own."""
    case = json.dumps([n, d, search, threads, repeats])
    done = subprocess.run([sys.executable, __file__, "--one", case], capture_output=True, text=True, check=True)
    time, scratch = json.loads(done.stdout)
    return time, scratch


def targets() -> None:
    cases = [(100_000, 3, 1, 0.15), (1_000_000, 3, 1, 3.0), (100_000, 10, 2, 1.5), (300_000, 10, 2, 12.0)]
    if LONG:
        cases.append((1_000_000, 10, 2, math.inf))
    rows, times = [], {}
    for n, d, threads, limit in cases:
        repeats = 5 if n <= 100_000 else 2 if n <= 300_000 or d == 3 else 1
        time, scratch = apart(n, d, threads=threads, repeats=repeats)
        times[n, d] = time
        asked = ("", "") if limit == math.inf else (f"{limit} s", reached(time, limit))
        rows.append((f"{n:,} × {d}", threads, f"{time:.3f} s", f"{scratch:.1f} ×", *asked))
    print_table(f"MDAV, N(0,I), k={K}", ("records", "threads", "time", "scratch / matrix", "asked", "reached"), rows)
    growth = math.log10(times[1_000_000, 3] / times[100_000, 3])
    print(f"growth from 100,000 to 1,000,000 records of 3 columns: exponent {growth:.2f} (asked: at most 1.2)\n")


def textbook() -> None:
    """The ratio to looking at every record, with the same SIMD loops."""
    rows = []
    for n, d in ((100_000, 3), (50_000, 10)):
        tree, _ = apart(n, d, "tree")
        flat, _ = apart(n, d, "flat", repeats=1)
        rows.append((f"{n:,} × {d}", f"{tree:.3f} s", f"{flat:.3f} s", f"{flat / tree:.1f} ×"))
    print_table("k-d tree against brute force, one thread", ("records", "tree", "brute force", "ratio"), rows)


def repeated() -> None:
    """Records that are equal share a place in the tree."""
    rows = []
    rng = np.random.default_rng(20_240_229)
    for values in (3, 10, 100):
        X = rng.integers(0, values, (1_000_000, 3)).astype(float)
        time = seconds(lambda X=X: mdav(X, _core.Search.automatic, 1), 2)
        rows.append((f"{values**3:,}", f"{time:.3f} s"))
    print_table("1,000,000 × 3 of whole numbers", ("distinct at most", "time"), rows)


def crossover() -> None:
    rows = []
    for d, sizes in ((3, (1000, 2400, 6000)), (6, (2000, 5000, 12_000)), (13, (4000, 10_000, 25_000))):
        for n in sizes:
            tree, _ = fit(n, d, _core.Search.tree, 1, 7)
            flat, _ = fit(n, d, _core.Search.flat, 1, 7)
            chosen = "brute force" if n < 800 * d else "tree"
            rows.append((f"{n:,} × {d}", f"{1e3 * tree:.2f} ms", f"{1e3 * flat:.2f} ms", f"{flat / tree:.2f}", chosen))
    print_table("Where brute force wins", ("records", "tree", "brute force", "ratio", "chosen"), rows)


def threads() -> None:
    rows = []
    for n, d in ((100_000, 3), (20_000, 8), (100_000, 10), (300_000, 10)):
        one, _ = apart(n, d, threads=1, repeats=2)
        two, _ = apart(n, d, threads=2, repeats=2)
        chosen = "two" if d >= 8 and n >= 20_000 else "one"
        rows.append((f"{n:,} × {d}", f"{one:.3f} s", f"{two:.3f} s", f"{one / two:.2f} ×", chosen))
    print_table("One thread and two", ("records", "one", "two", "ratio", "chosen"), rows)


if __name__ == "__main__":
    if "--one" in sys.argv:
        records, columns, index, workers, times = json.loads(sys.argv[-1])
        print(json.dumps(fit(records, columns, getattr(_core.Search, index), workers, times)))
    else:
        targets()
        textbook()
        repeated()
        crossover()
        threads()
