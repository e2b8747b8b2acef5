"""Times, memory and tables for the benchmarks."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("COVEY_DATA", ROOT.parent / "shared" / "data"))
LONG = "--long" in sys.argv


def seconds(step: Callable[[], Any], repeats: int = 3) -> float:
    """The least of several times, for the machine is noisy."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    return min(times)


def gaussian(n: int, d: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """n draws of N(0, I) in d columns, the same each time."""
    return np.random.default_rng(20_240_229).standard_normal((n, d))


def peak_kib() -> int:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


# A small process in between, for a child's peak begins at what its parent holds.
LAUNCHER = """
import resource, subprocess, sys, time
begin = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
print(time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)
sys.exit(done.stderr if done.returncode else 0)
"""


def run_command(command: Sequence[str]) -> tuple[float, float]:
    """Seconds and peak MiB of a command, from its start to its end."""
    launch = [sys.executable, "-S", "-c", LAUNCHER, *command]
    time_, peak = subprocess.run(launch, capture_output=True, text=True, check=True).stdout.split()
    return float(time_), float(peak)


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on standard output."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(str, row))
    Console(width=118).print(table)


def reached(value: float, limit: float) -> str:
    """Whether a figure is within what was asked for."""
    return "yes" if value <= limit else "NO"


def need_data(*names: str) -> bool:
    """Whether the public data sets are there; says so if not."""
    missing = [name for name in names if not (DATA / name).is_file()]
    if missing:
        print(f"{', '.join(missing)} not found in {DATA}: set COVEY_DATA")
    return not missing
