"""The command line, as its users run it: in processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, ipc, parquet

from tests.unit.processes import COVEY, run

CANARIES = ("CANARYx7", "918273645")
ROLES = ["--quasi", "age,sex", "--identifier", "name", "--confidential", "tsh"]


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    """A small CSV file full of canaries."""
    lines = ["name,age,sex,tsh"]
    lines += [f"CANARYx7-{i},{20 + 3 * i % 50},{'male' if i % 2 else 'female'},{i}.5" for i in range(40)]
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def leaves_nothing(folder: Path) -> bool:
    """Whether only the input is there."""
    return sorted(path.name for path in folder.iterdir()) == ["patients.csv"]


@pytest.mark.parametrize(
    ("suffix", "read"),
    [
        ("csv", csv.read_csv),
        ("parquet", parquet.read_table),
        ("arrow", lambda path: ipc.open_file(path).read_all()),
        ("tsv", lambda path: csv.read_csv(path, parse_options=csv.ParseOptions(delimiter="\t"))),
    ],
)
def test_formats_by_suffix(patients, suffix, read):
    """A release goes out in the format that the suffix says, without identifiers and k-anonymous."""
    out = patients.with_name(f"out.{suffix}")
    done = run("anonymize", patients, *ROLES, "-k", 4, "-o", out, cwd=patients.parent)
    assert done.returncode == 0, done.stderr
    table = read(out)
    assert table.column_names == ["age", "sex", "tsh"]
    counts = table.group_by(["age", "sex"]).aggregate([([], "count_all")])["count_all"]
    assert min(counts.to_pylist()) >= 4


def test_pipes(patients):
    """CSV and Parquet go through pipes; data on standard output, words on standard error."""
    done = run("anonymize", "-", *ROLES, "-k", 4, cwd=patients.parent, stdin=patients.read_bytes())
    assert done.returncode == 0
    assert done.stdout.startswith(b'"age","sex","tsh"\n')
    assert len(done.stdout.splitlines()) == 41
    assert b"D = " in done.stderr
    arguments = ("anonymize", "-", *ROLES, "-k", 4, "--output-format", "parquet", "-q")
    done = run(*arguments, cwd=patients.parent, stdin=patients.read_bytes())
    assert parquet.read_table(pa.BufferReader(done.stdout)).num_rows == 40
    assert done.stderr == b""


def test_schema_then_anonymize(patients):
    """A drafted schema is one that anonymize takes."""
    folder = patients.parent
    assert run("schema", patients, "-o", "s.toml", cwd=folder).returncode == 0
    assert 'role = "identifier"' in (folder / "s.toml").read_text()
    done = run("anonymize", patients, "--schema", "s.toml", "-k", 3, "-o", "out.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert run("schema", patients, cwd=folder).stdout.decode() == (folder / "s.toml").read_text()


def test_json_is_for_programs(patients):
    """--json prints recipe, statement and measures, and nothing else, on standard output."""
    done = run("anonymize", patients, *ROLES, "-k", 4, "-o", "out.csv", "--json", cwd=patients.parent)
    printed = json.loads(done.stdout)
    assert printed["statement"]["smallest_cell"] >= 4
    assert printed["recipe"]["method"] == {
        "name": "MDAV",
        "k": 4,
        "tail": "split",
        "ordinal_average": "median",
        "threads": None,
    }
    assert printed["measures"]["records"] == 40


def test_recipe_and_labels_files(patients):
    """The recipe and the labels are written when asked for, the labels in the order of the input."""
    folder = patients.parent
    asked = ("--recipe", "r.json", "--labels", "l.csv", "--keep-order", "-o", "out.csv")
    assert run("anonymize", patients, *ROLES, "-k", 4, *asked, cwd=folder).returncode == 0
    assert json.loads((folder / "r.json").read_text())["recipe"]["shuffled"] is False
    labels = csv.read_csv(folder / "l.csv")["cell"].to_numpy()
    ages = csv.read_csv(folder / "out.csv")["age"].to_numpy()
    assert all(len(set(ages[labels == cell])) == 1 for cell in set(labels))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--method", "mdav", "--tail", "adjoin"], {"name": "MDAV", "tail": "adjoin"}),
        (["--method", "md", "--threads", "2"], {"name": "MD", "threads": 2}),
        (["--method", "vmdav", "--gamma", "best"], {"name": "VMDAV", "gamma": "best"}),
        (["--method", "vmdav", "--gamma", "0.5"], {"name": "VMDAV", "gamma": 0.5}),
        (["--method", "mst", "--split", "none"], {"name": "MST", "split": "none"}),
        (["--method", "mu-approx", "--blocks", "20"], {"name": "Blocks", "size": 20}),
        (["--ordinal-average", "convex", "--ordinal", "sex=male,female"], {"ordinal_average": "convex"}),
        (["--refine-steps", "2000", "--refine-seed", "7"], {"name": "Refine", "k": 4, "steps": 2000, "seed": 7}),
        (["--blocks", "20"], {"name": "Blocks", "size": 20}),
        (["--blocks", "20", "--refine-steps", "9"], {"name": "Refine", "k": 4, "steps": 9}),
        (["--refine", "0.1"], {"name": "Refine", "seconds": 0.1, "steps": None, "seed": 0}),
    ],
)
def test_method_options_take_effect(patients, options, expected):
    """Options of the method reach it: the recipe says so."""
    done = run("anonymize", patients, *ROLES, "-k", 4, "-o", "o.csv", "--json", *options, cwd=patients.parent)
    assert json.loads(done.stdout)["recipe"]["method"].items() >= expected.items()


def test_release_options_take_effect(patients):
    """Strata, weights, variance, missing and order reach the recipe."""
    options = ["--strata", "sex", "--weights", "tsh", "--preserve-variance", "--keep-order", "--missing", "drop"]
    roles = ["--quasi", "age", "--identifier", "name", "--confidential", "tsh", "--other", "sex", "--decimals", "age=2"]
    done = run("anonymize", patients, *roles, "-k", 4, "-o", "o.csv", "--json", *options, cwd=patients.parent)
    recipe = json.loads(done.stdout)["recipe"]
    assert (recipe["strata"], recipe["weights"], recipe["missing"]) == (["sex"], "tsh", "drop")
    assert recipe["preserve_variance"]
    assert not recipe["shuffled"]
    assert [column.get("decimals") for column in recipe["schema"] if column["name"] == "age"] == [2]


def test_ordinal_by_option(patients):
    """Categories written on the command line order the column."""
    arguments = ["--quasi", "age,sex", "--identifier", "name", "--confidential", "tsh", "--ordinal", "sex=male,female"]
    done = run("anonymize", patients, *arguments, "-k", 4, "-o", "o.csv", "--json", cwd=patients.parent)
    columns = {column["name"]: column for column in json.loads(done.stdout)["recipe"]["schema"]}
    assert columns["sex"]["categories"] == ["male", "female"]


def test_individual_ranking_says_that_it_is_not_k_anonymous(patients):
    """Its statement, and the terminal, say that jointly the table is not k-anonymous."""
    roles = ["--quasi", "age,tsh", "--identifier", "name", "--confidential", "sex"]
    done = run(
        "anonymize", patients, *roles, "-k", 4, "-o", "o.csv", "--method", "individual-ranking", cwd=patients.parent
    )
    assert b"JOINTLY THE TABLE IS NOT k-ANONYMOUS" in done.stderr.replace(b"\n", b" ")


def test_seed_repeats_the_shuffle(patients):
    """The same seed gives the same file; without one the order differs."""
    arguments = ("anonymize", patients, *ROLES, "-k", 4, "-q")
    seeded = [run(*arguments, "--seed", 7, cwd=patients.parent).stdout for _ in range(2)]
    fresh = [run(*arguments, cwd=patients.parent).stdout for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert fresh[0] != fresh[1]


BAD = {
    "k=0": ([*ROLES, "-k", "0"], 2, "k must be at least 1"),
    "k=1": ([*ROLES, "-k", "1"], 2, "protects nobody"),
    "k=-3": ([*ROLES, "-k", "-3"], 2, "k must be at least 1"),
    "k=2.5": ([*ROLES, "-k", "2.5"], 2, "whole number"),
    "k=five": ([*ROLES, "-k", "five"], 2, "whole number"),
    "no k": (ROLES, 2, "missing option '-k'"),
    "n<k": ([*ROLES, "-k", "41"], 2, "40 records, fewer than k=41"),
    "unknown column": (["--quasi", "age,height", "-k", "4"], 2, "'height'"),
    "two roles": ([*ROLES, "--other", "age", "-k", "4"], 2, "two roles"),
    "no quasi": (["--confidential", "age", "-k", "4"], 2, "no quasi-identifier"),
    "no role": (["--quasi", "age", "-k", "4"], 2, "without a role"),
    "no schema": (["-k", "4"], 2, "--schema"),
    "schema and roles": ([*ROLES, "--schema", "s.toml", "-k", "4"], 2, "not both"),
    "no schema file": (["--schema", "nowhere.toml", "-k", "4"], 4, "nowhere.toml"),
    "foreign option": ([*ROLES, "-k", "4", "--gamma", "1"], 2, "no option gamma"),
    "bad gamma": ([*ROLES, "-k", "4", "--method", "vmdav", "--gamma", "much"], 2, "expected a number"),
    "negative gamma": ([*ROLES, "-k", "4", "--method", "vmdav", "--gamma", "-1"], 2, "gamma"),
    "no time to refine": ([*ROLES, "-k", "4", "--refine", "0"], 2, "seconds must be"),
    "two budgets": ([*ROLES, "-k", "4", "--refine", "1", "--refine-steps", "5"], 2, "one budget"),
    "idle seed": ([*ROLES, "-k", "4", "--refine-seed", "5"], 2, "--refine-seed"),
    "nothing to refine": ([*ROLES, "-k", "4", "--method", "individual-ranking", "--refine", "1"], 2, "no joint cells"),
    "zero threads": ([*ROLES, "-k", "4", "--threads", "0"], 2, "threads"),
    "unknown method": ([*ROLES, "-k", "4", "--method", "magic"], 2, "magic"),
    "categories for tfrp": ([*ROLES, "-k", "4", "--method", "tfrp"], 2, "'sex'"),
    "small blocks": ([*ROLES, "-k", "4", "--blocks", "15"], 2, "at least 4k"),
    "blocks of columns": ([*ROLES, "-k", "4", "--blocks", "50", "--method", "individual-ranking"], 2, "base must be"),
    "unknown stratum": ([*ROLES, "-k", "4", "--strata", "city"], 2, "'city'"),
    "stratum too small": ([*ROLES, "-k", "4", "--strata", "tsh"], 2, "strata have fewer"),
    "unknown weights": ([*ROLES, "-k", "4", "--weights", "w"], 2, "'w'"),
    "bad decimals": ([*ROLES, "-k", "4", "--decimals", "age"], 2, "--decimals"),
    "idle decimals": ([*ROLES, "-k", "4", "--decimals", "tsh=1"], 2, "'tsh'"),
    "idle convex median": ([*ROLES, "-k", "4", "--ordinal-average", "convex"], 2, "convex median"),
    "seed and order": ([*ROLES, "-k", "4", "--seed", "1", "--keep-order"], 2, "seed"),
    "no such directory": ([*ROLES, "-k", "4", "-o", "no/where.csv"], 4, "no directory"),
    "output is input": ([*ROLES, "-k", "4", "-o", "patients.csv", "--force"], 4, "it is an input"),
    "unknown suffix": ([*ROLES, "-k", "4", "-o", "out.doc"], 4, ".doc"),
    "json without file": ([*ROLES, "-k", "4", "--json"], 2, "-o FILE"),
    "text where numbers should be": (
        ["--quasi", "age,name", "--other", "sex,tsh", "--decimals", "name=1", "-k", "4"],
        2,
        "'name'",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(patients, case):
    """Bad input gets one sentence without a value of the data, its exit code, and leaves nothing."""
    arguments, code, words = BAD[case]
    done = run("anonymize", patients, *arguments, cwd=patients.parent)
    message = done.stderr.decode()
    assert done.returncode == code, message
    assert words in message
    assert message.count("\n") == 1
    assert message.startswith("covey: ")
    assert not any(canary in message for canary in CANARIES)
    assert done.stdout == b""
    assert leaves_nothing(patients.parent)


def test_existing_output_is_kept(patients):
    """A file that exists is replaced only with --force."""
    out = patients.with_name("out.csv")
    out.write_text("mine")
    done = run("anonymize", patients, *ROLES, "-k", 4, "-o", out, cwd=patients.parent)
    assert (done.returncode, out.read_text()) == (4, "mine")
    assert run("anonymize", patients, *ROLES, "-k", 4, "-o", out, "--force", cwd=patients.parent).returncode == 0
    assert out.read_text() != "mine"


def test_full_disk_on_standard_output(patients):
    """A full disk is one sentence and exit code 4."""
    with Path("/dev/full").open("wb") as full:
        arguments = [*COVEY, "anonymize", str(patients), *ROLES, "-k", "4", "-q"]
        done = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 4
    assert done.stderr.decode() == "covey: cannot write standard output: No space left on device\n"


def test_full_disk_leaves_no_file(patients):
    """A disk that fills while the file is written leaves nothing, and no temporary file."""
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); import signal;"
    limited += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from covey.cli import main; main(sys.argv[1:])"
    arguments = ["anonymize", str(patients), *ROLES, "-k", "4", "-o", "out.csv", "-q"]
    done = subprocess.run(
        [sys.executable, "-c", limited, *arguments], cwd=patients.parent, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 4
    assert b"cannot write out.csv" in done.stderr
    assert leaves_nothing(patients.parent)


@pytest.mark.parametrize(
    ("signum", "n", "options"),
    [
        (signal.SIGINT, 200_000, []),
        (signal.SIGTERM, 200_000, []),
        (signal.SIGINT, 2_000, ["--refine", "90"]),
        (signal.SIGTERM, 2_000, ["--refine", "90", "--blocks", "500"]),
    ],
)
def test_stopped(tmp_path, signum, n, options):
    """Ctrl-C, and a request to end, stop long work within a second or so and leave nothing half-written."""
    rng = np.random.default_rng(1)
    names = [f"x{j}" for j in range(12)]
    parquet.write_table(pa.table({name: rng.normal(size=n) for name in names}), tmp_path / "patients.csv")
    arguments = ["--input-format", "parquet", "--quasi", ",".join(names), "-k", "3", "-o", "out.parquet", *options]
    process = subprocess.Popen([*COVEY, "anonymize", "patients.csv", *arguments], cwd=tmp_path, stderr=subprocess.PIPE)
    time.sleep(3)
    assert process.poll() is None, "the work is too short for this test"
    begin = time.monotonic()
    process.send_signal(signum)
    _, message = process.communicate(timeout=30)
    assert time.monotonic() - begin < 2
    assert process.returncode == 130
    assert message.decode().strip() == "covey: stopped; nothing was written"
    assert leaves_nothing(tmp_path)


def test_refinement_lowers_the_distortion(patients):
    """The method refined is no worse than the method alone, the recipe tells both, and the same steps repeat it."""
    arguments = [
        "anonymize",
        patients,
        *ROLES,
        "-k",
        4,
        "-o",
        "o.csv",
        "--force",
        "--json",
        "--seed",
        1,
        "--method",
        "vmdav",
    ]
    plain, *refined = (
        json.loads(run(*arguments, *options, cwd=patients.parent).stdout)
        for options in ([], *[["--refine-steps", "20000"]] * 2)
    )
    assert refined[0]["recipe"]["method"]["base"]["name"] == plain["recipe"]["method"]["name"] == "VMDAV"
    assert refined[0]["measures"] == refined[1]["measures"]
    assert refined[0]["measures"]["distortion"] <= plain["measures"]["distortion"]


def test_refinement_of_many_groups_keeps_its_time(tmp_path):
    """Strata and patterns of missing values share the seconds between them."""
    lines = ["q,r,s", *(f"{i * 7 % 31},{'' if i % 3 == 0 else i * 5 % 17},{i % 10}" for i in range(600))]
    (tmp_path / "many.csv").write_text("\n".join(lines) + "\n")
    arguments = ["--quasi", "q,r", "--other", "s", "--strata", "s", "--missing", "own-cells", "-k", "3", "-o", "o.csv"]
    begin = time.monotonic()
    done = run("anonymize", "many.csv", *arguments, "--refine", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begin < 20


def test_faults_of_covey_quote_nothing(patients):
    """An unforeseen exception is one sentence that tells where, and nothing of what the exception says."""
    fault = "import sys, covey.groups, covey.cli;"
    fault += "covey.groups.to_matrix = lambda columns: {}['CANARYx7']; covey.cli.main(sys.argv[1:])"
    arguments = ["anonymize", str(patients), *ROLES, "-k", "4"]
    done = subprocess.run([sys.executable, "-c", fault, *arguments], capture_output=True, timeout=60, check=False)
    assert done.returncode == 1
    assert b"a fault of covey (KeyError at __main__:1)" in done.stderr
    assert b"CANARYx7" not in done.stderr + done.stdout


def test_help_is_quick_and_light():
    """`covey --help` imports neither NumPy nor Arrow nor any table library."""
    heavy = ("numpy", "pyarrow", "pandas", "polars", "narwhals", "rich", "scipy")
    script = "import sys; from covey.cli import run; run(['--help']); run(['anonymize', '--help']);"
    script += f"print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version_and_usage(tmp_path):
    """--version exits 0; a command that does not exist is a usage error."""
    assert run("--version", cwd=tmp_path).stdout.startswith(b"covey, version ")
    assert run("fly", cwd=tmp_path).returncode == 2


def test_progress_on_a_terminal(patients):
    """On a terminal there is a summary and no trace of a bar when it is done."""
    script = patients.with_name("script.out")
    command = " ".join([*COVEY, "anonymize", "patients.csv", *ROLES, "-k", "4", "-o", "out.csv"])
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    done = subprocess.run(
        ["script", "-qec", command, str(script)],
        cwd=patients.parent, capture_output=True, timeout=60, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert b"distortion D" in done.stdout
