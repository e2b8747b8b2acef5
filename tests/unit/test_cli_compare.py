"""`covey compare`, as its users run it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from pyarrow import csv, parquet

from covey import comparison, methods, options
from covey.cli import cli
from tests.unit import processes

ROLES = ["--quasi", "age,height,sex", "--identifier", "name", "--confidential", "tsh"]
METHODS = ["--methods", "mdav,mst", "-k", "3,5"]


def run(*arguments: str | Path, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """A finished run of covey compare."""
    return processes.run("compare", *arguments, cwd=cwd, stdin=stdin)


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """A small CSV file full of canaries."""
    lines = ["name,age,height,sex,tsh"]
    lines += [f"CANARYx7-{i},{20 + 7 * i % 50},{i * i % 97}.5,{'mf'[i % 2]},{i}.5" for i in range(60)]
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_command_line_knows_every_method():
    """The words that it takes for methods are all there are, and what it compares by default is what Python does."""
    assert set(options.METHODS) == set(methods.METHODS)
    (names,) = (option for option in cli.commands["compare"].params if option.name == "methods")
    assert names.default == (",".join(comparison.METHODS),)
    (ks,) = (option for option in cli.commands["compare"].params if option.name == "ks")
    assert ks.default == (",".join(map(str, comparison.KS)),)


def test_a_table_on_the_terminal(patients):
    """Without a file the figures are a table on standard output, one line for each method and k."""
    done = run(patients, *ROLES, *METHODS, cwd=patients.parent)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.decode().splitlines() if line.strip()]
    assert lines[0][:3] == ["method", "k", "D"]
    assert [line[:2] for line in lines[1:]] == [["mdav", "3"], ["mst", "3"], ["mdav", "5"], ["mst", "5"]]
    assert sum("least" in line for line in lines[1:]) >= 2
    assert done.stderr == b""


@pytest.mark.parametrize(("name", "read"), [("t.csv", csv.read_csv), ("t.parquet", parquet.read_table)])
def test_a_table_in_a_file(patients, name, read):
    """The figures go into a file of the format that its suffix says."""
    done = run(patients, *ROLES, *METHODS, "-o", name, cwd=patients.parent)
    assert done.returncode == 0, done.stderr
    table = read(patients.with_name(name))
    assert table["method"].to_pylist() == ["mdav", "mst", "mdav", "mst"]
    assert table["smallest_cell"].to_pylist() == [3, 3, 5, 5]
    assert all(0 < distortion < 1 for distortion in table["distortion"].to_pylist())


def test_pipes(patients):
    """CSV goes through pipes: figures on standard output, words on standard error."""
    done = run("-", *ROLES, *METHODS, "-o", "-", cwd=patients.parent, stdin=patients.read_bytes())
    assert done.stdout.startswith(b'"method","k","distortion"')
    assert len(done.stdout.splitlines()) == 5
    assert b"above least" in done.stderr


def test_json_is_for_programs(patients):
    """--json prints the figures and nothing else."""
    done = run(patients, *ROLES, *METHODS, "--json", cwd=patients.parent)
    assert [(trial["method"], trial["k"]) for trial in json.loads(done.stdout)][:2] == [("mdav", 3), ("mst", 3)]
    assert done.stderr == b""


@pytest.mark.parametrize(("name", "signature"), [("c.png", b"\x89PNG"), ("c.SVG", b"<?xml")])
def test_curves(patients, name, signature):
    """--plot draws a picture in the format that the suffix says."""
    done = run(patients, *ROLES, *METHODS, "--plot", name, "-q", cwd=patients.parent)
    assert done.returncode == 0, done.stderr
    assert patients.with_name(name).read_bytes().startswith(signature)
    assert done.stdout == done.stderr == b""


def test_a_schema_and_groups(patients):
    """A schema file, strata and missing values are understood as by anonymize."""
    folder = patients.parent
    assert processes.run("schema", "patients.csv", "-o", "s.toml", cwd=folder).returncode == 0
    asked = ["--schema", "s.toml", "--strata", "sex", "--missing", "drop", "-k", "4", "--methods", "mu-approx"]
    done = run(patients, *asked, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["smallest_cell"] >= 4


BAD = {
    "n<k": ([*ROLES, "-k", "3,61"], 2, "mdav with k=61: the table has 60 records, fewer than k=61"),
    "k=1": ([*ROLES, "-k", "1"], 2, "protects nobody"),
    "k=five": ([*ROLES, "-k", "3,five"], 2, "whole number"),
    "no k": ([*ROLES, "-k", ","], 2, "expected values of k"),
    "unknown method": ([*ROLES, "--methods", "mdav,magic"], 2, "unknown method"),
    "a method that does not fit": ([*ROLES, "--methods", "mdav,tfrp"], 2, "tfrp with k=3"),
    "the same twice": ([*ROLES, "--methods", "mdav,mdav"], 2, "same name"),
    "no schema": ([], 2, "--schema"),
    "unknown column": (["--quasi", "age,weight"], 2, "'weight'"),
    "json and table": ([*ROLES, "--json", "-o", "-"], 2, "-o FILE"),
    "another picture": ([*ROLES, "--plot", "c.gif"], 2, "png or svg"),
    "a picture on a pipe": ([*ROLES, "--plot", "-"], 2, "png or svg"),
    "another table": ([*ROLES, "-o", "c.doc"], 4, ".doc"),
    "the input": ([*ROLES, "-o", "patients.csv", "--force"], 4, "it is an input"),
    "one file for both": ([*ROLES, "-o", "c.csv", "--plot", "c.csv"], 2, "two outputs"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(patients, case):
    """Bad input gets one sentence without a value of the data, its exit code, and leaves nothing."""
    arguments, code, words = BAD[case]
    done = run(patients, *arguments, cwd=patients.parent)
    message = done.stderr.decode()
    assert done.returncode == code, message
    assert words in message
    assert message.count("\n") == 1
    assert message.startswith("covey: ")
    assert "CANARY" not in message
    assert done.stdout == b""
    assert [path.name for path in patients.parent.iterdir()] == ["patients.csv"]
