"""What the options of the command line ask for, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from covey.errors import InvalidInput
from covey.process import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from covey.schema import Schema


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


def to_dependence(asked: dict[str, Any]) -> Any:
    """How much the confidential columns are to count."""
    if asked["dependence"] is None:
        if asked["expected"] is not None:
            raise click.UsageError("--expected is for --dependence: give that, too")
        return None
    from covey.dependence import Dependence

    return Dependence(asked["dependence"], asked["expected"])


def to_column_blocks(texts: Sequence[str]) -> int | list[list[str]] | None:
    """The number of columns in a block, or the columns of each."""
    if len(texts) == 1 and texts[0].isascii() and texts[0].isdecimal():
        return int(texts[0])
    return [[word.strip() for word in text.split(",") if word.strip()] for text in texts] or None


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


def to_number(text: str, what: str, example: str) -> float:
    """The number that a text is."""
    try:
        return float(text)
    except ValueError:
        pass
    raise InvalidInput(f"{what} must be a number, such as {example}")


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
    refuse_idle_kinds(kinds, (*asked["quasi"], *asked["confidential"]))
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


def refuse_idle_kinds(kinds: dict[str, Sequence[str]], felt: Sequence[str]) -> None:
    """Refuse kinds of columns that are neither averaged nor measured, where they would have no effect."""
    for kind, texts in kinds.items():
        names = [text.partition("=")[0] for text in texts] if kind == "ordinal" else texts
        idle = [name for name in names if name not in felt]
        if idle:
            listed = ", ".join(map(repr, idle))
            raise click.UsageError(f"--{kind} is for quasi-identifiers and confidential columns; not for {listed}")


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


def to_picture_format(path: str) -> str:
    """The format of a picture, which its suffix says."""
    from covey import pictures

    format = path.rpartition(".")[2].lower() if path != "-" else ""  # noqa: A001 (the word users know)
    pictures.require(format)
    return format
