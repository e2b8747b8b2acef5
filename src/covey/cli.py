"""The command line: words in, words out, no logic."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from covey import process
from covey.errors import InvalidInput
from covey.options import FORMATS, METHODS, Commands, Gamma, criteria, describing, grouping, least, listing, reading
from covey.process import say, tell
from covey.stopping import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from covey.comparison import Comparison
    from covey.io import Output
    from covey.release import Release
    from covey.schema import Schema

EXAMPLE = """
\b
Example:
  covey anonymize patients.csv --quasi age,sex --identifier name --confidential tsh -k 5 -o release.csv
"""
EXAMPLES = """
\b
Examples:
  covey schema patients.csv -o patients.toml       draft a schema, then edit it
  covey anonymize patients.csv --schema patients.toml -k 5 -o release.parquet
  covey anonymize patients.csv --quasi age,sex --identifier name --confidential tsh -k 5 -o release.csv
  covey compare patients.csv --schema patients.toml -k 3,5,10 --plot curves.png
  covey bound patients.csv --schema patients.toml -k 5
"""


@click.group(
    cls=Commands, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="covey")
def cli() -> None:
    """Publish microdata in which nobody stands alone.

    Every record of a release shares its quasi-identifiers with at least k − 1 others.
    """


@cli.command(short_help="Draft a schema that a person edits.")
@reading
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the TOML goes; by default to the terminal.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def schema(data: str, output: str, *, null: tuple[str, ...], input_format: str | None, force: bool) -> None:
    """Draft a schema of DATA (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe) from its types and names.

    Look at every role before you release anything: the draft takes columns that look like identifiers for such, and
    all others for quasi-identifiers, the cautious guess.
    """
    from covey import infer, io
    from covey.inference import doubts

    io.check_outputs([output], inputs=[data], force=force)
    table = io.read_table(data, format=input_format, null=("", *null))
    draft = infer(table)
    write([io.Output(output, draft.to_toml())], force=force)
    for doubt in doubts(table, [column.name for column in draft.quasi]):
        say(f"Note: {doubt}.")
    say(f"{len(draft.columns)} columns drafted: look at every role, and order the categories of ordinal columns")


@cli.command(epilog=EXAMPLE, short_help="Release a table in which nobody stands alone.")
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

    outputs = to_paths(output, asked["recipe"], asked["labels"], as_json=as_json)
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
    write(to_outputs(release, output, asked, as_json=as_json), force=force)
    if not quiet:
        from covey.terminal import print_summary

        tell(lambda: print_summary(release, outputs))


@cli.command(short_help="Compare methods over several k.")
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
@click.option("-o", "--output", metavar="FILE", help="Write the figures as a table, in the format its suffix says.")
@click.option("--plot", metavar="FILE", help="Draw the information loss against k, as .png or .svg.")
@describing
@grouping
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON, for scripts, and no table.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("-q", "--quiet", is_flag=True, help="No progress and no table.")
def compare(
    data: str, output: str | None, plot: str | None, *, as_json: bool, force: bool, quiet: bool, **asked: Any
) -> None:
    """Compare what methods lose on DATA (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe), and how fast.

    Every method is run with every K. Nothing is released: the figures are those that a release would have.
    """
    from covey import comparison, io

    outputs = to_paths(output, plot, as_json=as_json)
    io.check_outputs(outputs, inputs=to_paths(data, asked["schema_file"]), force=force)
    if output is not None:
        io.check_format(output)
    if plot is not None:
        to_picture_format(plot)
    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    columns = to_schema(asked, table)
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
    silent = quiet or as_json
    note_doubts(asked, table, quiet=silent)
    write(to_figures(found, output, plot, as_json=as_json, as_text=not silent and "-" not in outputs), force=force)
    if not silent:
        from covey.terminal import print_comparison

        tell(lambda: print_comparison(found.trials, outputs))


def to_figures(
    comparison: Comparison, output: str | None, plot: str | None, *, as_json: bool, as_text: bool
) -> list[Output]:
    """What is to be written of a comparison, and where."""
    from covey.io import Output

    figures = [] if output is None else [Output(output, comparison.to_table())]
    if plot is not None:
        figures.append(Output(plot, comparison.picture(to_picture_format(plot))))
    if as_json:
        figures.append(Output("-", comparison.to_json()))
    if as_text:
        from covey.terminal import comparison_text

        figures.append(Output("-", comparison_text(comparison.trials)))
    return figures


def to_picture_format(path: str) -> str:
    """The format of a picture, which its suffix says."""
    from covey import pictures

    format = path.rpartition(".")[2].lower() if path != "-" else ""  # noqa: A001 (the word users know)
    pictures.require(format)
    return format


def to_paths(*paths: str | None, as_json: bool = False) -> list[str]:
    """The files that are asked for, and standard output if JSON is to go there, which then is for nothing else."""
    given = [path for path in paths if path is not None]
    if as_json and "-" in given:
        raise click.UsageError("--json prints on standard output, so the table needs a file: -o FILE")
    return [*given, "-"] if as_json else given


@cli.command(short_help="How little any release could lose.")
@reading
@least
@describing
def bound(data: str, **asked: Any) -> None:
    """Print a distortion that no k-anonymous release of DATA goes below, and how far above it that of mdav can be.

    For continuous quasi-identifiers without missing values.
    """
    from covey import io
    from covey.bounds.tables import bound_table

    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    columns = to_schema(asked, table)
    with progress_bar("bounding", quiet=False) as progress:
        found = bound_table(table, columns, to_k(asked["k"]), progress=progress)
    note_doubts(asked, table, quiet=False)
    sentence = (
        f"{found.records:,} records: no release has a distortion below D = {found.distortion:.4f}; that of mdav is"
        f" {found.mdav:.4f}, at most {100 * found.gap:.0f} % above the least\n"
    )
    write([io.Output("-", sentence)], force=False)


def to_method(asked: dict[str, Any]) -> Any:
    """The estimator that the options ask for."""
    from covey.methods import make_method, refined
    from covey.partition import Blocks

    options = {name: asked[name] for name in ("tail", "gamma", "split", "cells", "ordinal_average", "threads")}
    method: Any = make_method(asked["method"], to_k(asked["k"]), **options)
    if asked["blocks"] is not None:
        method = Blocks(method, asked["blocks"])
    seconds, steps, seed = asked["refine"], asked["refine_steps"], asked["refine_seed"]
    if seconds is None and steps is None:
        if seed is not None:
            raise click.UsageError("--refine-seed is for --refine or --refine-steps: give one of them")
        return method
    return refined(method, seconds=seconds, steps=steps, seed=seed)


def to_criteria(asked: dict[str, Any]) -> dict[str, Any]:
    """What the confidential values of every cell must be like."""
    from covey.criteria import Close, Diverse

    l, kind, constant = asked["l_diverse"], asked["l_kind"], asked["l_constant"]  # noqa: E741 (the papers' ℓ)
    if l is None and (kind is not None or constant is not None):
        raise click.UsageError("--l-kind and --l-constant are for --l-diverse: give that, too")
    if asked["t_close"] is None and asked["t_first"]:
        raise click.UsageError("--t-first is for --t-close: give that, too")
    whole = l is not None and l.is_integer()
    diverse = None if l is None else Diverse(int(l) if whole else l, kind or "distinct", constant)
    close = (
        None if asked["t_close"] is None else Close(asked["t_close"], method="first" if asked["t_first"] else "best")
    )
    return {"p_sensitive": asked["p_sensitive"], "l_diverse": diverse, "t_close": close}


def to_k(text: str) -> int:
    """The whole number that a text is."""
    if not text.isascii() or not text.removeprefix("-").isdigit():
        raise InvalidInput("k must be a whole number of at least 2, such as -k 5")
    return int(text)


def to_schema(asked: dict[str, Any], table: pa.Table) -> Schema:
    """The schema from its file or from the options."""
    from covey import Schema, io

    roles = {"quasi": asked["quasi"], "identifiers": asked["identifier"]}
    roles |= {"confidential": asked["confidential"], "other": asked["other"]}
    kinds = {kind: asked[kind] for kind in ("ordinal", "nominal", "continuous")}
    decimals = asked.get("decimals", ())
    by_option = [*roles.values(), *kinds.values(), decimals]
    if asked["schema_file"]:
        if any(by_option):
            raise click.UsageError("give --schema, or the roles and kinds by options, not both")
        return Schema.from_toml(io.read_text(asked["schema_file"]))
    if not any(by_option):
        raise click.UsageError("say what the columns are: --schema FILE (draft one with covey schema), or --quasi …")
    refuse_idle_kinds(kinds, asked["quasi"])
    return Schema.of(
        **roles,
        ordinal=to_orders(asked["ordinal"], table),
        nominal=asked["nominal"],
        continuous=asked["continuous"],
        decimals=to_decimals(decimals),
        table=table,
    )


def to_doubts(asked: dict[str, Any], table: pa.Table) -> list[str]:
    """What may be wrong with the kinds that were not asked for but inferred."""
    from covey.inference import doubts

    given = {text.partition("=")[0] for text in asked["ordinal"]}.union(asked["nominal"], asked["continuous"])
    return doubts(table, [name for name in asked["quasi"] if name not in given])


def note_doubts(asked: dict[str, Any], table: pa.Table, *, quiet: bool) -> None:
    """Say what may be wrong with the inferred kinds, where there is no release that would tell."""
    for doubt in () if quiet else to_doubts(asked, table):
        say(f"Note: {doubt}.")


def refuse_idle_kinds(kinds: dict[str, Sequence[str]], quasi: Sequence[str]) -> None:
    """Refuse kinds of columns that are not averaged, where they would have no effect."""
    for kind, texts in kinds.items():
        names = [text.partition("=")[0] for text in texts] if kind == "ordinal" else texts
        idle = [name for name in names if name not in quasi]
        if idle:
            listed = ", ".join(map(repr, idle))
            raise click.UsageError(f"--{kind} is for quasi-identifiers, which are averaged; not for {listed}")


def to_orders(texts: Sequence[str], table: pa.Table) -> dict[str, tuple[Any, ...]]:
    """Ordinal columns and their categories, read as values of the column's type."""
    from covey.inference import categories_of_texts

    orders = {}
    for text in texts:
        name, _, categories = text.partition("=")
        if name in orders:
            raise click.UsageError(f"--ordinal is given twice for column {name!r}: give its categories once")
        orders[name] = categories_of_texts(table, name, categories.split(",") if categories else [])
    return orders


