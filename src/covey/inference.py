"""A draft of a schema from the types and names of a table's columns."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from covey.encoding import count_numbers, is_plain, is_text
from covey.frames import arrow_column, ordered_categories, read_frame, readable_column
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


def doubts(table: Any, names: Iterable[str]) -> list[str]:
    """A sentence for each of the columns whose texts are mostly numbers, though texts are taken for nominal."""
    frame = read_frame(table)
    counts = {name: _numbers(frame, name) for name in names if name in frame.columns}
    return [_doubt(name, numbers, texts) for name, (numbers, texts) in counts.items() if numbers > texts / 2]


def _numbers(frame: Frame, name: str) -> tuple[int, int]:
    column = readable_column(frame, name)
    return count_numbers(column) if column is not None and is_text(column.type) else (0, 0)


def _doubt(name: str, numbers: int, texts: int) -> str:
    if numbers == texts:
        found = f"the values of column {name!r} are numbers, but written like codes (007, or of too many digits)"
    else:
        found = f"{numbers} of {texts} values of column {name!r} are numbers, and {texts - numbers} are not"
    return (
        f"{found}, so it was taken for nominal: mend the data, name a mark of missing values by --null, or declare it"
        " nominal"
    )


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
    column = readable_column(frame, name)
    if column is None:
        return None, ()
    kind = column.type
    if not is_plain(kind.value_type if pa.types.is_dictionary(kind) else kind):
        return None, ()
    ordered = ordered_categories(frame, name)
    if ordered is not None:
        names = tuple(ordered.to_pylist())
        # Dates are no categories of a schema: their type orders them.
        return Kind.ORDINAL, names if all(isinstance(name, str | int | float) for name in names) else ()
    if pa.types.is_boolean(kind) or pa.types.is_dictionary(kind) or is_text(kind):
        return Kind.NOMINAL, ()
    return Kind.CONTINUOUS, ()


def _identifies(frame: Frame, name: str) -> bool:
    words = {word.lower() for word in WORDS.findall(name)} | {name.lower()}
    return bool(words & IDENTIFYING) or _all_distinct(arrow_column(frame, name))


def _all_distinct(column: pa.Array) -> bool:
    """Whether no two texts that are there agree, or the numbers are consecutive."""
    column = column.drop_null()
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if len(column) < 2 or not (is_text(kind) or pa.types.is_integer(column.type)):
        return False
    if len(pc.unique(column)) < len(column):
        return False
    if is_text(kind):
        return True
    extent = pc.min_max(column)
    return bool(extent["max"].as_py() - extent["min"].as_py() == len(column) - 1)
