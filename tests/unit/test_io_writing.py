"""Data files: written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from covey import FileError, InvalidInput
from covey.io import Output, check_outputs, read_table, write_outputs, write_table, write_text

TABLE = pa.table({"a": [1, 2], "b": ["CANARYx7", "y"]})


def left(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def failing(error: BaseException) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "arrow"])
def test_nothing_of_the_metadata_is_written(tmp_path: Path, suffix: str) -> None:
    """Metadata of the table and its fields stay out of every file."""
    schema = pa.schema([pa.field("a", pa.int64(), metadata={"who": "CANARYx8"})], metadata={"pandas": "CANARYx9"})
    write_table(pa.table({"a": [1]}, schema=schema), tmp_path / f"t.{suffix}")
    data = (tmp_path / f"t.{suffix}").read_bytes()
    assert b"CANARY" not in data
    assert read_table(tmp_path / f"t.{suffix}").to_pydict() == {"a": [1]}


def test_files_have_the_usual_permissions(tmp_path: Path) -> None:
    """A file is as open as the umask lets it be, and nothing else is left beside it."""
    before = os.umask(0o022)
    try:
        write_table(TABLE, tmp_path / "t.csv")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "t.csv").stat().st_mode) == 0o644
    assert left(tmp_path) == ["t.csv"]


def test_long_names(tmp_path: Path) -> None:
    """A name as long as the system allows, of characters of several bytes, is no obstacle."""
    write_text("x", tmp_path / ("😀" * 63))
    assert left(tmp_path) == ["😀" * 63]


def test_what_exists_is_replaced_only_by_force(tmp_path: Path) -> None:
    """An output that exists is refused and kept; by force it is replaced, through a link too."""
    path, link = tmp_path / "t.txt", tmp_path / "link.txt"
    write_text("old", path)
    link.symlink_to(path)
    with pytest.raises(FileError, match="it exists already"):
        write_text("new", path)
    assert path.read_text() == "old"
    write_text("new", link, force=True)
    assert path.read_text() == "new"
    assert link.is_symlink()


@pytest.mark.parametrize("force", [False, True])
def test_an_input_is_never_an_output(tmp_path: Path, force: bool) -> None:
    """An output that is an input, by name, link or hard link, is refused even by force."""
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    (tmp_path / "soft.csv").symlink_to(path)
    os.link(path, tmp_path / "hard.csv")
    for name in ("t.csv", "soft.csv", "hard.csv", "../" + tmp_path.name + "/t.csv"):
        with pytest.raises(FileError, match="it is an input of this command"):
            check_outputs([tmp_path / name], inputs=["-", path], force=force)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("absent/t.csv", "there is no directory"),
        ("file/t.csv", "cannot write"),
        (".", "it is a directory"),
        ("nul\0.csv", "cannot write"),
        ("x" * 300 + ".csv", "File name too long"),
        ("/dev/full", "not a regular file"),
    ],
)
def test_outputs_that_cannot_be(tmp_path: Path, name: str, sentence: str) -> None:
    """An output that cannot be written is refused before any work, with the reason."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match=sentence):
        check_outputs([tmp_path / name])
    assert left(tmp_path) == ["file"]


@pytest.mark.parametrize("exists", [False, True])
def test_read_only_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exists: bool) -> None:
    """A directory that may not be written to is refused, for a new file and for one to replace."""
    if exists:
        (tmp_path / "t.csv").write_text("x")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileError, match="is read-only"):
        write_table(TABLE, tmp_path / "t.csv", force=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_made_read_only(tmp_path: Path) -> None:
    """A directory whose permissions forbid writing is refused."""
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(FileError, match="is read-only"):
            write_table(TABLE, tmp_path / "t.csv")
    finally:
        tmp_path.chmod(0o700)


def test_outputs_must_differ(tmp_path: Path) -> None:
    """Two outputs to the same place are refused."""
    for paths in (["-", "-"], [tmp_path / "t", tmp_path / ".." / tmp_path.name / "t"]):
        with pytest.raises(InvalidInput, match="two outputs would go to"):
            check_outputs(paths)


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt(), MemoryError()], ids=repr
)
@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_a_failed_write_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, step: str, suffix: str
) -> None:
    """A full disk or an interruption, whenever it comes, leaves neither a part nor a temporary file."""
    monkeypatch.setattr(os if step == "fsync" else Path, step, failing(error))
    with pytest.raises(FileError if isinstance(error, OSError) else type(error)):
        write_table(TABLE, tmp_path / f"t.{suffix}")
    assert left(tmp_path) == []


