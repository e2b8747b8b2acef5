"""A schema as TOML text and back."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from covey.errors import InvalidInput
from covey.schema import Category, Column, Role, Schema

HEADER = """\
# What each column is. Look at every role before you release anything:
#   identifier    dropped (names, numbers of persons, addresses)
#   quasi         known to others and so replaced by the value of a cell of at least k records
#   confidential  published as it is, beside the quasi-identifiers
#   other         published as it is: only what nobody could link to a person
# kind: continuous (mean), ordinal (median; needs `categories` from lowest to highest) or nominal (mode).
# decimals (optional, continuous only): decimals of the published means.
"""
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
PLACE = re.compile(r"\(at (line \d+, column \d+|end of document)\)")
SHORT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
KEYS = ("role", "kind", "categories", "decimals")


def write_schema(schema: Schema) -> str:
    """TOML text that `read_schema` reads back as the same schema.

    Raises
    ------
    InvalidInput
        A name or category is not Unicode text (it has a lone surrogate).
    """
    return "\n".join([HEADER, *(_table(column) for column in schema.columns)])


def read_schema(text: str) -> Schema:
    """Schema that TOML text describes, its columns in the order of the text.

    Raises
    ------
    InvalidInput
        The text is not TOML or does not describe a schema.
    """
    try:
        document, place = tomllib.loads(text), ""
    except (ValueError, RecursionError) as error:  # ValueError: of numbers of thousands of digits, too
        # The parser's own sentence may quote the text, which could be a data file given by mistake.
        found = PLACE.search(str(error))
        document, place = {}, found.group(1) if found else "an unknown place"
    if place:
        raise InvalidInput(f"the schema is not valid TOML: look at {place} (a table or key may be written twice)")
    unknown = [key for key in document if key != "columns"]
    if unknown:
        raise InvalidInput(f"the schema has {len(unknown)} unknown keys outside [columns.<name>] tables")
    columns = document.get("columns")
    if not isinstance(columns, dict) or not columns:
        raise InvalidInput("the schema describes no column: write one [columns.<name>] table for each")
    return Schema(tuple(_column(name, entry) for name, entry in columns.items()))


def _column(name: str, entry: Any) -> Column:
    if not isinstance(entry, Mapping):
        raise InvalidInput(f"column {name!r} must be a table with a role and a kind (quote a name that has a dot)")
    unknown = [key for key in entry if key not in KEYS]
    if unknown:
        raise InvalidInput(
            f"column {name!r} has the unknown keys {', '.join(map(repr, unknown))}: expected {', '.join(KEYS)}"
        )
    for key in ("role", "kind"):
        if key not in entry and (key == "role" or entry.get("role") != Role.IDENTIFIER):
            raise InvalidInput(f"column {name!r} has no {key}")
    categories = entry.get("categories", [])
    if not isinstance(categories, list):
        raise InvalidInput(f"the categories of column {name!r} must be a list")
    return Column(name, entry["role"], entry.get("kind", "nominal"), tuple(categories), entry.get("decimals"))


def _table(column: Column) -> str:
    lines = [
        f"[columns.{_key(column.name)}]",
        f"role = {_string(column.role)}",
        f"kind = {_string(column.kind)}",
    ]
    if column.categories:
        lines.append(f"categories = [{', '.join(map(_value, column.categories))}]")
    if column.decimals is not None:
        lines.append(f"decimals = {column.decimals}")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if BARE_KEY.match(name) else _string(name)


def _value(category: Category) -> str:
    if isinstance(category, bool):
        return "true" if category else "false"
    if isinstance(category, str):
        return _string(category)
    return float.__repr__(category) if isinstance(category, float) else int.__repr__(category)


def _string(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidInput("a column name or category is not Unicode text (it has a lone surrogate)")
    return f'"{"".join(map(_escaped, str(text)))}"'


def _escaped(character: str) -> str:
    if character in SHORT_ESCAPES:
        return SHORT_ESCAPES[character]
    if character < " " or character == "\x7f":
        return f"\\u{ord(character):04x}"
    return character
