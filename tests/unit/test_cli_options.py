"""No option of the command line is lost, and none is without effect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from covey.cli import run

LINES = [f"p{i},{20 + i % 30},{'mf'[i % 2]},{'abc'[i % 3]},{'NS'[i // 20]},{i}.5" for i in range(40)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, the current one, with a table in it."""
    monkeypatch.chdir(tmp_path)
    write("name,age,sex,edu,region,tsh", LINES)
    return tmp_path


def write(header: str, lines: list[str]) -> None:
    Path("in.csv").write_text("\n".join([header, *lines]) + "\n")


def anonymize(words: str, *more: str) -> int:
    roles = ["--identifier", "name", "--quasi", "age,sex,edu", "--confidential", "tsh", "--other", "region"]
    return run(["anonymize", "in.csv", *roles, "-k", "3", "-o", "out.csv", *words.split(), *more])


def recipe() -> dict[str, Any]:
    return json.loads(Path("r.json").read_text())["recipe"]


def test_repeated_lists_are_joined(folder: Path) -> None:
    """Options that take names may be repeated: all of them count."""
    assert anonymize("--strata region --strata sex --nominal sex --nominal edu --quasi weight --recipe r.json -q") == 2
    assert anonymize("--strata region --strata sex --nominal sex --nominal edu --recipe r.json -q") == 0
    assert recipe()["strata"] == ["region", "sex"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--quasi tsh", "column 'tsh' is given two roles: quasi and confidential"),
        ("--other age", "column 'age' is given two roles: quasi and other"),
        ("--nominal edu --ordinal edu=a,b,c", "column 'edu' is given two kinds: ordinal and nominal"),
        ("--nominal age --continuous age", "column 'age' is given two kinds: nominal and continuous"),
        ("--ordinal edu=a,b,c --ordinal edu=c,b,a", "--ordinal is given twice for column 'edu'"),
        ("--decimals age=1 --decimals age=2", "--decimals is given twice for column 'age'"),
        ("--strata sex --strata sex", "given twice for strata"),
        ("--missing drop --missing error", "--missing is given 2 times"),
        ("--method md --method mdav", "--method is given 2 times"),
        ("-k 4", "-k is given 2 times"),
        ("--nominal name", "--nominal is for quasi-identifiers and confidential columns; not for 'name'"),
        (
            "--continuous name,region",
            "--continuous is for quasi-identifiers and confidential columns; not for 'name', 'region'",
        ),
        ("--ordinal region=N,S", "--ordinal is for quasi-identifiers and confidential columns; not for 'region'"),
        ("--strata=", "expected names of columns"),
        ("--nominal=", "expected names of columns"),
        ("--nominal=,", "expected names of columns"),
        ("--continuous sex", "column 'sex' is continuous but holds text: 40 of 40 values are not numbers"),
        ("--labels l.txt", "cannot tell the format of l.txt"),
    ],
)
def test_what_would_be_lost_or_idle_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, sentence: str
) -> None:
    """An option that contradicts another, replaces it or has no effect is refused with the reason."""
    assert anonymize(words) in (2, 4)
    message = capsys.readouterr().err
    assert sentence in message
    assert message.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["in.csv"]


