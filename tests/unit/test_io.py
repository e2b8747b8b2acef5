"""Data files: reading them whole, and saying why not."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import ipc, parquet

from covey import CoveyError, FileError, InvalidInput
from covey.io import check_format, read_table, read_text, write_table

TABLE = pa.table(
    {
        "a": [1, None, 3],
        "b": ["x,y", "", None],
        "c": pa.array(["p", "q", "p"]).dictionary_encode(),
        "d": pa.array([1, 2, 3], pa.timestamp("us", "UTC")),
    }
)


def stream_of(table: pa.Table) -> bytes:
    file = io.BytesIO()
    with ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def refusal(path: Path) -> CoveyError | None:
    try:
        read_table(path)
    except CoveyError as error:
        return error
    return None


def piped(data: bytes, code: str = "import sys, covey.io as io; io.write_table(io.read_table('-'), '-')") -> bytes:
    return subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True).stdout


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "arrow", "feather", "CSV", "Parquet"])
def test_written_tables_are_read_back(tmp_path: Path, suffix: str) -> None:
    """A table comes back from every format, chosen by the suffix in capitals or not."""
    path = tmp_path / f"t.{suffix}"
    write_table(TABLE, path)
    assert read_table(path).to_pydict() == TABLE.to_pydict()


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_types_come_back(tmp_path: Path, suffix: str) -> None:
    """Parquet and Arrow keep the types, categories included."""
    path = tmp_path / f"t.{suffix}"
    write_table(TABLE, path)
    assert read_table(path).schema == TABLE.schema


def test_an_arrow_stream_is_read(tmp_path: Path) -> None:
    """An Arrow file may hold the streaming format."""
    (tmp_path / "t.arrow").write_bytes(stream_of(TABLE))
    assert read_table(tmp_path / "t.arrow").equals(TABLE)


def test_the_format_may_be_stated(tmp_path: Path) -> None:
    """A stated format wins over the suffix, or over its absence."""
    write_table(TABLE, tmp_path / "data", format="parquet")
    assert read_table(tmp_path / "data", format="parquet").equals(TABLE)
    with pytest.raises(InvalidInput, match="unknown format 'xlsx': expected one of csv, tsv, parquet, arrow"):
        read_table(tmp_path / "data", format="xlsx")


def test_pipes_are_recognised_by_their_bytes() -> None:
    """Standard input may be CSV, Parquet or Arrow; standard output is CSV unless stated."""
    table = TABLE.select(["a", "b"])
    file = io.BytesIO()
    parquet.write_table(table, file)
    texts = [piped(data) for data in (file.getvalue(), stream_of(table))]
    assert texts[0] == texts[1] == piped(texts[0]) == b'"a","b"\n1,"x,y"\n,""\n3,\n'


def test_other_formats_to_a_pipe() -> None:
    """A stated format goes to standard output as well."""
    code = "import covey.io as io; io.write_table(io.read_table('-'), '-', format='arrow')"
    assert ipc.open_file(piped(b"a,b\n1,x\n", code)).read_all().to_pydict() == {"a": [1], "b": ["x"]}


def test_missing_values_are_for_text_formats(tmp_path: Path) -> None:
    """Fields that mean missing are refused for formats that mark missing values themselves; a lone text is one."""
    write_table(TABLE, tmp_path / "t.parquet")
    with pytest.raises(InvalidInput, match="marks missing values itself"):
        read_table(tmp_path / "t.parquet", null=["NA"])
    (tmp_path / "t.csv").write_text("a,b\nNA,N\n")
    assert read_table(tmp_path / "t.csv", null="NA").to_pydict() == {"a": [None], "b": ["N"]}


@pytest.mark.parametrize(
    ("name", "data", "error", "sentence"),
    [
        ("t.csv", b"", InvalidInput, "is empty"),
        ("t.csv", b"a,b\n", InvalidInput, "has columns but no records"),
        ("t.csv", b"a,b", InvalidInput, "has columns but no records"),
        ("t.tsv", b"a\tb\r", InvalidInput, "has columns but no records"),
        ("t.parquet", b"", InvalidInput, "is empty"),
        ("t.parquet", b"a,b\n1,2\n", InvalidInput, "not a whole parquet file"),
        ("t.parquet", b"PAR1", InvalidInput, "not a whole parquet file"),
        ("t.arrow", b"", InvalidInput, "is empty"),
        ("t.arrow", b"ARROW1", InvalidInput, "not a whole arrow file"),
        ("t.arrow", b"CANARYx7", InvalidInput, "not a whole arrow file"),
        ("t.csv", b"PAR1\x15\x00", InvalidInput, "not UTF-8"),
        ("t.xlsx", b"x", FileError, r"suffix '.xlsx'\): expected one of .csv, .tsv, .parquet, .arrow, .feather"),
        ("t", b"x", FileError, "no suffix"),
    ],
)
def test_unusable_files_are_refused(tmp_path: Path, name: str, data: bytes, error: type, sentence: str) -> None:
    """A file that is not what its name promises is refused in one sentence that names it and quotes nothing."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(error, match=sentence) as caught:
        read_table(tmp_path / name)
    assert name in str(caught.value)
    assert "CANARY" not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("name", ["absent.csv", ".", "absent/t.csv", "nul\0.csv", "x" * 300 + ".csv"])
