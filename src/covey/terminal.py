"""What people see on a terminal: progress, and what a release or a comparison lost."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from covey.comparison import Comparison, Trial
    from covey.measures import ColumnLoss
    from covey.release import Release
    from covey.sweep import Point, Tradeoff
    from covey.verification import Verification


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
    if measures.predictability is not None:
        loss = measures.predictability.loss
        console.print(Text(f"Predictability loss of the confidential columns D_Y = {loss:.4f}"))
    for said in (release.statement, *release.statement.get("also", ())):
        console.print(Text("Holds: " + said["says"]))
    console.print(Text("Does not protect against " + release.statement["does_not_protect_against"][0] + "."))
    for measured in release.statement["measured_diversity"]:
        console.print(Text("  " + measured["says"]))
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


def print_figures(found: Comparison | Tradeoff, outputs: Sequence[str]) -> None:
    """Where the figures went; and the figures on standard error, if standard output is for data."""
    console = Console(stderr=True, highlight=False)
    if "-" in outputs:
        console.print(_figures_table(found))
    print_written(console, outputs)


def figures_text(found: Comparison | Tradeoff) -> str:
    """The figures as standard output shows them."""
    console = Console(highlight=False)
    with console.capture() as text:
        console.print(_figures_table(found))
    return text.get()


def _figures_table(found: Comparison | Tradeoff) -> Table:
    return tradeoff_table(found.points) if hasattr(found, "points") else comparison_table(found.trials)


def tradeoff_table(points: Sequence[Point]) -> Table:
    """A row for each k and λ."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("k", "λ", "D_X", "over λ=0", "D_Y", "over λ=0", "ℓ_avg", "cells", "smallest", "largest"):
        table.add_column(heading, justify="right")
    for before, point in zip((points[0], *points), points, strict=False):
        if before.k != point.k:
            table.add_row()
        table.add_row(
            str(point.k),
            f"{point.weight:g}",
            f"{point.distortion:.4f}",
            _increment(point.distortion_increment),
            f"{point.predictability_loss:.4f}",
            _increment(point.loss_increment),
            f"{point.average_diversity:.2f}",
            f"{point.cells:,}",
            f"{point.smallest_cell:,}",
            f"{point.largest_cell:,}",
        )
    return table


def _increment(value: float) -> str:
    return f"{value:+.1%}" if math.isfinite(value) and value else ""


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


SHOWN = 10  # culprits


def verification_text(found: Verification) -> str:
    """Whether a table holds what was asked, and which columns are to blame if not, as standard output shows it."""
    console = Console(highlight=False)
    with console.capture() as text:
        _print_verification(console, found)
    return text.get()


def _print_verification(console: Console, found: Verification) -> None:
    verdict = "holds" if found.holds else "does not hold"
    console.print(Text(f"{found.k}-anonymity {verdict} of {', '.join(found.columns)}.", style="bold"))
    console.print(
        Text(f"{found.records:,} records in {found.cells:,} cells; the smallest has {_records(found.smallest_cell)}.")
    )
    for name in found.identifiers:
        console.print(Text(f"Note: the table has {name}, an identifier by its schema."))
    if found.holds:
        return
    share = found.below / found.records
    console.print(
        Text(f"{_records(found.below)} ({share:.1%}) in cells of fewer than {found.k}, {found.alone:,} of them alone.")
    )
    console.print()
    _print_culprits(console, found)
    console.print()
    table = _figures("left out", "still below k")
    for column in found.left_out:
        table.add_row(Text(column.column), f"{column.below:,}")
    console.print(table)


def _print_culprits(console: Console, found: Verification) -> None:
    table = _figures("at fault, though no part of it is", "records below k", "smallest group")
    for culprit in found.culprits[:SHOWN]:
        table.add_row(Text(", ".join(culprit.columns)), f"{culprit.below:,}", f"{culprit.smallest:,}")
    console.print(table)
    if len(found.culprits) > SHOWN:
        console.print(Text(f"and {len(found.culprits) - SHOWN:,} more combinations: --json shows them"))
    if not found.complete:
        console.print(Text(f"{found.searched:,} combinations were counted, not all: there may be more at fault"))


def _figures(heading: str, *figures: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(heading)
    for figure in figures:
        table.add_column(figure, justify="right")
    return table


def _records(count: int) -> str:
    return f"{count:,} record" if count == 1 else f"{count:,} records"
