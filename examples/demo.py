"""What `make demo` shows: patients before and after, what it cost, and where the files lie."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

import covey
from covey import io
from covey.terminal import print_summary, progress_bar

K = 5
HERE = Path(__file__).parent
OUT = HERE / "out"
SHOWN = 8


def main() -> None:
    console = Console(stderr=True)
    patients = io.read_table(HERE / "clinic.csv")
    schema = covey.Schema.from_toml(io.read_text(HERE / "clinic.toml"))
    with progress_bar("forming cells") as progress:
        # The order is kept here so that the same patients can be shown before and after.
        release = covey.anonymize(patients, schema, k=K, keep_order=True, progress=progress)

    cell = release.labels[0]
    rows = [row for row, label in enumerate(release.labels) if label == cell][:K]
    rows += [row for row in range(len(release.labels)) if row not in rows][: SHOWN - len(rows)]
    console.print(excerpt(patients, rows, "Before: the patients (the first five will share a cell)"))
    console.print(excerpt(release.table, rows, f"After: no patient can be told from at least {K - 1} others"))

    shuffled = covey.anonymize(patients, schema, k=K)
    OUT.mkdir(exist_ok=True)
    paths = [OUT / name for name in ("clinic-release.csv", "clinic-recipe.json", "clinic-report.html")]
    contents = (shuffled.table, shuffled.to_json(), shuffled.report(patients).html)
    io.write_outputs([io.Output(path, content) for path, content in zip(paths, contents, strict=True)], force=True)
    print_summary(shuffled, [os.path.relpath(path) for path in paths])


def excerpt(records: object, rows: list[int], title: str) -> Table:
    """Some records as a table for the terminal."""
    part = records.take(rows)
    shown = Table(title=Text(title), title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for name in part.column_names:
        shown.add_column(name, no_wrap=True, max_width=12 if name == "name" else None)
    for record in part.to_pylist():
        shown.add_row(*(Text(str(value)) for value in record.values()))
    return shown


if __name__ == "__main__":
    main()
