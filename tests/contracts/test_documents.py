"""What the documents promise: every block runs, everything public is in them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import covey
from covey.cli import cli
from covey.errors import CoveyError

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(path: Path, language: str) -> list[str]:
    """The code blocks of a document in a language."""
    return [text for found, text in BLOCK.findall(path.read_text()) if found == language]


def documents_with(language: str) -> list[Path]:
    return [path for path in DOCUMENTS if blocks(path, language)]


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    """A folder with the example in it."""
    for name in ("clinic.csv", "clinic.toml"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", documents_with("python"), ids=lambda path: path.name)
def test_python_blocks_run(path, clinic):
    """The Python of a document runs, block after block, beside the example."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "\n".join(blocks(path, "python"))],
        cwd=clinic, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", documents_with("sh"), ids=lambda path: path.name)
def test_commands_run(path, clinic):
    """Every covey command of a document succeeds, one after the other, beside the example."""
    lines = [line for block in blocks(path, "sh") for line in block.splitlines()]
    commands = [line.partition("#")[0].split()[1:] for line in lines if line.startswith("covey ")]
    for arguments in commands:
        done = subprocess.run(
            [sys.executable, "-m", "covey", *arguments], cwd=clinic, capture_output=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
    targets = [line.split()[1] for line in lines if line.startswith("make ")]
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"\n{target}:" in makefile for target in targets)
    assert commands or targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    """Every link of a document to a file leads to one."""
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []


def commands() -> list[tuple[str, click.Option]]:
    return [
        (name, option)
        for name, command in cli.commands.items()
        for option in command.params
        if isinstance(option, click.Option)
    ]


def test_every_command_and_option_is_documented():
    """docs/reference/cli.md names every command and every option, and says something of each in --help."""
    text = (ROOT / "docs/reference/cli.md").read_text()
    assert all(f"## covey {name}" in text for name in cli.commands)
    for _, option in commands():
        assert option.help, option.name
        assert all(re.search(rf"`{re.escape(word)}[` ]", text) for word in option.opts), option.opts


def test_every_documented_option_exists():
    """docs/reference/cli.md names no option that is not there."""
    text = (ROOT / "docs/reference/cli.md").read_text()
    known = {word for _, option in commands() for word in option.opts}
    assert set(re.findall(r"`(--?[a-z][a-z-]*)", text)) <= known


def test_every_public_name_is_documented():
    """docs/reference/api.md names everything public, and everything public has a docstring."""
    text = (ROOT / "docs/reference/api.md").read_text()
    for name in covey.__all__:
        assert f"`{name}" in text, name
        assert getattr(covey, name).__doc__, name


def test_every_error_is_documented():
    """docs/reference/errors.md names every exception of covey."""
    text = (ROOT / "docs/reference/errors.md").read_text()
    kinds = [CoveyError, *CoveyError.__subclasses__()]
    assert all(f"`{kind.__name__}`" in text for kind in kinds)
    assert all(kind.__name__ in covey.__all__ for kind in kinds)


def test_every_make_target_is_explained():
    """`make` alone lists each target that a person would call."""
    makefile = (ROOT / "Makefile").read_text()
    head = makefile.partition("\n\n")[0]
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    assert all(f"make {target}" in head for target in phony[1].split() if target != "help")


def test_doctests():
    """The examples of the docstrings run."""
    names = [
        "covey.release",
        "covey.comparison",
        "covey.bounds.shares",
        "covey.criteria",
        "covey.measures.confidential",
    ]
    names += [f"covey.partition.{name}" for name in ("mdav", "univariate", "blocks", "refine")]
    names += ["covey.verification", *(f"covey.measures.{name}" for name in ("linkage", "intervals", "moments"))]
    script = f"import doctest, importlib, sys; n = [doctest.testmod(importlib.import_module(m)) for m in {names!r}];"
    script += "print(sum(r.attempted for r in n)); sys.exit(sum(r.failed for r in n))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
    assert int(done.stdout) >= 8
