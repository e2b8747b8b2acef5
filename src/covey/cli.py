"""The command line: words in, words out, no logic."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from covey.errors import CoveyError, FileError, GuaranteeError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from covey.release import Release
    from covey.schema import Schema

EXIT_FAULT, EXIT_INPUT, EXIT_STOPPED = 1, 2, 130
EXIT_CODES: dict[type[CoveyError], int] = {GuaranteeError: 3, FileError: 4}
METHODS = ("mdav", "md", "vmdav", "univariate", "individual-ranking")
FORMATS = ("csv", "tsv", "parquet", "arrow")
EXAMPLES = """
\b
Examples:
  covey schema patients.csv -o patients.toml       draft a schema, then edit it
  covey anonymize patients.csv --schema patients.toml -k 5 -o release.parquet
  covey anonymize patients.csv --quasi age,sex --identifier name --confidential tsh -k 5 -o release.csv
"""


class Names(click.ParamType[tuple[str, ...]]):
    """Column names, separated by commas."""

    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:  # noqa: ARG002 (click's signature)
        """The names, without the blanks around them."""
        if not isinstance(value, str):
            return tuple(value)
        return tuple(name.strip() for name in value.split(",") if name.strip())


class Gamma(click.ParamType[Any]):
    """A number or the word best."""

    name = "number|best"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or the word."""
        if value == "best":
            return value
        try:
            return float(value)
        except ValueError:
            self.fail('expected a number of at least 0, or "best"', param, ctx)


@click.group(epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="covey")
def cli() -> None:
    """Publish microdata in which nobody stands alone.

    Every record of a release shares its quasi-identifiers with at least k − 1 others.
    """


def reading(command: Any) -> Any:
    """The options of every command that reads a table."""
    for option in (
        click.option(
            "--null",
            multiple=True,
            metavar="TEXT",
            help="A field of CSV or TSV that means missing, beside the empty one; may be repeated.",
        ),
        click.option(
            "--input-format",
            type=click.Choice(FORMATS),
            help="Of the input: by default what its suffix says, and recognised on a pipe.",
        ),
        click.argument("data", metavar="DATA"),
    ):
        command = option(command)
    return command


@cli.command(short_help="Draft a schema that a person edits.")
@reading
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the TOML goes; by default to the terminal.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def schema(data: str, output: str, *, null: tuple[str, ...], input_format: str | None, force: bool) -> None:
    """Draft a schema of DATA (.csv, .tsv, .parquet, .arrow, or - for a pipe) from its types and names.

    Look at every role before you release anything: the draft takes columns that look like identifiers for such, and
    all others for quasi-identifiers, the cautious guess.
    """
    from covey import infer, io

    io.check_outputs([output], inputs=[data], force=force)
    draft = infer(io.read_table(data, format=input_format, null=("", *null)))
    io.write_text(draft.to_toml(), output, force=force)
    say(f"{len(draft.columns)} columns drafted: look at every role, and order the categories of ordinal columns")


@cli.command(short_help="Release a table in which nobody stands alone.")
@reading
@click.option("-k", required=True, metavar="K", help="The least number of records that share their quasi-identifiers.")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where the release goes, in the format its suffix says."
)
@click.option(
    "--schema", "schema_file", metavar="FILE", help="What each column is, in TOML; or say it with the options below."
)
@click.option("--quasi", type=Names(), default=(), help="Columns by which a person may be recognised: averaged.")
@click.option("--identifier", type=Names(), default=(), help="Columns that name a person: dropped.")
@click.option("--confidential", type=Names(), default=(), help="Columns to study: published as they are.")
@click.option("--other", type=Names(), default=(), help="Harmless columns: published as they are.")
@click.option(
    "--ordinal", multiple=True, metavar="NAME[=LOW,…,HIGH]", help="An ordinal column and the order of its categories."
)
@click.option(
    "--nominal", type=Names(), default=(), help="Columns of categories without order, such as codes that are numbers."
)
@click.option("--decimals", multiple=True, metavar="NAME=N", help="Decimals of a column's published means.")
@click.option("--method", type=click.Choice(METHODS), default="mdav", show_default=True, help="How cells are formed.")
@click.option("--tail", type=click.Choice(["split", "adjoin"]), help="mdav: how the last records are dealt with.")
@click.option("--gamma", type=Gamma(), help="vmdav: how readily cells grow.")
@click.option(
    "--cells", type=click.Choice(["optimal", "fixed", "mdav"]), help="individual-ranking: the cells of a column."
)
@click.option("--ordinal-average", type=click.Choice(["median", "convex"]), help="The average of ordinal columns.")
@click.option("--refine", type=float, metavar="SECONDS", help="Lower the distortion of the method's cells for so long.")
@click.option("--refine-steps", type=int, metavar="N", help="The same by steps, so that the cells are repeatable.")
@click.option("--refine-seed", type=int, metavar="N", help="Of the refinement: another is another search.")
@click.option("--threads", type=int, metavar="N", help="mdav, md: by default as many as help. The release is the same.")
@click.option(
    "--missing",
    type=click.Choice(["error", "own-cells", "drop"]),
    default="error",
    show_default=True,
    help="What becomes of records that lack a quasi-identifier.",
)
@click.option("--strata", type=Names(), default=(), help="Columns whose values no cell mixes.")
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
    """Release DATA (.csv, .tsv, .parquet, .arrow, or - for a pipe) k-anonymously.

    Identifiers are dropped, quasi-identifiers replaced by averages of at least K records, the rest is published as it
    is, and records are shuffled. The output is recounted before it is written; if anything is wrong, nothing is.
    """
    from covey import io
    from covey.release import anonymize as release_table

    outputs = [path for path in (output, asked["recipe"], asked["labels"]) if path is not None]
    if as_json and "-" in outputs:
        raise click.UsageError("--json prints on standard output, so the release needs a file: -o FILE")
    io.check_outputs(outputs, inputs=[path for path in (data, asked["schema_file"]) if path], force=force)
    io.check_format(output, asked["output_format"])
    method = to_method(asked)
    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    columns = to_schema(asked, table)
    refining = asked["refine"] is not None or asked["refine_steps"] is not None
    with progress_bar("refining cells" if refining else "forming cells", quiet=quiet) as progress:
        release = release_table(
            table,
            columns,
            method=method,
            missing=asked["missing"],
            strata=asked["strata"],
            weights=asked["weights"],
            preserve_variance=asked["preserve_variance"],
            keep_order=asked["keep_order"],
            seed=asked["seed"],
            progress=progress,
        )
    io.write_outputs(to_outputs(release, output, asked), force=force)
    if as_json:
        click.echo(release.to_json(), nl=False)
    if not quiet:
        from covey.terminal import print_summary

        print_summary(release, outputs)


