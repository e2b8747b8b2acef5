"""Processes that tests start: the command line, and work that is interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

COVEY = [sys.executable, "-m", "covey"]


def run(
    *arguments: str | Path | float, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A finished run of the command line."""
    return subprocess.run(
        [*COVEY, *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True, timeout=120, env=env, check=False
    )


def interrupted(script: str, ready: int = 1) -> tuple[str, float]:
    """The last line of a script that gets Ctrl-C when it has said "ready" so often, and when it got it."""
    options = ["-S"] if sys.flags.no_site else []
    with subprocess.Popen([sys.executable, *options, "-c", script], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            for _ in range(ready):
                assert child.stdout.readline() == "ready\n"
            child.send_signal(signal.SIGINT)
            sent = time.monotonic()
            *_, last = child.communicate(timeout=60)[0].splitlines()
        finally:
            child.kill()
    assert child.returncode == 0
    return last, sent
