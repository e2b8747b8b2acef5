"""Stronger criteria on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from covey.cli import run

LINES = [f"{20 + i},{'aaab'[i % 4]},{i * 7 % 40}" for i in range(40)]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder, the current one, with a table in it."""
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("\n".join(["age,ill,wage", *LINES]) + "\n")


def anonymize(words: str, confidential: str = "ill", other: str = "wage") -> int:
    roles = ["--quasi", "age", "--confidential", confidential, *(["--other", other] if other else [])]
    return run(["anonymize", "in.csv", *roles, "-k", "3", "-o", "out.csv", "--recipe", "r.json", *words.split()])


def also() -> list[dict[str, Any]]:
    return json.loads(Path("r.json").read_text())["statement"]["also"]


def test_every_criterion_reaches_the_release(capsys: pytest.CaptureFixture[str]) -> None:
    """What is asked for by options holds on the output, and the summary says so."""
    assert anonymize("--p-sensitive 2 --l-diverse 1.5 --l-kind entropy --t-close 0.3") == 0
    assert [(x["criterion"], x["asked"]) for x in also()] == [
        ("p-sensitivity", 2),
        ("entropy l-diversity", 1.5),
        ("t-closeness", 0.3),
    ]
    assert "Holds: The records of every published combination" in " ".join(capsys.readouterr().err.split())


def test_recursive_diversity_and_closeness_first() -> None:
    """The constant and the method reach the criteria."""
    assert anonymize("--l-diverse 2 --l-kind recursive --l-constant 4 -q") == 0
    assert (also()[0]["l"], also()[0]["c"]) == (2, 4.0)
    assert anonymize("--t-close 0.1 --t-first -q --force", confidential="wage", other="ill") == 0
    assert (also()[0]["method"], also()[0]["ground"]) == ("first", "numeric")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--l-kind entropy", "--l-kind and --l-constant are for --l-diverse"),
        ("--l-constant 2", "--l-kind and --l-constant are for --l-diverse"),
        ("--t-first", "--t-first is for --t-close"),
        ("--l-diverse 2.5", "l of distinct l-diversity must be a whole number"),
        ("--p-sensitive 0", "p of p-sensitivity must be a whole number of at least 1"),
        ("--p-sensitive 3", "it would have 2 different values"),
        ("--t-close 2", "t of t-closeness must be a number from 0 to 1"),
        ("--t-close nan", "t of t-closeness must be a number from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused(words: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In one sentence, with exit code 2, and nothing is written."""
    assert anonymize(words) == 2
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not Path("out.csv").exists()


def test_refusals_call_options_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    """What is refused is called as on the command line."""
    roles = ["--quasi", "age,wage", "--other", "ill", "-k", "3", "-o", "out.csv"]
    assert run(["anonymize", "in.csv", *roles, "--t-close", "0.1"]) == 2
    assert "--t-close is about confidential columns" in capsys.readouterr().err
    roles = ["--quasi", "age,wage", "--confidential", "ill", "-k", "3", "-o", "out.csv", "--p-sensitive", "2"]
    assert run(["anonymize", "in.csv", *roles, "--column-blocks", "1", "--guarantee", "per-block"]) == 2
    assert "--column-blocks forms cells of some alone" in capsys.readouterr().err
