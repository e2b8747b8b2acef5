"""What does a report cost? An internal one of Adult with six quasi-identifiers, and one of random numbers."""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa
from measure import DATA, LONG, gaussian, need_data, print_table, reached

import covey
from covey import Schema
from covey.io import read_table

QUASI = ("age", "education_num", "hours_per_week", "sex", "race", "marital_status")
CONFIDENTIAL = ("income", "occupation")
SECONDS, BYTES = 15.0, 3_000_000


def measured(name: str, table: pa.Table, schema: Schema, k: int, limits: tuple[float, int] | None = None) -> list[Any]:
    """A row of the table: seconds and bytes of the internal report."""
    release = covey.anonymize(table, schema, k=k, seed=1)
    begin = time.perf_counter()
    report = release.report(table)
    seconds, size = time.perf_counter() - begin, len(report.html.encode())
    if limits is None:
        return [name, f"{seconds:.2f} s", f"{size / 1000:.0f} kB", "", ""]
    both = "yes" if reached(seconds, limits[0]) == reached(size, limits[1]) == "yes" else "NO"
    return [name, f"{seconds:.2f} s", f"{size / 1000:.0f} kB", f"{limits[0]:g} s and {limits[1] / 1000:,.0f} kB", both]


def main() -> None:
    rows = []
    if need_data("adult.csv"):
        table = read_table(DATA / "adult.csv")
        other = [name for name in table.column_names if name not in (*QUASI, *CONFIDENTIAL)]
        schema = Schema.of(QUASI, confidential=CONFIDENTIAL, other=other, table=table)
        name = f"Adult, {table.num_rows:,} × {len(QUASI)}, k = 10"
        rows.append(measured(name, table, schema, 10, (SECONDS, BYTES)))
    n = 1_000_000 if LONG else 100_000
    X = gaussian(n, 6)
    table = pa.table({f"x{j}": X[:, j] for j in range(6)})
    rows.append(measured(f"Gaussian, {n:,} × 6, k = 5", table, Schema.of(table.column_names), 5))
    print_table("Internal reports", ("release", "time", "page", "asked", "reached"), rows)


if __name__ == "__main__":
    main()
