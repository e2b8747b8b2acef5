"""How long do the measures take? Diversity of a release of Adult, and of one as large with values that never repeat."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from measure import DATA, need_data, print_table, reached, seconds

import covey
from covey import io

QUASI = ("age", "education_num", "hours_per_week")
LIMIT = 5.0  # seconds, of all measures together


def adult(k: int, confidential: dict[str, str]) -> tuple[pa.Table, covey.Schema]:
    """A release of Adult by MDAV, and its schema, of the confidential columns by kind."""
    table = io.read_table(DATA / "adult.csv", null=["", "?"])
    table = table.select([*QUASI, *confidential])
    of_kind = {kind: [name for name, found in confidential.items() if found == kind] for kind in ("nominal", "ordinal")}
    ordinal = {name: sorted(set(table[name].to_pylist())) for name in of_kind["ordinal"]}
    continuous = [name for name, found in confidential.items() if found == "continuous"]
    schema = covey.Schema.of(
        QUASI, confidential=list(confidential), ordinal=ordinal, nominal=of_kind["nominal"], continuous=continuous
    )
    return covey.anonymize(table, schema, k=k, seed=1).table, schema


def unrepeated(n: int, k: int) -> tuple[pa.Table, covey.Schema]:
    """n records in cells of k, with a confidential number that no two share."""
    values = np.random.default_rng(7).normal(size=n)
    table = pa.table({"cell": np.arange(n) // k, "value": values})
    return table, covey.Schema.of(["cell"], confidential=["value"], continuous=["value"])


def rows_of(name: str, table: pa.Table, schema: covey.Schema) -> list[tuple[object, ...]]:
    steps = {
        "diversity": lambda: covey.diversity(table, schema),
        "average_diversity": lambda: covey.average_diversity(table, schema),
        "exposed_cells": lambda: covey.exposed_cells(table, schema),
    }
    cells = covey.diversity(table, schema)[0].cells
    times = {step: seconds(call) for step, call in steps.items()}
    rows: list[tuple[object, ...]] = [
        (name, f"{table.num_rows:,}", f"{cells:,}", len(schema.confidential), step, f"{time:.2f} s", "", "")
        for step, time in times.items()
    ]
    total = sum(times.values())
    return [*rows, (name, "", "", "", "together", f"{total:.2f} s", f"{LIMIT:.0f} s", reached(total, LIMIT))]


def diversity_rows() -> list[tuple[object, ...]]:
    mixed = {"income": "nominal", "occupation": "nominal", "education": "nominal", "capital_gain": "continuous"}
    rows = rows_of("Adult, k=10", *adult(10, mixed))
    rows += rows_of("Adult, k=3, fnlwgt", *adult(3, {"fnlwgt": "continuous", "relationship": "nominal"}))
    return rows + rows_of("no value twice, k=5", *unrepeated(1_000_000, 5))


def main() -> None:
    if not need_data("adult.csv"):
        return
    headings = ("table", "records", "cells", "columns", "measure", "time", "asked", "reached")
    print_table("Measures of diversity", headings, diversity_rows())


if __name__ == "__main__":
    main()
