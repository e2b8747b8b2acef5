"""CSV and TSV: bytes to a table and a table to bytes, so that what was written is what is read."""

from __future__ import annotations

import codecs
import csv as rfc4180
import io
import re
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from covey.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

DELIMITERS = {"csv": ",", "tsv": "\t"}
SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons"}
# A code such as 007 or 0x1F, or more digits than a float64 is sure to hold, at the start of a field.
CODE_IN_FILE = re.compile(rb'[,\t\n\r"][-+ ]*(?:0[\dxX]|\d{16})')
CODE = r"^\s*[-+]?0[\dxX]"
MANY_DIGITS = r"^\s*[-+]?\d{16,}\s*$"
LONGEST_FIELD = 131_072  # characters, the limit of Python's own parser


@dataclass(frozen=True, slots=True)
class Delimited:
    """The bytes of a CSV or TSV file, its name, and how they are parsed into so many columns."""

    data: bytes
    name: str
    delimiter: str
    null: tuple[str, ...]
    columns: int


# Reading


def read_delimited(data: bytes, name: str, kind: str, null: Sequence[str]) -> pa.Table:
    """The table in the bytes of a CSV or TSV file.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        Of the file, for the sentence of an error.
    kind : {"csv", "tsv"}
        What separates the fields.
    null : sequence of str
        The fields that mean "missing"; a text in quotes never does.

    Raises
    ------
    InvalidInput
        The bytes are no such table.
    """
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise InvalidInput(f"{name} is empty: expected a header line and records")
    require_text(data, name)
    delimiter = DELIMITERS[kind]
    header = _header(data, delimiter)
    if len(header) == 1:
        _refuse_other_separator(data, name, delimiter)
    if b'"' in data or not header:
        _require_sound_quotes(data, name, delimiter)
    require_names(header, name)
    source = Delimited(data, name, delimiter, tuple(null), len(header))
    table = _parse(source)
    if b'"' in data:
        table = _quoted_as_text(table, source)
    return _codes_as_text(table, source) if CODE_IN_FILE.search(data) else table


def _parse(source: Delimited, types: dict[str, pa.DataType] | None = None) -> pa.Table:
    """The table; of the columns in `types` only, and of those types, if they are given."""
    ragged: list[int] = []

    def count(row: csv.InvalidRow) -> str:
        ragged.append(row.actual_columns)
        return "skip"

    parse = csv.ParseOptions(
        delimiter=source.delimiter,
        newlines_in_values=True,
        invalid_row_handler=count,
        ignore_empty_lines=source.columns > 1,  # in a single column an empty line is a missing value
    )
    convert = csv.ConvertOptions(
        null_values=list(source.null),
        strings_can_be_null=True,
        quoted_strings_can_be_null=types is None,  # at first, lest "" make text of quoted numbers
        column_types=types,
        include_columns=None if types is None else list(types),
    )
    table = attempt(
        lambda: csv.read_csv(pa.BufferReader(source.data), parse_options=parse, convert_options=convert),
        f"{source.name} cannot be read as a table separated by {SEPARATORS[source.delimiter]}",
        header_only=source.name if source.data.count(b"\n") == 0 else None,
    )
    if ragged:
        raise InvalidInput(
            f"{source.name} is ragged: expected {source.columns} fields in every row, found another number in"
            f" {len(ragged)} rows"
        )
    return table


def _quoted_as_text(table: pa.Table, source: Delimited) -> pa.Table:
    """The table with texts in quotes that look like missing ones as the texts they are."""
    doubtful = [
        field.name
        for field, column in zip(table.schema, table.columns, strict=True)
        if column.null_count and (pa.types.is_string(field.type) or pa.types.is_null(field.type))
    ]
    if not doubtful:
        return table
    texts = _parse(source, dict.fromkeys(doubtful, pa.string()))
    return _replaced(table, texts, [name for name in doubtful if texts[name].null_count < len(texts)])


def _codes_as_text(table: pa.Table, source: Delimited) -> pa.Table:
    """The table with its columns of digits that are codes as text, exactly as the file has them."""
    numeric = [field for field in table.schema if pa.types.is_integer(field.type) or pa.types.is_floating(field.type)]
    if not numeric:
        return table
    texts = _parse(source, {field.name: pa.string() for field in numeric})

    def holds_codes(field: pa.Field) -> bool:
        code = CODE if pa.types.is_integer(field.type) else f"{CODE}|{MANY_DIGITS}"
        return bool(pc.any(pc.match_substring_regex(texts[field.name], code)).as_py())

    return _replaced(table, texts, [field.name for field in numeric if holds_codes(field)])


