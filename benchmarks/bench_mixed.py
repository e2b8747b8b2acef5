"""How long do mixed kinds take? Adult: two continuous, one ordinal and five nominal columns."""

from __future__ import annotations

from measure import DATA, need_data, print_table, reached, seconds

import covey
from covey import io

CONTINUOUS = ("age", "hours_per_week")
NOMINAL = ("workclass", "marital_status", "occupation", "race", "sex")


def main() -> None:
    if not need_data("adult.csv"):
        return
    table = io.read_table(DATA / "adult.csv", null=["", "?"])
    quasi = [*CONTINUOUS, "education_num", *NOMINAL]
    levels = sorted(set(table["education_num"].to_pylist()))
    others = [name for name in table.column_names if name not in quasi]
    schema = covey.Schema.of(quasi, other=others, ordinal={"education_num": levels}, nominal=NOMINAL, table=table)
    rows = []
    for average in ("median", "convex"):
        releases = []

        def release(average: str = average, releases: list[covey.Release] = releases) -> None:
            releases.append(covey.anonymize(table, schema, k=5, missing="own-cells", ordinal_average=average))

        time = seconds(release, 2)
        measures = releases[-1].measures
        rows.append(
            (average, f"{measures.records:,}", f"{time:.2f} s", "10 s", reached(time, 10), f"{measures.distortion:.4f}")
        )
    print_table("Adult, mixed, k=5", ("ordinal average", "records", "time", "asked", "reached", "D"), rows)


if __name__ == "__main__":
    main()
