"""How long does a sweep of λ take, and what does counting the confidential columns cost a partition?"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from measure import DATA, gaussian, need_data, print_table, reached, seconds

import covey
from covey import io

KS = (5, 10, 20, 50, 100)
LIMIT = 5.0  # seconds, of the sweep of census


def sweep() -> None:
    if not need_data("census.csv"):
        return
    table = io.read_table(DATA / "census.csv")
    names = table.column_names
    schema = covey.Schema.of(names[:6], confidential=names[6:], table=table)
    time = seconds(lambda: covey.tradeoff(table, schema, k=KS))
    row = ("census, 6 + 7 columns", f"{len(KS)} × 11", f"{time:.2f} s", f"{LIMIT:.0f} s", reached(time, LIMIT))
    print_table("covey.tradeoff", ("table", "k × λ", "time", "asked", "reached"), [row])


def partitions() -> None:
    n, rows = 100_000, []
    X = gaussian(n, 6)
    table = pa.table({f"x{j}": np.ascontiguousarray(column) for j, column in enumerate(X.T)})
    schema = covey.Schema.of(["x0", "x1", "x2"], confidential=["x3", "x4", "x5"], continuous=["x3", "x4", "x5"])
    cases = [None, 0.1, 0.5, 1.0, covey.Dependence(0.5, "linear"), covey.Dependence(0.5, "neighbours")]
    for dependence in cases:
        time = seconds(lambda dependence=dependence: covey.anonymize(table, schema, 5, dependence=dependence), 2)
        release = covey.anonymize(table, schema, 5, dependence=dependence)
        found = covey.predictability(release.table, schema).loss
        rows.append((str(dependence), f"{time:.2f} s", f"{release.measures.distortion:.4f}", f"{found:.4f}"))
    print_table("N(0,I), 100,000 × 3 + 3, k=5, MDAV: releases", ("dependence", "time", "D_X", "D_Y"), rows)


if __name__ == "__main__":
    sweep()
    partitions()