def test_files_that_cannot_be_opened(tmp_path: Path, name: str) -> None:
    """A file that cannot be opened raises FileError, which says why."""
    with pytest.raises(FileError, match="cannot read"):
        read_table(tmp_path / name)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_damaged_files_are_read_or_refused(tmp_path: Path, kind: str) -> None:
    """Cut short or with bytes changed, a file is read or refused in a sentence of ours that quotes nothing of it."""
    path = tmp_path / f"t.{kind}"
    write_table(pa.table({"a": ["CANARYx7", "CANARYx8"] * 20, "b": np.arange(40.0)}), path)
    data, rng, refused = path.read_bytes(), np.random.default_rng(7), 0
    for i in range(150):
        damaged = bytearray(data)
        damaged[rng.integers(len(data))] = rng.integers(256)
        path.write_bytes(damaged[: rng.integers(len(data))] if i % 3 == 0 else damaged)
        error = refusal(path)
        if error is not None:
            refused += 1
            assert "CANARY" not in str(error)
            assert error.__context__ is None
    assert refused >= 50


def test_binary_files_are_checked_to_the_last_value(tmp_path: Path) -> None:
    """An Arrow file whose texts are not UTF-8 is refused when it is read, not when it is used."""
    offsets, texts = pa.py_buffer(np.array([0, 2], "int32").tobytes()), pa.py_buffer(b"\xff\xfe")
    (tmp_path / "t.arrow").write_bytes(stream_of(pa.table({"a": pa.StringArray.from_buffers(1, offsets, texts)})))
    with pytest.raises(InvalidInput, match="damaged"):
        read_table(tmp_path / "t.arrow")


def test_repeated_names_in_binary_files(tmp_path: Path) -> None:
    """Column names are distinct in every format."""
    (tmp_path / "t.arrow").write_bytes(stream_of(pa.table([[1], [2]], names=["a", "a"])))
    with pytest.raises(InvalidInput, match="more than one column named 'a'"):
        read_table(tmp_path / "t.arrow")


def test_a_binary_file_without_records(tmp_path: Path) -> None:
    """A Parquet file of columns alone is refused as a CSV of a header alone is."""
    parquet.write_table(pa.table({"a": pa.array([], pa.int64())}), tmp_path / "t.parquet")
    with pytest.raises(InvalidInput, match="has columns but no records"):
        read_table(tmp_path / "t.parquet")


def test_texts(tmp_path: Path) -> None:
    """A text is UTF-8, its byte-order mark left out; anything else is refused."""
    path = tmp_path / "s.toml"
    path.write_bytes("\ufeffé".encode())
    assert read_text(path) == "é"
    path.write_bytes(b"CANARYx7\xff")
    with pytest.raises(InvalidInput, match=r"s\.toml is not UTF-8") as caught:
        read_text(path)
    assert "CANARY" not in str(caught.value)


def test_formats_of_outputs() -> None:
    """The format of an output is what is stated, what the suffix says, or CSV on standard output."""
    assert [check_format("-"), check_format("t.TSV"), check_format("-", "arrow")] == ["csv", "tsv", "arrow"]
    with pytest.raises(FileError, match="no suffix"):
        check_format("t")
