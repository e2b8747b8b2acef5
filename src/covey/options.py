"""What the options of the command line take, and that none of them is lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

SECTIONS = {
    "Columns": (
        *("schema_file", "quasi", "identifier", "confidential", "other"),
        *("ordinal", "nominal", "continuous", "decimals", "strata", "weights"),
    ),
    "Method": (
        *("k", "method", "tail", "gamma", "cells", "ordinal_average", "missing"),
        *("preserve_variance", "keep_order", "seed", "threads"),
    ),
    "Input and output": (
        *("null", "input_format", "output", "output_format", "recipe", "labels", "as_json", "force", "quiet"),
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


class Names(click.ParamType[tuple[str, ...]]):
    """Column names, separated by commas."""

    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """The names, without the blanks around them."""
        if not isinstance(value, str):
            return tuple(value)
        names = tuple(name.strip() for name in value.split(",") if name.strip())
        if not names:
            self.fail("expected names of columns, separated by commas", param, ctx)
        return names


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
    """The names of all the times that an option was given."""
    return tuple(name for names in value for name in names)
