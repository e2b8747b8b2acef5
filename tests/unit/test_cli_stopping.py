"""Ctrl-C and requests to end, whenever they come; and standard streams that are closed or full."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROLES = ["--quasi", "age,sex", "--identifier", "name", "--confidential", "tsh"]
ANONYMIZE = ["anonymize", "patients.csv", *ROLES, "-k", "4", "-o", "out.csv"]
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a small CSV file in it."""
    lines = ["name,age,sex,tsh"]
    lines += [f"p{i},{20 + 3 * i % 50},{'male' if i % 2 else 'female'},{i}.5" for i in range(40)]
    (tmp_path / "patients.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def left(folder: Path) -> list[str]:
    """What is there beside the input."""
    return sorted(path.name for path in folder.iterdir() if path.name != "patients.csv")


def python(script: str, *arguments: str, cwd: Path, **how: object) -> subprocess.CompletedProcess[str]:
    """A finished run of a script."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=cwd, text=True, timeout=60, check=False, **how
    )  # type: ignore[call-overload]


def shell(words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A finished run of covey in a shell, for its redirections."""
    command = ["bash", "-c", f"exec {sys.executable} -m covey {words}"]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False)


SWALLOWED = """
import covey.forming, os, signal, sys
real = covey.forming.partition_groups
def swallowing(*arguments):
    try:
        os.kill(os.getpid(), signal.{signal})
        sum(range(1000))
    except BaseException:
        pass
    return real(*arguments)
covey.forming.partition_groups = swallowing
from covey.cli import {entry}
sys.exit({entry}(sys.argv[1:]))
"""


@pytest.mark.parametrize("entry", ["main", "run"])
@pytest.mark.parametrize("signum", ["SIGINT", "SIGTERM"])
def test_a_swallowed_stop_is_not_lost(folder: Path, signum: str, entry: str) -> None:
    """A stop that lands in code that catches everything still ends the command, and nothing is written."""
    done = python(SWALLOWED.format(signal=signum, entry=entry), *ANONYMIZE, "-q", cwd=folder)
    assert (done.returncode, done.stderr) == (130, "covey: stopped; nothing was written\n")
    assert left(folder) == []


SWALLOWED_IN_LONG_WORK = """
import covey.forming, os, signal, sys, time
def endless(*arguments):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))
    except BaseException:
        pass
    time.sleep(30)
covey.forming.partition_groups = endless
from covey.cli import main
main(sys.argv[1:])
"""


def test_a_swallowed_stop_is_raised_again(folder: Path) -> None:
    """A stop that was swallowed is raised again soon, in the midst of long work."""
    begin = time.monotonic()
    done = python(SWALLOWED_IN_LONG_WORK, *ANONYMIZE, cwd=folder)
    assert (done.returncode, done.stderr) == (130, "covey: stopped; nothing was written\n")
    assert time.monotonic() - begin < 10


TURNED = """
import covey.forming, os, signal, sys
def turning(*arguments):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))
    except BaseException:
        raise SystemError("what a library made of it")
covey.forming.partition_groups = turning
from covey.cli import main
main(sys.argv[1:])
"""


def test_a_stop_that_became_another_exception_is_a_stop(folder: Path) -> None:
    """What a library makes of an interruption is told as the stop that it was."""
    done = python(TURNED, *ANONYMIZE, cwd=folder)
    assert (done.returncode, done.stderr) == (130, "covey: stopped; nothing was written\n")


IN_DESTRUCTOR = """
import covey.forming, os, signal, sys
class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))
real = covey.forming.partition_groups
def dropping(*arguments):
    Late()
    return real(*arguments)
covey.forming.partition_groups = dropping
from covey.cli import main
main(sys.argv[1:])
"""


def test_a_stop_within_a_destructor(folder: Path) -> None:
    """A stop where Python can only print a traceback prints none, and ends the command."""
    done = python(IN_DESTRUCTOR, *ANONYMIZE, "-q", cwd=folder)
    assert (done.returncode, done.stderr, left(folder)) == (130, "covey: stopped; nothing was written\n", [])


WHILE_IMPORTING = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.{})
sys.meta_path.insert(0, Finder())
from covey.__main__ import main
main()
"""


@pytest.mark.parametrize("signum", ["SIGINT", "SIGTERM"])
def test_stopped_while_importing(folder: Path, signum: str) -> None:
    """Before the command line is even loaded a stop is one line."""
    done = python(WHILE_IMPORTING.format(signum), *ANONYMIZE, cwd=folder)
    assert (done.returncode, done.stderr) == (130, "covey: stopped; nothing was written\n")


IN_SUMMARY = """
import covey.terminal, os, signal, sys
def stopped(*_):
    os.kill(os.getpid(), signal.SIGINT)
    sum(range(1000))