def to_decimals(texts: Sequence[str]) -> dict[str, int]:
    """Decimals by column."""
    decimals = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if not name or not (number.isascii() and number.isdecimal()):
            raise click.UsageError("--decimals takes a column and a whole number, such as age=1")
        if name in decimals:
            raise click.UsageError(f"--decimals is given twice for column {name!r}: give one number")
        decimals[name] = int(number)
    return decimals


def is_published(columns: Schema, name: str) -> bool:
    """Whether a column is published as it is."""
    return name in columns and columns[name].role.value in ("confidential", "other")


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


def write(outputs: Sequence[Output], *, force: bool) -> None:
    """Write all the outputs or none, and remember what there is, for the words with which the command ends."""
    from covey import io

    stop = click.get_current_context().find_object(Stop) or Stop()
    stop.streamed = any(output.path == "-" for output in outputs)
    stop.check()
    files = [str(output.path) for output in outputs if output.path != "-"]
    io.write_outputs(outputs, force=force, renaming=stop.holding(files))


@contextmanager
def progress_bar(task: str, *, quiet: bool) -> Iterator[Any]:
    """A bar on a terminal, and nothing elsewhere."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from covey.terminal import progress_bar as bar

    with bar(task) as progress:
        yield progress


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process."""
    process.run_and_exit(cli, arguments)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line within a process that goes on; returns the exit code."""
    return process.run(cli, arguments)
