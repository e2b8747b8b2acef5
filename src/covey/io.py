"""Data files in and out: CSV, TSV, Parquet and Arrow, whole or not at all.

Arrow's own messages may quote a row of the file, so none of them leaves this module, not even as the context of
another exception: each failure becomes one sentence of ours.
"""

from __future__ import annotations

import io
import os
import secrets
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import ipc

from covey.delimited import DELIMITERS, attempt, read_delimited, require_names, require_text, write_delimited
from covey.errors import FileError, InvalidInput
from covey.words import columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    StrPath = str | os.PathLike[str]

STREAM = "-"
FORMATS = ("csv", "tsv", "parquet", "arrow")
SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow"}
MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}


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
    In CSV and TSV, digits that are a code rather than a number stay text: a column with a leading zero (``007``,
    ``0x1F``), with more digits than a 64-bit integer holds, or with whole numbers of 16 digits and more among
    fractions. An empty field is missing (see `null`), but an empty
    text in quotes is an empty text.
    """
    data = _read_bytes(path)
    name = _displayed(path)
    kind = _input_format(path, format, data)
    null = (null,) if isinstance(null, str) else tuple(null)
    if kind not in DELIMITERS and null != ("",):
        raise InvalidInput(f"{name} is {kind}, which marks missing values itself: null values are for CSV and TSV")
    table = read_delimited(data, name, kind, null) if kind in DELIMITERS else _read_binary(data, name, kind)
    require_names(table.column_names, name)
    if table.num_rows == 0:
        raise InvalidInput(f"{name} has columns but no records")
    return table


def read_text(path: StrPath) -> str:
    """The text of a small UTF-8 file, such as a schema."""
    data = _read_bytes(path)
    require_text(data, _displayed(path))
    return data.decode("utf-8-sig")


def _read_bytes(path: StrPath) -> bytes:
    reason = ""
    if not os.fspath(path):
        raise FileError("cannot read a file without a name")
    if _is_stream(path) and sys.stdin is None:
        raise FileError("cannot read standard input: it is closed")
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
    return attempt(read, f"{name} is not a whole {kind} file: it is truncated, damaged or of another format")


# Writing


@dataclass(frozen=True, slots=True)
class Output:
    """A table or a text, and the file that it is to become.

    Attributes
    ----------
    path : str or path
        A file, or ``"-"`` for standard output.
    content : pyarrow.Table, str or bytes
        What to write.
    format : {"csv", "tsv", "parquet", "arrow"}, optional
        Of a table; by default what the suffix says, and CSV on standard output.
    """

    path: StrPath
    content: pa.Table | str | bytes
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


def write_outputs(
    outputs: Sequence[Output], *, force: bool = False, renaming: AbstractContextManager[None] | None = None
) -> None:
    """Write all the files or none: every one is complete on the disk before the first takes its name.

    Parameters
    ----------
    outputs : sequence of Output
        What to write where.
    force : bool
        Replace files that exist.
    renaming : context manager, optional
        Entered when all is complete, left when every file has its name. If anything fails within, the names that were
        given are taken back and the files that were replaced are there again.

    Raises
    ------
    FileError
        The system refuses. What went to standard output before cannot be taken back.
    InvalidInput
        A format cannot hold the table.
    """
    check_outputs([output.path for output in outputs], force=force)
    with ExitStack() as stack:
        files = [output for output in outputs if not _is_stream(output.path)]
        complete = [stack.enter_context(_complete(output)) for output in files]
        for output in outputs:
            if _is_stream(output.path):
                _write_stream(output)  # last, because it cannot be taken back
        with renaming or nullcontext():
            _give_names(complete)


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
        if not os.fspath(path):
            raise FileError("cannot write a file without a name")
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


def check_types(schema: pa.Schema, kind: str) -> None:
    """Refuse columns of types that a format has not.

    Raises
    ------
    InvalidInput
        There are such.
    """
    unfit = [field.name for field in schema if not _is_writable(field, kind)]
    if unfit:
        raise InvalidInput(f"{columns(unfit)} cannot be written as {kind}: the format has no such type")


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
    if any(_is_same(path, other) for other in inputs):
        return "it is an input of this command"
    if not force:
        return "it exists already: replace it with --force, or choose another name"
    if not os.access(path.resolve().parent, os.W_OK | os.X_OK):
        return f"the directory {path.resolve().parent} is read-only"
    return ""


def _is_same(path: Path, other: StrPath) -> bool:
    """Whether an output is the file that an input is, also the one that standard input comes from."""
    with suppress(OSError):
        return os.path.samestat(path.stat(), os.fstat(0) if _is_stream(other) else os.stat(other))  # noqa: PTH116
    return False


@dataclass(frozen=True, slots=True)
class _Complete:
    """A file that is complete on the disk under a temporary name, and the name that it is to have."""

    temporary: Path
    place: Path
    path: StrPath


@contextmanager
def _complete(output: Output) -> Iterator[_Complete]:
    """The output under a temporary name beside its own; what has not got its own when the block ends vanishes."""
    place = Path(output.path).resolve()
    temporary = _temporary_name(place)
    try:
        # Not the tempfile module: its files are closed to all but the owner, whatever the umask says.
        with _refusals(output.path), temporary.open("xb") as file:
            _write_content(output, file)
            file.flush()
            os.fsync(file.fileno())
        yield _Complete(temporary, place, output.path)
    finally:
        temporary.unlink(missing_ok=True)


def _temporary_name(place: Path) -> Path:
    return place.with_name(f".covey-{secrets.token_hex(8)}.tmp")


@contextmanager
def _refusals(path: StrPath) -> Iterator[None]:
    """What the system refuses, as one sentence."""
    reason = ""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        reason = error.strerror or "the system refused"
    if reason:
        raise FileError(f"cannot write {path}: {reason}") from None


def _give_names(files: Sequence[_Complete]) -> None:
    """Give every file its name; if one cannot have it, leave everything as it was."""
    done: list[tuple[_Complete, Path | None]] = []
    try:
        for file in files:
            with _refusals(file.path):
                done.append((file, _kept(file.place)))
                file.temporary.replace(file.place)
    except BaseException:
        for file, kept in done:
            _take_back(file, kept)
        raise
    for _, kept in done:
        if kept is not None:
            with suppress(OSError):
                kept.unlink()


def _kept(place: Path) -> Path | None:
    """A second name of the file that is to be replaced, if there is one."""
    if not place.exists():
        return None
    kept = _temporary_name(place)
    try:
        os.link(place, kept)
    except OSError:  # a file system without links
        place.rename(kept)
    return kept


def _take_back(file: _Complete, kept: Path | None) -> None:
    with suppress(OSError):
        if kept is not None:
            os.replace(kept, file.place)  # noqa: PTH105 (a failure of the other call is what is being mended)
            kept.unlink(missing_ok=True)  # which a replacement of a file by itself leaves
        elif not file.temporary.exists():
            file.place.unlink()


def _write_stream(output: Output) -> None:
    """Write to standard output, and let go of it if it fails, lest Python complain a second time at its end."""
    if sys.stdout is None:
        raise FileError("cannot write standard output: it is closed")
    file, reason = sys.stdout.buffer, ""
    binary = isinstance(output.content, pa.Table) and check_format(STREAM, output.format) not in DELIMITERS
    if binary and file.isatty():
        raise FileError(f"cannot write {output.format} to a terminal: give a file or a pipe")
    try:
        _write_content(output, file)
        file.flush()
    except FileError:
        raise
    except OSError as error:
        reason = error.strerror or "the system refused"
    if reason:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise FileError(f"cannot write standard output: {reason}")


def _write_content(output: Output, file: IO[bytes]) -> None:
    if isinstance(output.content, str | bytes):
        file.write(output.content.encode() if isinstance(output.content, str) else output.content)
        return
    kind = check_format(output.path, output.format)
    # Made anew, for metadata may tell of the input, such as the index of the data frame it came from.
    table = pa.table(output.content.columns, names=output.content.column_names)
    check_types(table.schema, kind)
    if not _is_written(table, file, kind):
        raise InvalidInput(f"the table cannot be written as {kind}: choose another format")


def _is_writable(field: pa.Field, kind: str) -> bool:
    """Whether an empty column of the type can be written; bytes are no text."""
    if kind in DELIMITERS and (pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type)):
        return False
    return _is_written(pa.table([pa.chunked_array([], field.type)], names=[field.name]), io.BytesIO(), kind)


def _is_written(table: pa.Table, file: IO[Any], kind: str) -> bool:
    """Write the table, unless Arrow refuses, whose sentence may quote a value."""
    with suppress(pa.ArrowException, TypeError):
        if kind in DELIMITERS:
            write_delimited(table, file, kind)
        elif kind == "parquet":
            from pyarrow import parquet  # noqa: PLC0415 (a third of the module's import time)

            parquet.write_table(table, file)
        else:
            with ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
        return True
    return False


# Names


def _is_stream(path: StrPath) -> bool:
    return os.fspath(path) == STREAM


def _displayed(path: StrPath, direction: str = "input") -> str:
    return f"standard {direction}" if _is_stream(path) else os.fspath(path)
