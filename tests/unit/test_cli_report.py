"""`covey report` and `covey anonymize --report`, as their users run them."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.unit import processes

ROLES = ["--quasi", "age,height,sex", "--identifier", "name", "--confidential", "tsh", "--nominal", "sex"]


def run(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    """A finished run of covey."""
    return processes.run(*arguments, cwd=cwd)


def refused(*arguments: str | Path, cwd: Path) -> str:
    """What covey report says when it refuses; nothing is written then."""
    done = run("report", *arguments, "-o", "refused.html", cwd=cwd)
    assert done.returncode == 2, done.stderr
    assert not (cwd / "refused.html").exists()
    assert done.stdout == b""
    said = done.stderr.decode()
    assert "CANARY" not in said
    return " ".join(said.split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A CSV file full of canaries, and a release of it with all that comes along."""
    place = tmp_path_factory.mktemp("report")
    lines = ["name,age,height,sex,tsh"]
    lines += [f"CANARYx7-{i},{20 + 7 * i % 50},{i * i % 97}.5,{'mf'[i % 2]},CANARYy8-{i}" for i in range(60)]
    (place / "patients.csv").write_text("\n".join(lines) + "\n")
    outputs = ["-o", "release.csv", "--recipe", "release.json", "--labels", "labels.csv"]
    pages = ["--report", "internal.html"]
    done = run("anonymize", "patients.csv", *ROLES, "-k", "5", *outputs, *pages, cwd=place)
    assert done.returncode == 0, done.stderr
    assert b"internal.html shows original records: it is an internal report" in done.stderr
    return place