def _replaced(table: pa.Table, texts: pa.Table, names: Sequence[str]) -> pa.Table:
    for name in names:
        table = table.set_column(table.column_names.index(name), name, texts[name])
    return table


def _header(data: bytes, delimiter: str) -> list[str]:
    """The names in the first line that is not empty; none if it cannot be parsed."""
    with suppress(rfc4180.Error):
        return next((row for row in rfc4180.reader(_text(data), delimiter=delimiter) if row), [])
    return []


def _text(data: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")


# What is refused


def require_text(data: bytes, name: str) -> None:
    """Refuse bytes that are not UTF-8 text.

    Raises
    ------
    InvalidInput
        They are not, or hold a NUL.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 20
    with suppress(UnicodeDecodeError):
        for start in range(0, len(data), step):
            decoder.decode(data[start : start + step])
        decoder.decode(b"", final=True)
        if b"\0" in data:
            raise InvalidInput(f"{name} holds NUL characters: it is no text, or not UTF-8; save it as UTF-8")
        return
    raise InvalidInput(f"{name} is not UTF-8 text: save it as UTF-8")


def require_names(names: Sequence[str], name: str) -> None:
    """Refuse a file whose column names are empty or repeated.

    Raises
    ------
    InvalidInput
        They are.
    """
    twice = [column for column, times in Counter(names).items() if times > 1]
    if "" in names:
        raise InvalidInput(f"{name}: column {list(names).index('') + 1} has no name: give it one in the header")
    if twice:
        raise InvalidInput(f"{name} has more than one column named {', '.join(map(repr, twice))}: rename them")


def _require_sound_quotes(data: bytes, name: str, delimiter: str) -> None:
    """Refuse a quote that is never closed, or not where the field ends: it would swallow fields or rows into one."""
    end = data.find(b"\n", data.rfind(b'"')) + 1 or len(data)  # nothing after the last quote can be wrong with quotes
    with suppress(rfc4180.Error):
        deque(rfc4180.reader(_text(data[:end]), delimiter=delimiter, strict=True), maxlen=0)
        return
    raise InvalidInput(
        f"{name} has a quoted field that is never closed or has text after its closing quote, or a field longer than"
        f" {LONGEST_FIELD} characters"
    )


def _refuse_other_separator(data: bytes, name: str, delimiter: str) -> None:
    found = [word for sign, word in SEPARATORS.items() if sign != delimiter and len(_header(data, sign)) > 1]
    if found:
        raise InvalidInput(
            f"{name} seems to be separated by {found[0]}, not {SEPARATORS[delimiter]}: save it with commas (.csv) or"
            " tabs (.tsv)"
        )


def attempt(step: Callable[[], T], sentence: str, header_only: str | None = None) -> T:
    """The step's result; if Arrow refuses, our sentence with nothing of Arrow's, not even as its context.

    Raises
    ------
    InvalidInput
        Arrow refuses.
    """
    with suppress(pa.ArrowException, OSError, ValueError, TypeError, KeyError):
        return step()
    if header_only is not None:
        raise InvalidInput(f"{header_only} has columns but no records")
    raise InvalidInput(sentence)


# Writing


def write_delimited(table: pa.Table, file: IO[Any], kind: str) -> None:
    """Write a table as CSV or TSV.

    Parameters
    ----------
    table : pyarrow.Table
        Its texts are quoted where any of them could be misread, and an empty one so is not missing.
    file : binary file
        Where to.
    kind : {"csv", "tsv"}
        What separates the fields.
    """
    plain = pa.table([_plain(column) for column in table.columns], names=table.column_names)
    quoting = "needed" if any(map(_needs_quotes, plain.columns)) else "none"
    csv.write_csv(plain, file, csv.WriteOptions(delimiter=DELIMITERS[kind], quoting_style=quoting))


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = pa.chunked_array([chunk.dictionary_decode() for chunk in column.chunks], kind.value_type)
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def _needs_quotes(column: pa.ChunkedArray) -> bool:
    """Whether a text could be misread without quotes; an empty one would pass for missing."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    return bool(pc.any(pc.match_substring_regex(column, '[",\t\r\n]|^$')).as_py())
