"""Long fits tell how far they are, stop when told to, and do not get in each other's way."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import covey
from tests.unit.processes import interrupted

SANITIZED = bool(os.environ.get("COVEY_SANITIZED"))
LONG: dict[str, tuple[Any, tuple[int, int]]] = {
    "mdav": (covey.MDAV(5), (50_000, 10)),
    "mdav, two threads": (covey.MDAV(5, threads=2), (50_000, 10)),
    "md": (covey.MD(5), (30_000, 3)),
    "vmdav": (covey.VMDAV(5), (50_000, 8)),
    "vmdav, best": (covey.VMDAV(5, gamma="best"), (10_000, 3)),
    "mst": (covey.MST(5), (30_000, 6)),
    "mst of few": (covey.MST(5), (10_000, 20)),
    "tfrp": (covey.TFRP(5), (50_000, 6)),
    "mu-approx": (covey.MuApprox(5), (50_000, 6)),
    "univariate": (covey.Univariate(5), (1_500_000, 1)),
    "ranking": (covey.IndividualRanking(5), (600_000, 4)),
}
every_long_fit = pytest.mark.parametrize(("estimator", "shape"), LONG.values(), ids=LONG)


class StoppedError(Exception):
    """Raised by a callback."""


def records(shape: tuple[int, int]) -> np.ndarray:
    n, d = shape
    return np.random.default_rng(0).normal(size=(n // 4 if SANITIZED else n, d))


@every_long_fit
def test_progress(estimator: Any, shape: tuple[int, int]) -> None:
    """The callback is told of the records done, never fewer than before, and of the records in all."""
    X = records(shape)
    told: list[tuple[int, int]] = []
    estimator.fit(X, progress=lambda *args: told.append(args))
    done = [part for part, _ in told]
    assert done
    assert done == sorted(done)
    assert len(done) > 1
    assert done[0] >= 0
    assert done[-1] == len(X)
    assert {total for _, total in told} == {len(X)}


def test_progress_over_strata() -> None:
    """Over strata, it is told of all records, not of those of a stratum."""
    X = records((60_000, 10))
    told: list[tuple[int, int]] = []
    covey.MDAV(5).fit(X, strata=np.arange(len(X)) % 3, progress=lambda *args: told.append(args))
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert done[-1] == len(X)
    assert {total for _, total in told} == {len(X)}


@every_long_fit
def test_an_exception_in_the_callback_stops_the_fit(estimator: Any, shape: tuple[int, int]) -> None:
    """It comes out of `fit` as it was raised, and the callback is not called again."""
    calls = 0

    def stop(_done: int, _total: int) -> None:
        nonlocal calls
        calls += 1
        raise StoppedError

    with pytest.raises(StoppedError):
        estimator.fit(records(shape), progress=stop)
    assert calls == 1


CHILD = """
import time
import numpy as np
import covey
X = np.random.default_rng(0).normal(size={shape})
ready = lambda done, total: print("ready", flush=True)
try:
    covey.{estimator}.fit(X, progress=ready)
except KeyboardInterrupt:
    print("stopped", time.monotonic(), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
@pytest.mark.parametrize(
    "estimator",
    ["MDAV(3, threads=1)", "MDAV(3, threads=2)", "MD(3)", "VMDAV(300, gamma=1.5)", "MST(3)", "TFRP(3)", "MuApprox(3)"],
)
def test_ctrl_c(estimator: str) -> None:
    """Ctrl-C ends a fit of many seconds with a KeyboardInterrupt within one."""
    code = CHILD.format(shape=(200_000, 12), estimator=estimator)
    last, sent = interrupted(code)
    word, stopped = last.split()
    assert word == "stopped"
    assert float(stopped) - sent < 1.0


def test_fits_at_the_same_time() -> None:
    """Fits in several threads of Python at once give the labels that they give one after another."""
    rng = np.random.default_rng(8)
    tasks = [
        (estimator, rng.normal(size=(3000, d)).round(1))
        for estimator in (covey.MDAV(4, threads=2), covey.MDAV(4, threads=1), covey.MD(4, threads=2), covey.VMDAV(4))
        for d in (2, 9)
    ]

    def labels(task: tuple[Any, np.ndarray]) -> list[int]:
        estimator, X = task
        return type(estimator)(**estimator.get_params()).fit_predict(X).tolist()

    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(labels, tasks))
    assert at_once == [labels(task) for task in tasks]
