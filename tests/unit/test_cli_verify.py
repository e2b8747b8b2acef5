"""`covey verify`, as its users run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit import processes

HEADER = "name,age,sex,region"
PEOPLE = [("40", "f", "n"), ("40", "f", "n"), ("40", "m", "n"), ("40", "m", "s"), ("40", "m", "s"), ("40", "f", "s")]


def run(*arguments: str | Path, cwd: Path, stdin: bytes = b""):
    """A finished run of covey verify."""
    return processes.run("verify", *arguments, cwd=cwd, stdin=stdin)


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """A small CSV file full of canaries."""
    path = tmp_path / "patients.csv"
    path.write_text(
        "\n".join([HEADER, *(f"CANARYx7-{i},{','.join(person)}" for i, person in enumerate(PEOPLE))]) + "\n"
    )
    (tmp_path / "patients.toml").write_text(
        "".join(f'[columns.{name}]\nrole = "quasi"\nkind = "nominal"\n' for name in ("age", "sex", "region"))
        + '[columns.name]\nrole = "identifier"\nkind = "nominal"\n'
    )
    return path


def test_a_table_that_holds(patients):
    """Exit code 0, and two lines."""
    done = run(patients, "--quasi", "age,sex", "-k", "3", cwd=patients.parent)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "3-anonymity holds of age, sex.",
        "6 records in 2 cells; the smallest has 3 records.",
    ]


def test_a_table_that_does_not_hold(patients):
    """Exit code 3, culprits, what leaving out would do, identifiers that are still there; and no value."""
    done = run(patients, "--schema", "patients.toml", "-k", "2", cwd=patients.parent)
    assert (done.returncode, done.stderr) == (3, b"")
    text = done.stdout.decode()
    assert "2-anonymity does not hold of age, sex, region." in text
    assert "2 records (33.3%) in cells of fewer than 2, 2 of them alone." in text
    assert "Note: the table has name, an identifier by its schema." in text
    lines = [line.split() for line in text.splitlines()]
    assert ["sex,", "region", "2", "1"] in lines
    assert all(line in lines for line in (["age", "2"], ["sex", "0"], ["region", "0"]))
    assert "CANARY" not in text


def test_json_and_files(patients):
    """JSON on standard output or in a file, which is written whatever the verdict; and silence on request."""
    done = run(patients, "--quasi", "sex,region", "-k", "2", "--json", cwd=patients.parent)
    assert (done.returncode, done.stderr) == (3, b"")
    found = json.loads(done.stdout)
    assert (found["holds"], found["culprits"]) == (False, [{"columns": ["sex", "region"], "below": 2, "smallest": 1}])
    done = run(patients, "--quasi", "sex,region", "-k", "2", "-q", "-o", "found.json", cwd=patients.parent)
    assert (done.returncode, done.stdout, done.stderr) == (3, b"", b"")
    assert json.loads(patients.with_name("found.json").read_text()) == found
    done = run(patients, "--quasi", "sex", "-k", "2", "-o", "found.json", cwd=patients.parent)
    assert done.returncode == 4
    assert b"exists" in done.stderr
    done = run(patients, "--quasi", "sex", "-k", "2", "-o", "found.json", "--force", cwd=patients.parent)
    assert done.returncode == 0
    assert json.loads(patients.with_name("found.json").read_text())["holds"] is True


def test_a_pipe(patients):
    """The table may come from standard input, and the findings go to standard output."""
    done = run("-", "--quasi", "age", "-k", "6", "-o", "-", cwd=patients.parent, stdin=patients.read_bytes())
    assert done.returncode == 0
    assert json.loads(done.stdout)["records"] == 6


def test_a_search_that_stops_says_so(tmp_path):
    """Combinations larger than --most are not looked at; of many culprits only some are shown."""
    bits = [[str((i >> j) & 1) for j in range(4)] for i in range(16)]
    path = tmp_path / "bits.csv"
    path.write_text("a,b,c,d\n" + "\n".join(map(",".join, bits)) + "\n")
    done = run(path, "--quasi", "a,b,c,d", "-k", "2", "--most", "2", cwd=tmp_path)
    assert "10 combinations were counted, not all: there may be more at fault" in done.stdout.decode()
    wide = tmp_path / "wide.csv"
    names = [f"c{j}" for j in range(12)]
    wide.write_text(
        ",".join(names) + "\n" + "\n".join(",".join(str(int(i == j)) for j in range(12)) for i in range(12)) + "\n"
    )
    done = run(wide, "--quasi", ",".join(names), "-k", "2", cwd=tmp_path)
    assert "and 2 more combinations: --json shows them" in done.stdout.decode()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-k", "2"], "say what the quasi-identifiers are: either --schema FILE or --quasi COLUMNS"),
        (["-k", "2", "--quasi", "age", "--schema", "patients.toml"], "either --schema FILE or --quasi COLUMNS"),
        (["-k", "2", "--quasi", "height"], "the table does not have column 'height'"),
        (["-k", "two", "--quasi", "age"], "k must be a whole number"),
        (["-k", "2", "--quasi", "age", "--most", "0"], "most must be at least 1"),
        (["-k", "2", "--quasi", "age", "--json", "-o", "-"], "--json prints on standard output"),
    ],
)
def test_unusable_options_are_refused(patients, options, sentence):
    """Exit code 2 and one sentence."""
    done = run(patients, *options, cwd=patients.parent)
    assert (done.returncode, done.stdout) == (2, b"")
    assert sentence in done.stderr.decode()
