"""What the options of the command line take, and that none of them is lost."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click


class Once(click.Command):
    """A command that refuses an option given twice, where the first would be lost."""

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