@pytest.mark.parametrize("k", ["1_0", "\uff15", "5.0", "+5", " 5", "\u00b2"])
def test_k_is_plain_digits(folder: Path, capsys: pytest.CaptureFixture[str], k: str) -> None:
    """k is written in plain digits: what Python would also take for a number is refused."""
    assert run(["anonymize", "in.csv", "--quasi", "age", f"-k{k}"]) == 2
    assert "k must be a whole number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ("n/a", "39 of 40 values of column 'age' are numbers, and 1 are not"),
        ("007", "the values of column 'age' are numbers, but written like codes"),
        ("1" * 30, "the values of column 'age' are numbers, but written like codes"),
    ],
)
def test_a_dirty_field_is_told(folder: Path, capsys: pytest.CaptureFixture[str], field: str, sentence: str) -> None:
    """A few fields that make text of a column of numbers are told in a note, in JSON and in the draft; or refused."""
    write("name,age,sex,edu,region,tsh", [*LINES[:-1], f"p,{field},m,a,S,1.5"])
    assert anonymize("--json") == 0
    told = capsys.readouterr()
    assert sentence in " ".join(told.err.split())
    assert any(sentence in note for note in json.loads(told.out)["notes"])
    assert run(["schema", "in.csv"]) == 0
    assert sentence in capsys.readouterr().err
    assert anonymize("--nominal age --force") == 0
    assert "taken for nominal" not in capsys.readouterr().err
    assert anonymize("--continuous age --force") == 2
    assert "column 'age' is continuous but holds" in capsys.readouterr().err


def test_a_type_the_output_has_not_is_refused_before_the_work(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A column that CSV cannot hold is refused before cells are formed, unless it is dropped."""
    parquet.write_table(pa.table({"age": range(12), "visits": [[1]] * 12}), "in.parquet")
    arguments = ["anonymize", "in.parquet", "--quasi", "age", "-k", "3", "-o", "out.csv"]
    assert run([*arguments, "--identifier", "visits", "-q"]) == 0
    monkeypatch.setattr("covey.forming.partition_groups", None)
    assert run([*arguments, "--confidential", "visits", "--force"]) == 2
    assert "column 'visits' cannot be written as csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--missing error", "--missing own-cells"),
        ("--missing drop --preserve-variance --quasi zip", "zip"),
        ("--missing drop --seed 1 --keep-order", "--keep-order leaves it out"),
    ],
)
def test_sentences_name_the_flags(folder: Path, capsys: pytest.CaptureFixture[str], words: str, sentence: str) -> None:
    """The command line's sentences name its own flags, not Python's arguments."""
    write("name,age,sex,edu,region,tsh", [*LINES[:-1], "p,,m,a,S,1.5"])
    assert anonymize(words) == 2
    message = capsys.readouterr().err
    assert sentence in message
    assert "missing=" not in message
    assert "keep_order" not in message


def test_files_without_a_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty file name is told as such."""
    assert run(["anonymize", "", "--quasi", "age", "-k", "3"]) == 4
    assert capsys.readouterr().err == "covey: cannot read a file without a name\n"
    assert run(["anonymize", "in.csv", "--quasi", "age", "-k", "3", "-o", ""]) == 4
    assert capsys.readouterr().err == "covey: cannot write a file without a name\n"


@pytest.mark.parametrize("header", [" name , age ,sex,edu,region,tsh", "\ufeff\ufeffname,age,sex,edu,region,tsh"])
def test_names_with_what_nobody_sees(folder: Path, capsys: pytest.CaptureFixture[str], header: str) -> None:
    """A name that differs by blanks or a byte order mark is pointed at."""
    write(header, LINES)
    assert anonymize("") == 2
    assert "with blanks or a byte order mark around the name" in capsys.readouterr().err


def test_bare_covey_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command there is the help, as it is, and the exit code of a usage error."""
    assert run([]) == 2
    message = capsys.readouterr().err
    assert message.startswith("Usage: covey")
    assert "see covey --help" not in message


def test_help_is_in_sections(capsys: pytest.CaptureFixture[str]) -> None:
    """The help of a command shows every option once, in its section, and an example."""
    assert run(["anonymize", "--help"]) == 0
    text = capsys.readouterr().out
    titles = [text.index(f"\n{title}:\n") for title in ("Columns", "Method", "Input and output", "Other options")]
    assert titles == sorted(titles)
    assert text.count("--quasi COLUMNS") == 1
    assert titles[0] < text.index("--quasi COLUMNS") < titles[1] < text.index("-k K") < titles[2]
    assert "Example:\n" in text
