"""The command that reports on a release."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click

from covey.commands.outputs import to_paths, write
from covey.errors import InvalidInput
from covey.options import Once, listing
from covey.process import say

if TYPE_CHECKING:
    import pyarrow as pa

    from covey.io import Output
    from covey.matrix import Rows
    from covey.release import Release
    from covey.sweep import Tradeoff

EXAMPLE = """
\b
Examples:
  covey report release.csv --recipe release.json -o report.html
  covey report release.csv --recipe release.json --original patients.csv --labels labels.csv -o internal.html
"""
WARNING = "shows original records: it is an internal report, not for publication"


@click.command(cls=Once, epilog=EXAMPLE, short_help="Report on a release, for people.")
@click.argument("release", metavar="RELEASE")
@click.option(
    "--recipe", required=True, metavar="FILE", help="The recipe of the release, which anonymize --recipe wrote."
)
@click.option(
    "--original", metavar="FILE", help="The input of the release. With it the report is internal: it shows its records."
)
@click.option(
    "--labels", metavar="FILE", help="Which original each record was, which anonymize --labels wrote; of CSV or others."
)
@click.option("--public", is_flag=True, help="Say that no original is to be looked at, as it is without --original.")
@listing("--scatter", metavar="NAME,NAME", help="The two quasi-identifiers to draw against each other.")
@click.option("--tradeoff", metavar="FILE", help="A sweep to draw, which tradeoff --json printed; with --original.")
@click.option("--null", multiple=True, metavar="TEXT", help="A field of CSV or TSV that means missing; of --original.")
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the page goes; by default to standard output.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say that a report is internal.")
def report(release: str, output: str, *, force: bool, quiet: bool, **asked: Any) -> None:
    """Report on RELEASE (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe) as one HTML page.

    Without the original the page is public: it shows only what can be computed from the release and its recipe. With
    it the page is internal, and says so.
    """
    from covey import io
    from covey.report import make_report

    refuse_idle(asked)
    inputs = to_paths(release, asked["recipe"], asked["original"], asked["labels"], asked["tradeoff"])
    io.check_outputs([output], inputs=inputs, force=force)
    table = io.read_table(release)
    document = read_json(asked["recipe"], "that covey anonymize --recipe wrote")
    sweep = None if asked["tradeoff"] is None else read_sweep(asked["tradeoff"])
    original = None if asked["original"] is None else io.read_table(asked["original"], null=("", *asked["null"]))
    made = make_report(
        table,
        document,
        original=original,
        rows=None if original is None else to_rows(asked["labels"], document, table),
        scatter=asked["scatter"] or None,
        tradeoff=sweep,
    )
    write([io.Output(output, made.html)], force=force)
    if made.internal and not quiet:
        say(f"{'the report' if output == '-' else output} {WARNING}")


def refuse_idle(asked: dict[str, Any]) -> None:
    """Refuse options that would have no effect."""
    if asked["public"] and asked["original"]:
        raise click.UsageError("--public leaves the original out: give --public or --original")
    if asked["original"] is None and (asked["labels"] or asked["null"] or asked["tradeoff"]):
        raise click.UsageError("--labels, --null and --tradeoff are for --original: give it too")


def read_json(path: str, what: str) -> Any:
    """The values of a JSON file."""
    from covey import io

    document: Any = None
    text = io.read_text(path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):  # the latter where brackets are nested without end
        document = None
    if document is None:
        raise InvalidInput(f"{path} is not JSON: give the file {what}")
    return document


def read_sweep(path: str) -> Tradeoff:
    """What `covey tradeoff --json` printed."""
    from covey.report.checks import MAYBE, NUMBER, misfits
    from covey.sweep import Point, Tradeoff

    plain = read_json(path, "that covey tradeoff --json printed")
    names = [field.name for field in fields(Point)]
    if misfits(plain, [dict.fromkeys(names, MAYBE) | {"k": int, "weight": NUMBER}], "points"):
        raise InvalidInput(f"{path} holds no sweep: give the file that covey tradeoff --json printed")
    points: list[dict[str, Any]] = [
        {name: math.nan if point.get(name) is None else point[name] for name in names} for point in plain
    ]
    return Tradeoff(tuple(Point(**point) for point in points), None)


def to_rows(labels: str | None, document: Any, table: pa.Table) -> Rows | None:
    """Which original record each published one was; none if they are in the same order."""
    from covey import io
    from covey.report.checks import check_document, rows_of_labels

    if labels is not None:
        return rows_of_labels(io.read_table(labels), table.num_rows)
    told = check_document(document)
    if told["recipe"].get("shuffled", True) or told["measures"]["withheld"]:
        why = "were shuffled" if told["recipe"].get("shuffled", True) else "are not all of the input"
        raise InvalidInput(
            f"the records of the release {why}: give --labels, the file that covey anonymize --labels wrote with it"
        )
    return None


def check_report(asked: dict[str, Any]) -> None:
    """Refuse a kind of report where none is asked for."""
    if asked["report_public"] and asked["report"] is None:
        raise click.UsageError("--report-public is for --report: give it too")


def report_outputs(release: Release, table: pa.Table, asked: dict[str, Any]) -> list[Output]:
    """The report that `covey anonymize --report` asks for, if it does."""
    from covey.io import Output

    if asked["report"] is None:
        return []
    return [Output(asked["report"], release.report(table, public=asked["report_public"]).html)]


def warn(asked: dict[str, Any]) -> None:
    """Say that a report is internal."""
    if asked["report"] is not None and not asked["report_public"]:
        say(f"{asked['report']} {WARNING}")
