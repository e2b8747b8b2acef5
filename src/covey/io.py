"""Data files in and out: CSV, TSV, Parquet and Arrow, whole or not at all.

Arrow's own messages may quote a row of the file, so none of them leaves this module, not even as the context of
another exception: each failure becomes one sentence of ours.
"""

from __future__ import annotations

import codecs
import csv as rfc4180
import io
import os
import re
import secrets
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, ipc

from covey.errors import FileError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    StrPath = str | os.PathLike[str]

T = TypeVar("T")

STREAM = "-"
FORMATS = ("csv", "tsv", "parquet", "arrow")
SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}
DELIMITERS = {"csv": ",", "tsv": "\t"}
MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}
# A code such as 007, or more digits than a 64-bit number holds, at the start of a field.
CODE_IN_FILE = re.compile(rb'[,\t\n\r"][-+ ]*(?:0\d|\d{16})')
CODE = r"^\s*[-+]?(0\d|\d{19,}\s*$)"


# Reading


def read_table(path: StrPath, *, format: str | None = None, null: Sequence[str] = ("",)) -> pa.Table:  # noqa: A002 (the word users know)
    """Read a table whole, or raise one sentence that says why not.

    Parameters
    ----------
    path : str or path
        A file, or ``"-"`` for standard input.
    format : {"csv", "tsv", "parquet", "arrow"}, optional
        By default what the suffix says (.csv, .tsv, .parquet, .arrow, .feather); standard input and pipes are
        recognised by their first bytes, and taken for CSV if they are neither Parquet nor Arrow.
    null : sequence of str
        The fields of a CSV or TSV file that mean "missing". Only the empty field does by default; no number ever.

    Raises
    ------
    FileError
        The file cannot be opened.
    InvalidInput
        The file is not what its format promises, or holds no records.

    Notes
    -----
    In CSV and TSV, digits that are a code rather than a number stay text: a column with a leading zero (``007``) or with
    more digits than a 64-bit integer holds.
    """
    data = _read_bytes(path)
    name = _displayed(path)
    kind = _input_format(path, format, data)
    if kind not in DELIMITERS and tuple(null) != ("",):
        raise InvalidInput(f"{name} is {kind}, which marks missing values itself: null values are for CSV and TSV")
    if kind in DELIMITERS:
        table = _read_delimited(data, name, DELIMITERS[kind], null)
    else:
        table = _read_binary(data, name, kind)
    _require_names(table.column_names, name)
    if table.num_rows == 0:
        raise InvalidInput(f"{name} has columns but no records")
    return table


def read_text(path: StrPath) -> str:
    """The text of a small UTF-8 file, such as a schema."""
    data = _read_bytes(path)
    _require_text(data, _displayed(path))
    return data.decode("utf-8-sig")


def _read_bytes(path: StrPath) -> bytes:
    reason = ""
    try:
        if _is_stream(path):
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or "not a usable file name"
    raise FileError(f"cannot read {_displayed(path)}: {reason}")


def _input_format(path: StrPath, asked: str | None, data: bytes) -> str:
    if asked is not None:
        return _known_format(asked)
    if _is_stream(path) or not Path(path).is_file():  # a pipe such as /dev/fd/63 has no suffix to tell
        return next((kind for magic, kind in MAGIC.items() if data.startswith(magic)), "csv")
    return _format_of_suffix(path)


def _known_format(asked: str) -> str:
    if asked not in FORMATS:
        raise InvalidInput(f"unknown format {asked!r}: expected one of {', '.join(FORMATS)}")
    return asked


def _format_of_suffix(path: StrPath) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        found = f"suffix {suffix!r}" if suffix else "no suffix"
        raise FileError(
            f"cannot tell the format of {_displayed(path)} ({found}): expected one of {', '.join(SUFFIXES)},"
            " or state the format"
        )
    return SUFFIXES[suffix]


