"""A draft of a schema from the types and names of a table's columns."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from covey.frames import arrow_column, ordered_categories, read_frame
from covey.schema import Category, Column, Kind, Role, Schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.frames import Frame

# Words of a column's name that speak of a person's identity.
IDENTIFYING = frozenset(
    [
        "id",
        "ids",
        "uid",
        "guid",
        "uuid",
        "name",
        "names",
        "firstname",
        "lastname",
        "surname",
        "forename",
        "fullname",
        "email",
        "mail",
        "phone",
        "mobile",
        "telephone",
        "fax",
        "ssn",
        "nin",
        "iban",
        "passport",
        "address",
        "street",
        "patient",
        "respondent",
        "person",
        "personid",
        "patientid",
        "customerid",
        "userid",
        "username",
        "login",
        "ip",
    ]
)
WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def infer_schema(table: Any) -> Schema:
    """What `covey.infer` promises."""
    frame = read_frame(table)
    return Schema(tuple(_draft(frame, name) for name in frame.columns))


def infer_kinds(table: Any, names: Iterable[str]) -> dict[str, tuple[Kind, tuple[Category, ...]]]:
    """The kind, and the categories that the type orders, of those columns that the table has."""
    frame = read_frame(table)
    found = {}
    for name in names:
        if name in frame.columns:
            kind, categories = _kind(frame, name)
            found[name] = (kind or Kind.NOMINAL, categories)
    return found


def categories_of_texts(table: Any, name: str, texts: Sequence[str]) -> tuple[Category, ...]:
    """Categories written as texts, as values of the type that the column has."""
    frame = read_frame(table)
    if name not in frame.columns:
        return tuple(texts)
    kind = arrow_column(frame, name).type
    with suppress(pa.ArrowException):
        if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
            return tuple(pa.array([text.strip() for text in texts]).cast(kind).to_pylist())
    return tuple(texts)


def _draft(frame: Frame, name: str) -> Column:
    kind, categories = _kind(frame, name)
    if kind is None or _identifies(frame, name):
        return Column(name, Role.IDENTIFIER, Kind.NOMINAL)
    return Column(name, Role.QUASI, kind, categories)


def _kind(frame: Frame, name: str) -> tuple[Kind | None, tuple[Category, ...]]:
    """Kind and ordered categories that the type tells; no kind where nothing can be averaged."""
    kind = arrow_column(frame, name).type
    ordered = ordered_categories(frame, name)
    if ordered is not None:
        return Kind.ORDINAL, tuple(ordered.to_pylist())
    if pa.types.is_nested(kind) or pa.types.is_null(kind) or _is_bytes(kind):
        return None, ()
    if pa.types.is_boolean(kind) or pa.types.is_dictionary(kind) or _is_text(kind):
        return Kind.NOMINAL, ()
    return Kind.CONTINUOUS, ()


def _identifies(frame: Frame, name: str) -> bool:
    words = {word.lower() for word in WORDS.findall(name)} | {name.lower()}
    return bool(words & IDENTIFYING) or _all_distinct(arrow_column(frame, name))


def _all_distinct(column: pa.Array) -> bool:
    """Whether no two texts agree, or the numbers are consecutive."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if len(column) < 2 or not (_is_text(kind) or pa.types.is_integer(column.type)):
        return False
    if pc.count_distinct(column, mode="all").as_py() < len(column):
        return False
    if _is_text(kind):
        return True
    extent = pc.min_max(column)
    return bool(extent["max"].as_py() - extent["min"].as_py() == len(column) - 1)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_bytes(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))
