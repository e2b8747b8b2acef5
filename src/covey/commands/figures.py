"""The commands that compare: methods over several k, and λ over several k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from covey.commands.asked import note_doubts, to_k, to_number, to_picture_format, to_schema
from covey.commands.outputs import progress_bar, to_paths, write
from covey.options import METHODS, Once, describing, expecting, figuring, grouping, listing, reading
from covey.process import tell

if TYPE_CHECKING:
    import pyarrow as pa

    from covey.comparison import Comparison
    from covey.io import Output
    from covey.schema import Schema
    from covey.sweep import Tradeoff


@click.command(cls=Once, short_help="Compare methods over several k.")
@reading
@listing("-k", "ks", of="values of k", metavar="K,…", default=("3,5,10",), show_default=True, help="Values of k.")
@listing(
    "--methods",
    of="names of methods",
    metavar="NAME,…",
    default=("mdav,vmdav,mst,mu-approx",),
    show_default=True,
    help=f"Some of {', '.join(METHODS)}.",
)
@describing
@grouping
@figuring
def compare(
    data: str, output: str | None, plot: str | None, *, as_json: bool, force: bool, quiet: bool, **asked: Any
) -> None:
    """Compare what methods lose on DATA (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe), and how fast.

    Every method is run with every K. Nothing is released: the figures are those that a release would have.
    """
    from covey import comparison

    table, columns = read_records(data, output, plot, asked, as_json=as_json, force=force)
    with progress_bar("comparing methods", quiet=quiet) as progress:
        found = comparison.compare(
            table,
            columns,
            methods=asked["methods"],
            ks=[to_k(k) for k in asked["ks"]],
            missing=asked["missing"],
            strata=asked["strata"],
            progress=progress,
        )
    note_doubts(asked, table, quiet=quiet or as_json)
    write_figures(found, output, plot, as_json=as_json, force=force, quiet=quiet)


@click.command(cls=Once, short_help="Quasi-identifiers' distortion against dependence.")
@reading
@listing("-k", "ks", of="values of k", metavar="K,…", default=("5,10,20",), show_default=True, help="Values of k.")
@listing(
    "--lambdas",
    of="values of λ",
    metavar="LAMBDA,…",
    default=("0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1",),
    show_default=True,
    help="How much it counts that cells predict the confidential columns, from 0 to 1.",
)
@click.option("--method", type=click.Choice(METHODS), default="mdav", show_default=True, help="How cells are formed.")
@expecting
@click.option(
    "--width",
    type=float,
    default=0.2,
    show_default=True,
    help="Of the intervals that count as different confidential values, in standard deviations.",
)
@describing
@grouping
@figuring
def tradeoff(
    data: str, output: str | None, plot: str | None, *, as_json: bool, force: bool, quiet: bool, **asked: Any
) -> None:
    """Sweep how much confidential columns count on DATA (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe).

    For every K and LAMBDA: the distortion of the quasi-identifiers, how badly cells predict the confidential columns,
    and how diverse these are in a cell. Nothing is released.
    """
    from covey import sweep

    table, columns = read_records(data, output, plot, asked, as_json=as_json, force=force)
    with progress_bar("sweeping λ", quiet=quiet) as progress:
        found = sweep.tradeoff(
            table,
            columns,
            k=[to_k(k) for k in asked["ks"]],
            lambdas=[to_number(text, "λ", "--lambdas 0,0.1,1") for text in asked["lambdas"]],
            method=asked["method"],
            expected=asked["expected"],
            width=asked["width"],
            missing=asked["missing"],
            strata=asked["strata"],
            progress=progress,
        )
    note_doubts(asked, table, quiet=quiet or as_json)
    write_figures(found, output, plot, as_json=as_json, force=force, quiet=quiet)


def read_records(
    data: str, output: str | None, plot: str | None, asked: dict[str, Any], *, as_json: bool, force: bool
) -> tuple[pa.Table, Schema]:
    """The records and what their columns are, once it is sure that the figures could be written."""
    from covey import io

    io.check_outputs(to_paths(output, plot, as_json=as_json), inputs=to_paths(data, asked["schema_file"]), force=force)
    if output is not None:
        io.check_format(output)
    if plot is not None:
        to_picture_format(plot)
    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    return table, to_schema(asked, table)


def write_figures(
    found: Comparison | Tradeoff, output: str | None, plot: str | None, *, as_json: bool, force: bool, quiet: bool
) -> None:
    """Write figures where they were asked for, and show them as a table where a person looks."""
    from covey.terminal import figures_text, print_figures

    outputs = to_paths(output, plot, as_json=as_json)
    silent = quiet or as_json
    text = figures_text(found) if not silent and "-" not in outputs else None
    write(to_figures(found, output, plot, as_json=as_json, text=text), force=force)
    if not silent:
        tell(lambda: print_figures(found, outputs))


def to_figures(
    found: Comparison | Tradeoff, output: str | None, plot: str | None, *, as_json: bool, text: str | None
) -> list[Output]:
    """What is to be written of figures, and where."""
    from covey.io import Output

    figures = [] if output is None else [Output(output, found.to_table())]
    if plot is not None:
        figures.append(Output(plot, found.picture(to_picture_format(plot))))
    if as_json:
        figures.append(Output("-", found.to_json()))
    if text is not None:
        figures.append(Output("-", text))
    return figures