def _read_delimited(data: bytes, name: str, delimiter: str, null: Sequence[str]) -> pa.Table:
    if not data.strip():
        raise InvalidInput(f"{name} is empty: expected a header line and records")
    _require_text(data, name)
    _require_closed_quotes(data, name, delimiter)
    header = _header(data, delimiter)
    _require_names(header, name)
    if len(header) == 1 and ";" in header[0]:
        raise InvalidInput(f"{name} seems to be separated by semicolons: expected commas (.csv) or tabs (.tsv)")
    ragged: list[int] = []
    table = _parse(data, name, delimiter, null, header, ragged)
    if ragged:
        raise InvalidInput(
            f"{name} is ragged: expected {len(header)} fields in every row, found another number in {len(ragged)} rows"
        )
    if CODE_IN_FILE.search(data):
        return _codes_as_text(table, lambda types: _parse(data, name, delimiter, null, header, ragged, types))
    return table


def _parse(
    data: bytes,
    name: str,
    delimiter: str,
    null: Sequence[str],
    header: list[str],
    ragged: list[int],
    types: dict[str, pa.DataType] | None = None,
) -> pa.Table:
    def count(row: csv.InvalidRow) -> str:
        ragged.append(row.actual_columns)
        return "skip"

    parse = csv.ParseOptions(
        delimiter=delimiter,
        newlines_in_values=True,
        invalid_row_handler=count,
        ignore_empty_lines=len(header) > 1,  # in a single column an empty line is a missing value
    )
    convert = csv.ConvertOptions(
        null_values=list(null),
        strings_can_be_null=True,
        column_types=types,
        include_columns=None if types is None else list(types),
    )
    return _attempt(
        lambda: csv.read_csv(pa.BufferReader(data), parse_options=parse, convert_options=convert),
        f"{name} cannot be read as a table separated by {'commas' if delimiter == ',' else 'tabs'}",
        header_only=name if data.count(b"\n") == 0 else None,
    )


def _codes_as_text(table: pa.Table, parse: Callable[[dict[str, pa.DataType]], pa.Table]) -> pa.Table:
    """The table with its columns of digits that are codes as text, exactly as the file has them."""
    numeric = [field.name for field in table.schema if pa.types.is_integer(field.type) or _is_float(field.type)]
    if not numeric:
        return table
    texts = parse(dict.fromkeys(numeric, pa.string()))
    for name in numeric:
        if pc.any(pc.match_substring_regex(texts[name], CODE)).as_py():
            table = table.set_column(table.column_names.index(name), name, texts[name])
    return table


def _is_float(kind: pa.DataType) -> bool:
    return bool(pa.types.is_floating(kind))


def _header(data: bytes, delimiter: str) -> list[str]:
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    return next((row for row in rfc4180.reader(text, delimiter=delimiter) if row), [])


