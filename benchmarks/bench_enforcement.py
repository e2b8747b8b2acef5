"""What do stronger criteria cost? Distortion before and after, and seconds, on census, on Adult and on drawn records.

Census: the first six columns are quasi-identifiers; k = 5. Adult: age, education_num and hours_per_week; k = 10. Drawn:
100,000 records of four normal columns, the first of which says much of a confidential one of seven values; k = 10.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyarrow as pa
from measure import DATA, gaussian, need_data, print_table

import covey
from covey import Close, Diverse, PSensitive, io
from covey.enforcement import mending

ADULT = ("age", "education_num", "hours_per_week")
HEADINGS = ("data", "confidential", "criterion", "method", "D without", "D", "cells", "seconds")


def released(table: Any, schema: covey.Schema, k: int, **options: Any) -> tuple[covey.Release, float]:
    begin = time.perf_counter()
    release = covey.anonymize(table, schema, k, seed=1, **options)
    return release, time.perf_counter() - begin


def rows_of(data: tuple[str, Any, covey.Schema, int], criteria: dict[str, dict[str, Any]]) -> list[tuple[object, ...]]:
    name, table, schema, k = data
    plain, _ = released(table, schema, k)
    rows = []
    for words, options in criteria.items():
        what, _, how = words.partition("; ")
        release, took = released(table, schema, k, **options)
        cells, before, after = release.measures.cells, plain.measures.distortion, release.measures.distortion
        confidential = schema.confidential[0].name
        rows.append((name, confidential, what, how, f"{before:.4f}", f"{after:.4f}", f"{cells:,}", f"{took:.1f}"))
    return rows


def census(confidential: str) -> tuple[str, Any, covey.Schema, int]:
    table = io.read_table(DATA / "census.csv")
    quasi = table.column_names[:6]
    table = table.select([*quasi, confidential])
    return "census", table, covey.Schema.of(quasi, confidential=[confidential], table=table), 5


def adult(confidential: str) -> tuple[str, Any, covey.Schema, int]:
    table = io.read_table(DATA / "adult.csv", null=["", "?"]).select([*ADULT, confidential])
    return "Adult", table, covey.Schema.of(ADULT, confidential=[confidential], table=table), 10


def census_rows() -> list[tuple[object, ...]]:
    closeness = {
        f"t = {t}, ordered; {how}": {"t_close": Close(t, "ordered", how)}
        for t in (0.05, 0.1, 0.15, 0.2)
        for how in ("merge", "first", "best")
    }
    return [row for name in ("TAXINC", "FICA") for row in rows_of(census(name), closeness)]


def adult_rows() -> list[tuple[object, ...]]:
    sensitive = {f"p = {p}": {"p_sensitive": PSensitive(p)} for p in (2, 3)}
    gains = sensitive | {f"t = {t}": {"t_close": t} for t in (0.05, 0.1)}
    diverse = {f"entropy l = {x}": {"l_diverse": Diverse(x, "entropy")} for x in (1.5, 2, 3)}
    diverse |= {"recursive l = 3, c = 3": {"l_diverse": Diverse(3, "recursive", 3)}, "t = 0.3": {"t_close": 0.3}}
    return rows_of(adult("capital_gain"), gains) + rows_of(adult("marital_status"), diverse)


def drawn_rows() -> list[tuple[object, ...]]:
    X = gaussian(100_000, 5)
    columns = {f"x{j}": X[:, j] for j in range(4)}
    table = pa.table(columns | {"y": np.clip(np.round(1.2 * X[:, 0] + X[:, 4]), -3, 3).astype(int)})
    schema = covey.Schema.of(list(columns), confidential=["y"], table=table)
    criteria: dict[str, dict[str, Any]] = {
        "p = 4": {"p_sensitive": 4},
        "entropy l = 3": {"l_diverse": Diverse(3, "entropy")},
    }
    criteria |= {"recursive l = 3, c = 3": {"l_diverse": Diverse(3, "recursive", 3)}, "t = 0.3": {"t_close": 0.3}}
    criteria |= {f"t = {t}, ordered": {"t_close": Close(t, "ordered")} for t in (0.15, 0.1)}
    return rows_of(("drawn", table, schema, 10), criteria)


def merging_rows() -> list[tuple[object, ...]]:
    """What mergers alone cost."""
    mending.PATIENCE = mending.MOST_VISITS = 0
    cases = {f"p = {p}; mergers only": {"p_sensitive": PSensitive(p)} for p in (2, 3)}
    rows = rows_of(adult("capital_gain"), cases)
    cases = {
        f"t = {t}, ordered; mergers only": {"t_close": Close(t, "ordered", "merge")} for t in (0.05, 0.1, 0.15, 0.2)
    }
    return rows + rows_of(census("TAXINC"), cases)


def main() -> None:
    if not need_data("adult.csv", "census.csv"):
        return
    print_table("What closeness costs on census, k = 5", HEADINGS, census_rows())
    print_table("What criteria cost on Adult, k = 10", HEADINGS, adult_rows())
    print_table("What criteria cost on 100,000 drawn records, k = 10", HEADINGS, drawn_rows())
    print_table("What mergers alone cost", HEADINGS, merging_rows())


if __name__ == "__main__":
    main()
