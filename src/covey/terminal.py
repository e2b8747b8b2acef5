"""What people see on a terminal: progress, and what a release or a comparison lost."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from covey.comparison import Trial
    from covey.measures import ColumnLoss
    from covey.release import Release


@contextmanager
def progress_bar(task: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error that vanishes when the work is done."""
    columns = (TextColumn(task), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(task, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def print_summary(release: Release, outputs: Sequence[str]) -> None:
    """What was released, what it lost and what holds, on standard error."""
    console = Console(stderr=True, highlight=False)
    measures = release.measures
    withheld = f", {measures.withheld:,} withheld" if measures.withheld else ""
    console.print(
        Text(
            f"{measures.records:,} records{withheld} in {measures.cells:,} cells of {measures.smallest_cell:,} to"
            f" {measures.largest_cell:,}; distortion D = {measures.distortion:.4f}"
        )
    )
    console.print(loss_table(measures.columns))
    console.print(Text("D: share of the variance lost; changed: share of the values; bias: shift of the mean."))
    for said in (release.statement, *release.statement.get("also", ())):
        console.print(Text("Holds: " + said["says"]))
    console.print(Text("Does not protect against " + release.statement["does_not_protect_against"][0] + "."))
    for note in release.notes:
        console.print(Text(f"Note: {note}."))
    print_written(console, outputs)


def print_written(console: Console, outputs: Sequence[str]) -> None:
    """The files that there are now."""
    files = [path for path in outputs if path != "-"]
    if files:
        console.print(Text("Written: " + ", ".join(files)))


def loss_table(columns: Sequence[ColumnLoss]) -> Table:
    """A row for each quasi-identifier."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("column", "kind"):
        table.add_column(heading)
    for heading in ("D", "changed", "bias (sd)", "variance kept"):
        table.add_column(heading, justify="right")
    for column in columns:
        table.add_row(
            Text(column.name),
            column.kind,
            f"{column.loss.distortion:.4f}",
            f"{column.changed:.1%}",
            "" if column.bias is None else f"{column.bias + 0.0:.1g}" if abs(column.bias) > 1e-9 else "0",
            "" if column.variance_ratio is None else f"{column.variance_ratio:.2%}",
        )
    return table


def print_comparison(trials: Sequence[Trial], outputs: Sequence[str]) -> None:
    """Where the figures went; and the figures on standard error, if standard output is for data."""
    console = Console(stderr=True, highlight=False)
    if "-" in outputs:
        console.print(comparison_table(trials))
    print_written(console, outputs)


def comparison_text(trials: Sequence[Trial]) -> str:
    """What each method lost with each k, as standard output shows it."""
    console = Console(highlight=False)
    with console.capture() as text:
        console.print(comparison_table(trials))
    return text.get()


def comparison_table(trials: Sequence[Trial]) -> Table:
    """A row for each method and k; the least distortion with each k is bold."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("method")
    for heading in ("k", "D", "above least", "seconds", "cells", "smallest", "largest"):
        table.add_column(heading, justify="right")
    least = {trial.k: min(other.distortion for other in trials if other.k == trial.k) for trial in trials}
    for before, trial in zip((trials[0], *trials), trials, strict=False):
        if before.k != trial.k:
            table.add_row()
        best = trial.distortion == least[trial.k]
        above = "least" if best else f"{trial.distortion / least[trial.k] - 1:+.1%}" if least[trial.k] else ""
        table.add_row(
            Text(trial.method),
            str(trial.k),
            f"{trial.distortion:.5f}",
            above,
            f"{trial.seconds:.3f}",
            f"{trial.cells:,}",
            f"{trial.smallest_cell:,}",
            f"{trial.largest_cell:,}",
            style="bold" if best else None,
        )
    return table