def test_a_failed_replacement_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a file cannot be replaced it stays as it was."""
    write_text("old", tmp_path / "t.txt")
    monkeypatch.setattr(os, "fsync", failing(OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(FileError, match=r"cannot write .*t\.txt: No space left"):
        write_text("new", tmp_path / "t.txt", force=True)
    assert (left(tmp_path), (tmp_path / "t.txt").read_text()) == (["t.txt"], "old")


def test_all_outputs_or_none(tmp_path: Path) -> None:
    """When one of several outputs cannot be written none of them is."""
    nested = pa.table({"a": [[1]]})
    with pytest.raises(InvalidInput, match="column 'a' cannot be written as csv"):
        write_outputs([Output(tmp_path / "t.txt", "text"), Output(tmp_path / "t.csv", nested)])
    assert left(tmp_path) == []
    write_outputs([Output(tmp_path / "t.txt", "text"), Output(tmp_path / "t.arrow", nested)])
    assert left(tmp_path) == ["t.arrow", "t.txt"]


@pytest.mark.parametrize("error", [OSError(errno.EACCES, "Permission denied"), KeyboardInterrupt()], ids=repr)
def test_names_are_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """When a file cannot have its name, those before it lose theirs, and what they replaced is there again."""
    (tmp_path / "old.txt").write_text("old")
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "third.txt":
            raise error
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    outputs = [Output(tmp_path / name, "new") for name in ("first.txt", "old.txt", "third.txt")]
    with pytest.raises(FileError if isinstance(error, OSError) else KeyboardInterrupt):
        write_outputs(outputs, force=True)
    assert (left(tmp_path), (tmp_path / "old.txt").read_text()) == (["old.txt"], "old")


def test_names_are_taken_back_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system without hard links, too, a file that was replaced is there again."""
    (tmp_path / "old.txt").write_text("old")
    monkeypatch.setattr(os, "link", failing(OSError(errno.EPERM, "no links")))
    write_outputs([Output(tmp_path / "old.txt", "new")], force=True)
    assert (left(tmp_path), (tmp_path / "old.txt").read_text()) == (["old.txt"], "new")
    monkeypatch.setattr(Path, "replace", failing(OSError(errno.EACCES, "Permission denied")))
    with pytest.raises(FileError, match="Permission denied"):
        write_outputs([Output(tmp_path / "old.txt", "newer")], force=True)
    assert (left(tmp_path), (tmp_path / "old.txt").read_text()) == (["old.txt"], "new")


def test_no_file_has_its_name_before_all_are_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the last of several files cannot be completed, none has got its name, not even for a moment."""
    steps: list[str] = []
    real_sync, real_replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda number: (steps.append("complete"), real_sync(number)))
    monkeypatch.setattr(Path, "replace", lambda *names: (steps.append("named"), real_replace(*names)))
    write_outputs([Output(tmp_path / "a.txt", "a"), Output(tmp_path / "b.txt", "b")])
    assert steps == ["complete", "complete", "named", "named"]


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (pa.array([[1]]), "csv"),
        (pa.array([{"a": 1}]), "tsv"),
        (pa.array([b"CANARYx7"]), "csv"),
        (pc.run_end_encode(pa.array(["x"])), "csv"),
        (pc.run_end_encode(pa.array(["x"])), "parquet"),
        (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), "csv"),
        (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), "parquet"),
        (pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16)], pa.binary(16))), "csv"),
        (pa.DictionaryArray.from_arrays([0], pa.array(["CANARYx7"], pa.string_view())), "parquet"),
    ],
)
def test_types_a_format_has_not(tmp_path: Path, array: pa.Array, kind: str) -> None:
    """A type that the format has not is refused; nothing is written and nothing quoted."""
    with pytest.raises(InvalidInput, match=f"cannot be written as {kind}") as caught:
        write_table(pa.table({"a": array}), tmp_path / f"t.{kind}")
    assert "CANARY" not in str(caught.value)
    assert caught.value.__context__ is None
    assert left(tmp_path) == []


LIMITED = """
import resource, pyarrow as pa, covey
from covey.io import write_table
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
for suffix in ("csv", "parquet", "arrow"):
    try:
        write_table(pa.table({"a": [f"{i * i:040d}" for i in range(5000)]}), f"t.{suffix}")
    except covey.FileError as error:
        print(error)
"""


def test_files_that_grow_too_large(tmp_path: Path) -> None:
    """A real refusal of the system in the middle of a file is one sentence and leaves nothing."""
    run = subprocess.run([sys.executable, "-c", LIMITED], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [f"cannot write t.{kind}: File too large" for kind in ("csv", "parquet", "arrow")]
    assert (run.stderr, left(tmp_path)) == ("", [])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_standard_output() -> None:
    """Standard output on a full disk is one sentence, and Python has nothing to add at its end."""
    code = "import pyarrow as pa, covey, sys, covey.io as io\ntry:\n    io.write_table(pa.table({'a': [1]}), '-')\n"
    code += "except covey.FileError as error:\n    sys.exit(str(error))"
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (1, "cannot write standard output: No space left on device\n")