def _require_text(data: bytes, name: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 20
    with suppress(UnicodeDecodeError):
        for start in range(0, len(data), step):
            decoder.decode(data[start : start + step])
        decoder.decode(b"", final=True)
        if b"\0" not in data:
            return
    raise InvalidInput(f"{name} is not UTF-8 text: save it as UTF-8")


def _require_closed_quotes(data: bytes, name: str, delimiter: str) -> None:
    """Refuse a quote that is never closed: it would swallow the rest of the file into one field."""
    if data.count(b'"') % 2 == 0:
        return
    text = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", newline="")
    with suppress(rfc4180.Error):
        for _ in rfc4180.reader(text, delimiter=delimiter, strict=True):
            pass
        return
    raise InvalidInput(f"{name} has a quoted field that is never closed, or text after a closing quote")


def _require_names(names: Sequence[str], name: str) -> None:
    twice = [column for column, times in Counter(names).items() if times > 1]
    if twice:
        raise InvalidInput(f"{name} has more than one column named {', '.join(map(repr, twice))}: rename them")
    if "" in names:
        raise InvalidInput(f"{name}: column {list(names).index('') + 1} has no name: give it one in the header")


def _read_binary(data: bytes, name: str, kind: str) -> pa.Table:
    def read() -> pa.Table:
        source = pa.BufferReader(data)
        if kind == "parquet":
            from pyarrow import parquet  # noqa: PLC0415 (a third of the module's import time)

            table = parquet.ParquetFile(source).read()
        elif data.startswith(b"ARROW1"):
            table = ipc.open_file(source).read_all()
        else:
            table = ipc.open_stream(source).read_all()
        table.validate(full=True)
        return table

    if not data:
        raise InvalidInput(f"{name} is empty: expected a table in the {kind} format")
    return _attempt(read, f"{name} is not a whole {kind} file: it is truncated, damaged or of another format")


def _attempt(step: Callable[[], T], sentence: str, header_only: str | None = None) -> T:
    """The step's result; if Arrow refuses, our sentence with nothing of Arrow's, not even as its context."""
    with suppress(pa.ArrowException, OSError, ValueError, TypeError, KeyError):
        return step()
    if header_only is not None:
        raise InvalidInput(f"{header_only} has columns but no records")
    raise InvalidInput(sentence)


# Writing


@dataclass(frozen=True, slots=True)
class Output:
    """A table or a text, and the file that it is to become.

    Attributes
    ----------
    path : str or path
        A file, or ``"-"`` for standard output.
    content : pyarrow.Table or str
        What to write.
    format : {"csv", "tsv", "parquet", "arrow"}, optional
        Of a table; by default what the suffix says, and CSV on standard output.
    """

    path: StrPath
    content: pa.Table | str
    format: str | None = None


def write_table(table: pa.Table, path: StrPath, *, format: str | None = None, force: bool = False) -> None:  # noqa: A002 (the word users know)
    """Write a table whole, or leave nothing behind and raise one sentence that says why.

    Parameters
    ----------
    table : pyarrow.Table
        The table.
    path : str or path
        A file, or ``"-"`` for standard output.
    format : {"csv", "tsv", "parquet", "arrow"}, optional
        By default what the suffix says, and CSV on standard output.
    force : bool
        Replace the file if it exists.
    """
    write_outputs([Output(path, table, format)], force=force)


def write_text(text: str, path: StrPath, *, force: bool = False) -> None:
    """Write a text whole as UTF-8, or leave nothing behind and raise one sentence that says why."""
    write_outputs([Output(path, text)], force=force)


def write_outputs(outputs: Sequence[Output], *, force: bool = False) -> None:
    """Write all the files or none: every one is complete on the disk before the first takes its name."""
    check_outputs([output.path for output in outputs], force=force)
    with ExitStack() as stack:
        for output in sorted(outputs, key=lambda output: _is_stream(output.path)):
            if _is_stream(output.path):
                _write_stream(output)  # last, because it cannot be taken back
            else:
                _write_content(output, stack.enter_context(_replacing(Path(output.path))))


def check_outputs(paths: Sequence[StrPath], *, inputs: Sequence[StrPath] = (), force: bool = False) -> None:
    """Refuse, before any work is done, an output that could not be written or would destroy something.

    Parameters
    ----------
    paths : sequence of str or path
        The outputs; no two may be the same file.
    inputs : sequence of str or path
        Files that no output may be.
    force : bool
        Allow outputs that exist already, as regular files.
    """
    for path in paths:
        if not _is_stream(path):
            _check_output(Path(path), inputs, force=force)
    places = Counter(STREAM if _is_stream(path) else os.path.realpath(path) for path in paths)
    twice = [place for place, times in places.items() if times > 1]
    if twice:
        raise InvalidInput(f"two outputs would go to {_displayed(twice[0], 'output')}: give each its own file")


def check_format(path: StrPath, format: str | None = None) -> str:  # noqa: A002 (the word users know)
    """The format in which a table would be written to this path; refused if there is none."""
    if format is not None:
        return _known_format(format)
    return "csv" if _is_stream(path) else _format_of_suffix(path)


def _check_output(path: Path, inputs: Sequence[StrPath], *, force: bool) -> None:
    reason = _obstacle(path, inputs, force=force)
    if reason:
        raise FileError(f"cannot write {path}: {reason}")


def _obstacle(path: Path, inputs: Sequence[StrPath], *, force: bool) -> str:
    """Why the output cannot be written, or nothing."""
    try:
        if path.exists():
            return _obstacle_existing(path, inputs, force=force)
        directory = path.resolve().parent
        if not directory.is_dir():
            return f"there is no directory {directory}"
        if not os.access(directory, os.W_OK | os.X_OK):
            return f"the directory {directory} is read-only"
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or "not a usable file name"
    return ""


def _obstacle_existing(path: Path, inputs: Sequence[StrPath], *, force: bool) -> str:
    if path.is_dir():
        return "it is a directory"
    if not path.is_file():
        return "it is not a regular file; '-' is standard output"
    if any(not _is_stream(other) and Path(other).exists() and path.samefile(other) for other in inputs):
        return "it is an input of this command"
    if not force:
        return "it exists already; force its replacement or choose another name"
    if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
        return f"the directory {path.resolve().parent} is read-only"
    return ""


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A temporary file beside `path`; it takes that name when the block ends well, and vanishes otherwise."""
    place = path.resolve()
    temporary = place.with_name(f".{place.name[:100]}.{secrets.token_hex(8)}.tmp")
    reason = ""
    try:
        # Not the tempfile module: its files are closed to all but the owner, whatever the umask says.
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(place)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        reason = error.strerror or "the system refused"
    finally:
        temporary.unlink(missing_ok=True)
    if reason:
        raise FileError(f"cannot write {path}: {reason}")


def _write_stream(output: Output) -> None:
    """Write to standard output, and let go of it if it fails, lest Python complain a second time at its end."""
    file, reason = sys.stdout.buffer, ""
    if check_format(STREAM, output.format) not in DELIMITERS and not isinstance(output.content, str) and file.isatty():
        raise FileError(f"cannot write {output.format} to a terminal: give a file or a pipe")
    try:
        _write_content(output, file)
        file.flush()
        return
    except OSError as error:
        if isinstance(error, FileError):
            raise
        reason = error.strerror or "the system refused"
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise FileError(f"cannot write standard output: {reason}")


def _write_content(output: Output, file: IO[bytes]) -> None:
    if isinstance(output.content, str):
        file.write(output.content.encode())
        return
    kind = check_format(output.path, output.format)
    # Metadata may tell of the input, such as the index of the data frame it came from.
    table = output.content.replace_schema_metadata(None)
    _require_writable_types(table, kind)
    if kind in DELIMITERS:
        _write_delimited(table, file, DELIMITERS[kind])
    elif kind == "parquet":
        from pyarrow import parquet  # noqa: PLC0415 (a third of the module's import time)

        parquet.write_table(table, file)
    else:
        with ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)


def _require_writable_types(table: pa.Table, kind: str) -> None:
    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    if nested and kind in DELIMITERS:
        raise InvalidInput(f"columns {', '.join(map(repr, nested))} hold lists or structures: {kind} cannot")


def _write_delimited(table: pa.Table, file: IO[Any], delimiter: str) -> None:
    plain = pa.table([_plain(column) for column in table.columns], names=table.column_names)
    quoting = "needed" if any(map(_needs_quotes, plain.columns)) else "none"
    csv.write_csv(plain, file, csv.WriteOptions(delimiter=delimiter, quoting_style=quoting))


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    return column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column


def _needs_quotes(column: pa.ChunkedArray) -> bool:
    """Whether a text could be misread without quotes; an empty one would pass for missing."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    return bool(pc.any(pc.match_substring_regex(column, '[",\t\r\n]|^$')).as_py())


# Names


def _is_stream(path: StrPath) -> bool:
    return os.fspath(path) == STREAM


def _displayed(path: StrPath, direction: str = "input") -> str:
    return f"standard {direction}" if _is_stream(path) else os.fspath(path)
