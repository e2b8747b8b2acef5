"""What the options of the command line take, and that none of them is lost."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

METHODS = ("mdav", "md", "vmdav", "pcl", "mst", "tfrp", "mu-approx", "univariate", "individual-ranking")
FORMATS = ("csv", "tsv", "parquet", "arrow")
SECTIONS = {
    "Columns": (
        *("schema_file", "quasi", "identifier", "confidential", "other"),
        *("ordinal", "nominal", "continuous", "decimals", "strata", "weights"),
    ),
    "Method": (
        *("k", "ks", "method", "methods", "tail", "gamma", "split", "cells", "blocks"),
        *("refine", "refine_steps", "refine_seed", "ordinal_average", "missing", "most"),
        *("dependence", "lambdas", "expected", "column_blocks", "guarantee", "width"),
        *("preserve_variance", "keep_order", "seed", "threads"),
    ),
    "Stronger criteria": ("p_sensitive", "l_diverse", "l_kind", "l_constant", "t_close", "t_first"),
    "Input and output": (
        *("null", "input_format", "output", "output_format", "plot", "recipe", "original", "labels"),
        *("report", "report_public", "public", "scatter", "tradeoff"),
        *("as_json", "force", "quiet"),
    ),
}


class Once(click.Command):
    """A command that refuses an option given twice, which would lose the first, and shows options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by section; those of none at the end."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        records = {option.name: record for option in options if (record := option.get_help_record(ctx))}
        listed = {name for names in SECTIONS.values() for name in names}
        rest = tuple(name for name in records if name and name not in listed)
        for title, names in {**SECTIONS, "Other options": rest}.items():
            rows = [records[name] for name in names if name in records]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Click's own, after the count."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        single = [x for x in given if isinstance(x, click.Option) and not (x.multiple or x.is_flag)]
        for option, times in Counter(single).items():
            if times > 1:
                raise click.UsageError(f"{max(option.opts, key=len)} is given {times} times: give it once", ctx)
        return super().parse_args(ctx, args)


class Commands(click.Group):
    """The commands of covey."""

    command_class = Once


class Words(click.ParamType[tuple[str, ...]]):
    """Words, separated by commas."""

    def __init__(self, of: str) -> None:
        self.name = of

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The words, without the blanks around them."""
        if not isinstance(value, str):
            return tuple(value)
        words = tuple(word.strip() for word in value.split(",") if word.strip())
        if not words:
            self.fail(f"expected {self.name}, separated by commas", param, ctx)
        return words


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


def flat(ctx: click.Context, param: click.Parameter, value: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:  # noqa: ARG001 (click's signature)
    """The words of all the times that an option was given."""
    return tuple(word for words in value for word in words)


def together(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, to be shown in this order."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def listing(
    *flags: str, of: str = "names of columns", metavar: str = "COLUMNS", **options: Any
) -> Callable[[Any], Any]:
    """An option that takes several words, separated by commas, and may be repeated."""
    return click.option(*flags, type=Words(of), multiple=True, callback=flat, metavar=metavar, **options)


reading = together(
    click.argument("data", metavar="DATA"),
    click.option(
        "--input-format",
        type=click.Choice(FORMATS),
        help="Of the input: by default what its suffix says, and recognised on a pipe.",
    ),
    click.option(
        "--null",
        multiple=True,
        metavar="TEXT",
        help="A field of CSV or TSV that means missing, beside the empty one; may be repeated.",
    ),
)
"""The options of every command that reads a table."""

least = click.option(
    "-k", required=True, metavar="K", help="The least number of records that share their quasi-identifiers."
)
"""The option of every command that works with one k."""

describing = together(
    click.option(
        "--schema",
        "schema_file",
        metavar="FILE",
        help="What each column is, in TOML; or say it with the options below.",
    ),
    listing("--quasi", help="Columns by which a person may be recognised: averaged."),
    listing("--identifier", help="Columns that name a person: dropped."),
    listing("--confidential", help="Columns to study: published as they are."),
    listing("--other", help="Harmless columns: published as they are."),
    click.option(
        "--ordinal",
        multiple=True,
        metavar="NAME[=LOW,…,HIGH]",
        help="An ordinal column and the order of its categories.",
    ),
    listing("--nominal", help="Columns of categories without order, such as codes that are numbers."),
    listing(
        "--continuous",
        help="Columns that must be numbers, dates or times: refused, with a count, if some values are not.",
    ),
)
"""The options of every command that must know what each column is."""

expecting = click.option(
    "--expected",
    type=click.Choice(["linear", "neighbours"]),
    help="Predict by an estimate of confidential columns from quasi-identifiers in place of their values.",
)
"""The option of every command that forms cells by confidential columns too."""

grouping = together(
    click.option(
        "--missing",
        type=click.Choice(["error", "own-cells", "drop"]),
        default="error",
        show_default=True,
        help="What becomes of records that lack a quasi-identifier: refused; in cells with those that lack the same, or"
        " withheld if fewer than K do; or left out.",
    ),
    listing("--strata", help="Columns whose values no cell mixes."),
)
"""The options of every command that forms cells."""

figuring = together(
    click.option("-o", "--output", metavar="FILE", help="Write the figures as a table, in the format its suffix says."),
    click.option("--plot", metavar="FILE", help="Draw the figures as curves, as .png or .svg."),
    click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON, for scripts, and no table."),
    click.option("--force", is_flag=True, help="Replace files that exist."),
    click.option("-q", "--quiet", is_flag=True, help="No progress and no table."),
)
"""The options of every command that writes figures."""

criteria = together(
    click.option(
        "--p-sensitive",
        type=int,
        metavar="P",
        help="At least P different values of every confidential column in each cell.",
    ),
    click.option(
        "--l-diverse",
        type=float,
        metavar="L",
        help="L well-represented values of every confidential column in each cell.",
    ),
    click.option(
        "--l-kind",
        type=click.Choice(["distinct", "entropy", "recursive"]),
        help="What well-represented means. [default: distinct]",
    ),
    click.option("--l-constant", type=float, metavar="C", help="The constant of recursive diversity. [default: 1]"),
    click.option(
        "--t-close",
        type=float,
        metavar="T",
        help="Confidential values distributed in each cell as in the table, but for a distance of T, 0 to 1.",
    ),
    click.option(
        "--t-first", is_flag=True, help="With --t-close: cells are formed by quantiles of the confidential column."
    ),
)
"""The options of what confidential values are to be like in every cell."""