def to_method(asked: dict[str, Any]) -> Any:
    """The estimator that the options ask for."""
    from covey.methods import make_method, refined

    options = {name: asked[name] for name in ("tail", "gamma", "cells", "ordinal_average", "threads")}
    method = make_method(asked["method"], to_k(asked["k"]), **options)
    seconds, steps, seed = asked["refine"], asked["refine_steps"], asked["refine_seed"]
    if seconds is None and steps is None:
        if seed is not None:
            raise click.UsageError("--refine-seed is for --refine or --refine-steps: give one of them")
        return method
    return refined(method, seconds=seconds, steps=steps, seed=seed)


def to_k(text: str) -> int:
    """The whole number that a text is."""
    try:
        return int(text)
    except ValueError:
        raise InvalidInput("k must be a whole number of at least 2, such as -k 5") from None


def to_schema(asked: dict[str, Any], table: pa.Table) -> Schema:
    """The schema from its file or from the options."""
    from covey import Schema, io

    roles = {"quasi": asked["quasi"], "identifiers": asked["identifier"]}
    roles |= {"confidential": asked["confidential"], "other": asked["other"]}
    by_option = [*roles.values(), asked["ordinal"], asked["nominal"], asked["decimals"]]
    if asked["schema_file"]:
        if any(by_option):
            raise click.UsageError("give --schema, or the roles and kinds by options, not both")
        return Schema.from_toml(io.read_text(asked["schema_file"]))
    if not any(by_option):
        raise click.UsageError("say what the columns are: --schema FILE (draft one with covey schema), or --quasi …")
    return Schema.of(
        **roles,
        ordinal=to_orders(asked["ordinal"], table),
        nominal=asked["nominal"],
        decimals=to_decimals(asked["decimals"]),
        table=table,
    )


def to_orders(texts: Sequence[str], table: pa.Table) -> dict[str, tuple[Any, ...]]:
    """Ordinal columns and their categories, read as values of the column's type."""
    from covey.inference import categories_of_texts

    orders = {}
    for text in texts:
        name, _, categories = text.partition("=")
        orders[name] = categories_of_texts(table, name, categories.split(",") if categories else [])
    return orders


def to_decimals(texts: Sequence[str]) -> dict[str, int]:
    """Decimals by column."""
    decimals = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        if not name or not number.isdecimal():
            raise click.UsageError("--decimals takes a column and a whole number, such as age=1")
        decimals[name] = int(number)
    return decimals


def to_outputs(release: Release, output: str, asked: dict[str, Any]) -> list[Any]:
    """What is to be written where."""
    from covey.io import Output

    outputs = [Output(output, release.table, asked["output_format"])]
    if asked["recipe"]:
        outputs.append(Output(asked["recipe"], release.to_json()))
    if asked["labels"]:
        outputs.append(Output(asked["labels"], release.labels_table()))
    return outputs


@contextmanager
def progress_bar(task: str, *, quiet: bool) -> Iterator[Any]:
    """A bar on a terminal, and nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from covey.terminal import progress_bar as bar

    with bar(task) as progress:
        yield progress


def say(sentence: str) -> None:
    """A line for people, out of the way of data on standard output."""
    click.echo(sentence, err=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    0 done; 2 unusable input or options; 3 the guarantee does not hold; 4 a file cannot be read or written; 130
    stopped; 1 a fault of covey.
    """
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))  # both leave nothing half-written
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        cli.main(arguments, prog_name="covey", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except (Exception, KeyboardInterrupt) as error:  # a traceback could quote the data
        return explain(error)
    return 0


def explain(error: BaseException) -> int:
    """One sentence on what went wrong, and the exit code."""
    if isinstance(error, click.Abort | KeyboardInterrupt):
        say("covey: stopped; nothing was written")
        return EXIT_STOPPED
    if isinstance(error, click.ClickException):
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "covey"
        say(f"covey: {error.format_message()[:1].lower()}{error.format_message()[1:]} (see {command} --help)")
        return error.exit_code
    if isinstance(error, CoveyError):
        say(f"covey: {error}")
        return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), EXIT_INPUT)
    if isinstance(error, MemoryError):
        say("covey: there is not enough memory for this table; nothing was written")
    else:
        say(f"covey: a fault of covey ({type(error).__name__} {place(error)}); nothing was written: please report it")
    return EXIT_FAULT


def place(error: BaseException) -> str:
    """Where an error arose: module and line, and nothing of what it says."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "somewhere"
    return f"at {trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