def test_a_report_of_files_is_that_of_the_release(folder):
    """With release, recipe, original and labels the page is the one that covey anonymize wrote."""
    files = ["release.csv", "--recipe", "release.json", "--original", "patients.csv", "--labels", "labels.csv"]
    done = run("report", *files, "-o", "again.html", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert b"again.html shows original records: it is an internal report" in done.stderr
    page = (folder / "again.html").read_text()
    assert page == (folder / "internal.html").read_text()
    assert "CANARY" not in page
    assert "INTERNAL" in page


def test_without_the_original_it_is_public(folder):
    """And --public says that this is meant."""
    done = run("report", "release.csv", "--recipe", "release.json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    page = done.stdout.decode()
    assert page.startswith("<!DOCTYPE html>")
    assert "INTERNAL" not in page
    assert "CANARY" not in page
    assert run("report", "release.csv", "--recipe", "release.json", "--public", cwd=folder).stdout.decode() == page


def test_the_page_says_how_to_verify_the_release(folder):
    """By a command that succeeds."""
    page = (folder / "internal.html").read_text()
    command = re.search(r"covey verify release.csv --schema schema.toml -k 5", page)
    toml = re.search(r"<code>(# What each column.*?)</code>", page, re.DOTALL)
    assert command
    assert toml
    (folder / "schema.toml").write_text(html.unescape(toml[1]))
    assert run(*command[0].split()[1:], cwd=folder).returncode == 0


def test_anonymize_writes_a_public_report_on_request(folder):
    """Which is the one that anybody could make of what is published."""
    outputs = ["-o", "second.csv", "--recipe", "second.json", "--report", "public.html", "--report-public"]
    done = run("anonymize", "patients.csv", *ROLES, "-k", "5", *outputs, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert b"internal report" not in done.stderr
    again = run("report", "second.csv", "--recipe", "second.json", cwd=folder)
    assert again.stdout == (folder / "public.html").read_bytes()


def test_the_order_tells_the_records_where_it_is_kept(folder):
    """No labels are needed then."""
    outputs = ["-o", "kept.parquet", "--recipe", "kept.json", "--keep-order"]
    assert run("anonymize", "patients.csv", *ROLES, "-k", "5", *outputs, cwd=folder).returncode == 0
    files = ["kept.parquet", "--recipe", "kept.json", "--original", "patients.csv", "-q"]
    done = run("report", *files, "--scatter", "age,sex", cwd=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"by age (across) and sex (upward)" in done.stdout


def test_a_sweep_is_drawn(folder):
    """What covey tradeoff printed; other JSON is refused."""
    swept = run("tradeoff", "patients.csv", *ROLES, "-k", "3,5", "--lambdas", "0,1", "--json", cwd=folder)
    assert swept.returncode == 0, swept.stderr
    (folder / "sweep.json").write_bytes(swept.stdout)
    files = ["release.csv", "--recipe", "release.json", "--original", "patients.csv", "--labels", "labels.csv"]
    done = run("report", *files, "--tradeoff", "sweep.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "k = 3, λ = 1" in done.stdout.decode()
    for wrong in ("{}", '[{"k": 1}]', "[1]"):
        (folder / "wrong.json").write_text(wrong)
        assert "wrong.json holds no sweep" in refused(*files, "--tradeoff", "wrong.json", cwd=folder)


def test_shuffled_records_need_labels(folder):
    """There is no telling who is who without them."""
    said = refused("release.csv", "--recipe", "release.json", "--original", "patients.csv", cwd=folder)
    assert "the records of the release were shuffled: give --labels" in said


def test_labels_of_another_release_are_refused(folder):
    """The columns that are published as they are tell that the records do not correspond."""
    outputs = ["-o", "third.csv", "--labels", "other.csv"]
    assert run("anonymize", "patients.csv", *ROLES, "-k", "5", *outputs, cwd=folder).returncode == 0
    files = ["release.csv", "--recipe", "release.json", "--original", "patients.csv", "--labels", "other.csv"]
    assert "the records do not correspond: column 'tsh'" in refused(*files, cwd=folder)
    files[-1] = "patients.csv"
    assert "the labels have no column 'row'" in refused(*files, cwd=folder)


def test_a_recipe_of_something_else_is_refused(folder):
    """Not JSON, JSON of something else, and the recipe of another release."""
    assert "labels.csv is not JSON" in refused("release.csv", "--recipe", "labels.csv", cwd=folder)
    (folder / "deep.json").write_text("[" * 100_000 + "]" * 100_000)
    assert "deep.json is not JSON" in refused("release.csv", "--recipe", "deep.json", cwd=folder)
    (folder / "some.json").write_text("[1]")
    said = refused("release.csv", "--recipe", "some.json", cwd=folder)
    assert "not one that covey anonymize --recipe wrote: it lacks recipe, statement, measures and notes" in said
    said = refused("patients.csv", "--recipe", "release.json", cwd=folder)
    assert "the recipe is not of this release, which has column 'name' besides" in said
    other = json.loads((folder / "release.json").read_text())
    other["statement"]["smallest_cell"] = 3
    (folder / "other.json").write_text(json.dumps(other))
    said = refused("release.csv", "--recipe", "other.json", cwd=folder)
    assert "the smallest cell is told to have 3 records, and counted it has 5" in said


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--public", "--original", "patients.csv"], "--public leaves the original out"),
        (["--labels", "labels.csv"], "--labels, --null and --tradeoff are for --original"),
        (["--null", "NA"], "--labels, --null and --tradeoff are for --original"),
        (["--tradeoff", "release.json"], "--labels, --null and --tradeoff are for --original"),
        (["--scatter", "age"], "scatter takes the names of two quasi-identifiers"),
        (["--scatter", "age,tsh"], "scatter shows two quasi-identifiers, which 'tsh' is not"),
    ],
)
def test_options_without_effect_are_refused(options, sentence, folder):
    """Each with the reason."""
    assert sentence in refused("release.csv", "--recipe", "release.json", *options, cwd=folder)


def test_files_are_looked_after(folder):
    """An input is no output, what exists is replaced only by force, and a kind of report needs a report."""
    done = run("report", "release.csv", "--recipe", "release.json", "-o", "release.json", "--force", cwd=folder)
    assert done.returncode == 4
    assert b"it is an input of this command" in done.stderr
    done = run("report", "release.csv", "--recipe", "release.json", "-o", "internal.html", cwd=folder)
    assert done.returncode == 4
    assert b"it exists already" in done.stderr
    done = run("anonymize", "patients.csv", *ROLES, "-k", "5", "--report-public", cwd=folder)
    assert done.returncode == 2
    assert b"--report-public is for --report" in done.stderr