covey.terminal.print_summary = stopped
from covey.cli import main
main(sys.argv[1:])
"""


def test_stopped_when_all_is_written(folder: Path) -> None:
    """A stop after the files have got their names says which are there."""
    done = python(IN_SUMMARY, *ANONYMIZE, "--recipe", "r.json", cwd=folder)
    assert (done.returncode, done.stderr) == (130, "covey: stopped; written before: out.csv, r.json\n")
    assert left(folder) == ["out.csv", "r.json"]


WHILE_RENAMING = """
import os, pathlib, signal, sys
real = pathlib.Path.replace
def stopping(*names):
    os.kill(os.getpid(), signal.SIGINT)
    sum(range(1000))
    return real(*names)
pathlib.Path.replace = stopping
from covey.cli import main
main(sys.argv[1:])
"""


def test_stopped_while_files_get_their_names(folder: Path) -> None:
    """A stop between the first file and the last leaves all of them, and says so."""
    done = python(WHILE_RENAMING, *ANONYMIZE, "--recipe", "r.json", cwd=folder)
    assert (done.returncode, done.stderr) == (130, "covey: stopped; written before: out.csv, r.json\n")
    assert left(folder) == ["out.csv", "r.json"]


def test_a_process_that_ignores_stops_goes_on_doing_so(folder: Path) -> None:
    """Where the process was started to ignore Ctrl-C, as in the background, covey does not hear it."""
    ignoring = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + SWALLOWED
    done = python(ignoring.format(signal="SIGINT", entry="main"), *ANONYMIZE, "-q", cwd=folder)
    assert (done.returncode, left(folder)) == (0, ["out.csv"])


def test_signals_are_given_back(folder: Path) -> None:
    """`run` leaves the signals of the process that called it as they were."""
    script = "import signal, sys; from covey.cli import run; before = list(map(signal.getsignal, (2, 14, 15)));"
    script += "run(sys.argv[1:]); assert before == list(map(signal.getsignal, (2, 14, 15)))"
    assert python(script, *ANONYMIZE, cwd=folder).returncode == 0
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_the_command_line_does_without_pandas(folder: Path) -> None:
    """No run loads pandas, though it is installed: it takes half a second, and swallows stops."""
    script = "import sys; from covey import process; from covey.cli import main;"
    script += "process.end = lambda code: (print('pandas.core' in sys.modules), sys.exit(code)); main(sys.argv[1:])"
    done = python(script, *ANONYMIZE, "--ordinal", "sex=male,female", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "False\n")


# Standard streams


@FULL
def test_json_that_nobody_can_read(folder: Path) -> None:
    """When --json cannot be printed, no file is written either."""
    for target in (">/dev/full", "> >(true)", ">&-"):
        done = shell(" ".join([*ANONYMIZE, "-q --json --labels l.csv", target]), folder)
        if target != "> >(true)":  # which may read it before it ends
            assert done.returncode == 4, target
            assert done.stderr.startswith("covey: cannot write standard output: ")
        assert left(folder) == ([] if done.returncode else ["l.csv", "out.csv"])
        for name in left(folder):
            (folder / name).unlink()


@FULL
@pytest.mark.parametrize("target", ["2>/dev/full", "2>&-"])
def test_words_that_nobody_can_read(folder: Path, target: str) -> None:
    """A release whose summary cannot be shown is a release all the same."""
    assert shell(" ".join([*ANONYMIZE, target]), folder).returncode == 0
    assert left(folder) == ["out.csv"]
    assert shell(" ".join([*ANONYMIZE, target]), folder).returncode == 4


def test_closed_standard_streams(folder: Path) -> None:
    """A closed standard input or output is one sentence, and no fault."""
    done = shell(" ".join(["anonymize - ", *ROLES, "-k 4 <&-"]), folder)
    assert (done.returncode, done.stderr) == (4, "covey: cannot read standard input: it is closed\n")
    done = shell(" ".join(["anonymize patients.csv", *ROLES, "-k 4 >&-"]), folder)
    assert (done.returncode, done.stderr) == (4, "covey: cannot write standard output: it is closed\n")


@FULL
def test_help_that_nobody_can_read(folder: Path) -> None:
    """Help on a full disk is one sentence, and no fault."""
    done = shell("--help >/dev/full", folder)
    assert (done.returncode, done.stderr) == (4, "covey: cannot write standard output: No space left on device\n")


def test_an_input_on_a_pipe_is_never_an_output(folder: Path) -> None:
    """The file that standard input comes from is not replaced, even by force."""
    before = (folder / "patients.csv").read_bytes()
    with (folder / "patients.csv").open("rb") as file:
        command = [sys.executable, "-m", "covey", "anonymize", "-", *ROLES, "-k", "4", "-o", "patients.csv", "--force"]
        done = subprocess.run(command, cwd=folder, stdin=file, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "it is an input of this command" in done.stderr) == (4, True)
    assert (folder / "patients.csv").read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="limits are POSIX's")
def test_a_disk_that_fills_leaves_none_of_several_files(folder: Path) -> None:
    """When one of several files cannot be completed none is left, and no secret one."""
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)); import signal;"
    limited += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from covey.cli import main; main(sys.argv[1:])"
    done = python(limited, *ANONYMIZE, "--labels", "l.csv", "--recipe", "r.json", cwd=folder)
    assert (done.returncode, done.stderr) == (4, "covey: cannot write r.json: File too large\n")
    assert left(folder) == []
