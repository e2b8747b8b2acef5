"""The command that releases a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from covey.commands.asked import (
    is_published,
    to_column_blocks,
    to_criteria,
    to_dependence,
    to_doubts,
    to_method,
    to_schema,
)
from covey.commands.outputs import progress_bar, to_paths, write
from covey.commands.report import check_report, report_outputs, warn
from covey.options import FORMATS, METHODS, Gamma, Once, criteria, describing, expecting, grouping, least, reading
from covey.process import tell

if TYPE_CHECKING:
    from covey.io import Output
    from covey.release import Release


EXAMPLE = """
\b
Example:
  covey anonymize patients.csv --quasi age,sex --identifier name --confidential tsh -k 5 -o release.csv
"""


@click.command(cls=Once, epilog=EXAMPLE, short_help="Release a table in which nobody stands alone.")
@reading
@least
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    help="Where the release goes, in the format its suffix says; by default as CSV to standard output.",
)
@describing
@click.option("--decimals", multiple=True, metavar="NAME=N", help="Decimals of a column's published means.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="mdav",
    show_default=True,
    help="How cells are formed. With individual-ranking the columns are not jointly k-anonymous.",
)
@click.option(
    "--tail",
    type=click.Choice(["split", "adjoin"]),
    help="mdav: the last records become two cells, or fewer than K join the last cell. [default: split]",
)
@click.option(
    "--gamma",
    type=Gamma(),
    help="vmdav: the greater, the more readily cells grow beyond K; best tries 0 to 2. [default: 0.2]",
)
@click.option(
    "--split",
    type=click.Choice(["md", "none"]),
    help="mst: cells of 2K records or more are divided by md, or left as they are. [default: md]",
)
@click.option(
    "--cells",
    type=click.Choice(["optimal", "fixed", "mdav"]),
    help="individual-ranking: cells of a column are of least loss, of K records each, or by mdav. [default: optimal]",
)
@click.option("--blocks", type=int, metavar="N", help="Form cells within blocks of at most N records near each other.")
@click.option(
    "--ordinal-average",
    type=click.Choice(["median", "convex"]),
    help="The average of ordinal columns. [default: median]",
)
@click.option("--refine", type=float, metavar="SECONDS", help="Lower the distortion of the method's cells for so long.")
@click.option("--refine-steps", type=int, metavar="N", help="The same by steps, so that the cells are repeatable.")
@click.option("--refine-seed", type=int, metavar="N", help="Of the refinement: another is another search. [default: 0]")
@click.option("--threads", type=int, metavar="N", help="mdav, md: by default as many as help. The release is the same.")
@click.option(
    "--dependence",
    type=float,
    metavar="LAMBDA",
    help="From 0 to 1: how much it counts that cells predict the confidential columns well.",
)
@expecting
@click.option(
    "--column-blocks",
    multiple=True,
    metavar="N|COLUMNS",
    help="Form cells for each N quasi-identifiers, or for these, by themselves; may be repeated for further blocks.",
)
@click.option(
    "--guarantee",
    type=click.Choice(["joint", "per-block"]),
    default="joint",
    show_default=True,
    help="What is to hold: with --column-blocks k holds per-block only, which must be asked for so.",
)
@grouping
@criteria
@click.option("--weights", metavar="NAME", help="A column of record weights for the averages.")
@click.option("--preserve-variance", is_flag=True, help="Rescale continuous columns to their original variance.")
@click.option("--keep-order", is_flag=True, help="Do not shuffle the records: their order may tell who they are.")
@click.option("--seed", type=int, metavar="N", help="For a repeatable shuffle; keep it secret.")
@click.option(
    "--output-format",
    type=click.Choice(FORMATS),
    help="Of the output: by default what its suffix says, and CSV on a pipe.",
)
@click.option("--recipe", metavar="FILE", help="Write recipe, guarantee and measures as JSON, too.")
@click.option(
    "--labels", metavar="FILE", help="Write the cell of every input record, too: secret, it links release and input."
)
@click.option("--report", metavar="FILE", help="Write a report as HTML, too: internal, it shows original records.")
@click.option("--report-public", is_flag=True, help="A report without the original records, which may be published.")
@click.option("--json", "as_json", is_flag=True, help="Print recipe, guarantee and measures as JSON, for scripts.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
def anonymize(data: str, output: str, *, as_json: bool, force: bool, quiet: bool, **asked: Any) -> None:
    """Release DATA (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe) k-anonymously.

    Identifiers are dropped, quasi-identifiers replaced by averages of at least K records, the rest is published as it
    is, and records are shuffled. The output is recounted before it is written; if anything is wrong, nothing is.

    Every column needs a role, from a schema or by the options. COLUMNS are names separated by commas.
    """
    import pyarrow as pa

    from covey import io
    from covey.release import anonymize as release_table

    check_report(asked)
    outputs = to_paths(output, asked["recipe"], asked["labels"], asked["report"], as_json=as_json)
    io.check_outputs(outputs, inputs=to_paths(data, asked["schema_file"]), force=force)
    kind = io.check_format(output, asked["output_format"])
    if asked["labels"]:
        io.check_format(asked["labels"])
    method = to_method(asked)
    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    columns = to_schema(asked, table)
    io.check_types(pa.schema([field for field in table.schema if is_published(columns, field.name)]), kind)
    refining = asked["refine"] is not None or asked["refine_steps"] is not None
    with progress_bar("refining cells" if refining else "forming cells", quiet=quiet) as progress:
        release = release_table(
            table,
            columns,
            method=method,
            dependence=to_dependence(asked),
            column_blocks=to_column_blocks(asked["column_blocks"]),
            guarantee=asked["guarantee"],
            missing=asked["missing"],
            strata=asked["strata"],
            weights=asked["weights"],
            **to_criteria(asked),
            preserve_variance=asked["preserve_variance"],
            keep_order=asked["keep_order"],
            seed=asked["seed"],
            progress=progress,
        )
    release = replace(release, notes=(*release.notes, *to_doubts(asked, table)))
    pages = report_outputs(release, table, asked)
    write([*pages, *to_outputs(release, output, asked, as_json=as_json)], force=force)
    if not quiet:
        from covey.terminal import print_summary

        tell(lambda: print_summary(release, outputs))
        warn(asked)


def to_outputs(release: Release, output: str, asked: dict[str, Any], *, as_json: bool) -> list[Output]:
    """What is to be written where."""
    from covey.io import Output

    outputs = [Output(output, release.table, asked["output_format"])]
    if asked["recipe"]:
        outputs.append(Output(asked["recipe"], release.to_json()))
    if asked["labels"]:
        outputs.append(Output(asked["labels"], release.labels_table()))
    if as_json:
        outputs.append(Output("-", release.to_json()))
    return outputs
