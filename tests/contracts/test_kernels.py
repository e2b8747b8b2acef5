"""What the kernels must not do: round by the processor, or hold a number for every pair of records."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = (ROOT / "CMakeLists.txt").read_text() + (ROOT / "pyproject.toml").read_text()
# 40,000 records have 1.6e9 pairs: a byte for each would pass the limit.
FIT = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
import numpy as np, covey
X = np.random.default_rng(1).normal(size=(40_000, 2))
labels = covey.{method}.fit(X).labels_
raise SystemExit(0 if len(labels) == 40_000 else 1)
"""


def test_same_arithmetic_everywhere() -> None:
    """No fused operations, no reassociation, no build for one processor only."""
    assert "-ffp-contract=off" in BUILD
    assert not re.findall(r"-ffast-math|-Ofast|-funsafe-math|-march=native|-fassociative-math", BUILD)


@pytest.mark.parametrize("method", ["MDAV(5)", "MD(5)", "VMDAV(5)", "IndividualRanking(5)"])
def test_no_kernel_holds_all_pairs(method: str) -> None:
    """Every kernel fits 40,000 records in memory that a table of their pairs would overflow."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # every thread of it reserves memory
    command = [sys.executable, "-c", FIT.format(method=method)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
