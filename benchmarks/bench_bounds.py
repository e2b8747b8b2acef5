"""How far below the least SSE do the bounds lie, and how long do they take? (--long: certificates of minutes.)"""

from __future__ import annotations

import numpy as np
from bench_golden import EIA
from measure import DATA, LONG, gaussian, need_data, print_table, seconds

import covey
from covey import io

# Best known information losses, from long annealing and integer programmes.
BEST = {
    "census": {3: 4.6679, 4: 6.0322, 5: 7.2793, 10: 11.3668},
    "tarragona": {3: 14.4679, 4: 17.0806, 5: 20.1606, 10: 30.1158},
    "eia": {3: 0.3498, 4: 0.4833, 5: 0.7296, 10: 1.9328},
}
CERTIFIED = {"census": ((3, 60),), "tarragona": ((3, 60), (4, 60))}
CERTIFIED_LONG = {"census": ((3, 120), (4, 300), (5, 600)), "tarragona": ((3, 120), (4, 300), (5, 600))}


def standardised(name: str) -> np.ndarray:
    """A data set of the papers in standard deviations."""
    table = io.read_table(DATA / f"{name}.csv")
    columns = EIA if name == "eia" else table.column_names
    X = np.column_stack([table[column].to_numpy().astype(float) for column in columns])
    return (X - X.mean(0)) / X.std(0)


def shares(known: dict[str, np.ndarray]) -> None:
    rows = []
    for name, Z in known.items():
        for k, best in BEST[name].items():
            loss = 100 / Z.size
            plain, priced = (loss * covey.lower_bound(Z, k, rounds=rounds) for rounds in (0, 30))
            mdav = loss * covey.MDAV(k).fit(Z).sse_
            time = seconds(lambda Z=Z, k=k: covey.lower_bound(Z, k), repeats=1)
            of_best = f"{100 * priced / best:.1f} %"
            rows.append(
                (name, k, f"{plain:.4f}", f"{priced:.4f}", f"{best:.4f}", of_best, f"{mdav:.4f}", f"{time:.2f} s")
            )
    headings = ("data", "k", "without prices", "lower_bound", "best known", "of it", "MDAV", "time")
    print_table("lower_bound, information loss", headings, rows)


def large() -> None:
    rows = []
    for n, d in ((100_000, 3), (1_000_000, 3), (100_000, 10)) if LONG else ((100_000, 3),):
        X = gaussian(n, d)
        bounds = {}
        for rounds in (0, 30):
            time = seconds(
                lambda rounds=rounds, X=X, b=bounds: b.update({rounds: covey.lower_bound(X, 5, rounds=rounds)}), 1
            )
            rows.append((f"{n:,} × {d}", rounds, f"{100 * bounds[rounds] / X.size:.4f}", f"{time:.1f} s"))
    print_table("lower_bound, N(0,I), k=5", ("records", "rounds", "bound", "time"), rows)


def certificates(known: dict[str, np.ndarray]) -> None:
    rows = []
    for name, cases in (CERTIFIED_LONG if LONG else CERTIFIED).items():
        for k, allotted in cases if name in known else ():
            Z, best = known[name], BEST[name][k]
            found = covey.certify(Z, k, allotted)
            bound, sse = (100 * value / Z.size for value in (found.bound, found.best_sse))
            gaps = (f"{100 * covey.gap(sse, bound):.2f} %", f"{100 * covey.gap(best, bound):.2f} %")
            exact = "yes" if found.exact else "no"
            rows.append(
                (
                    name,
                    k,
                    f"{bound:.4f}",
                    exact,
                    f"{sse:.4f}",
                    gaps[0],
                    f"{best:.4f}",
                    gaps[1],
                    f"{found.seconds:.0f} s",
                )
            )
    headings = ("data", "k", "bound", "exact", "found", "gap", "best known", "its gap", "time")
    print_table("certify, information loss", headings, rows)


def main() -> None:
    known = {name: standardised(name) for name in BEST if need_data(f"{name}.csv")}
    shares(known)
    large()
    certificates(known)


if __name__ == "__main__":
    main()
