"""Time that is allotted, and work that is watched while it runs."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.partition.strata import Progress

Result = TypeVar("Result")
TICK = 0.05


class Clock:
    """Seconds allotted and gone; progress is told in milliseconds."""

    def __init__(self, seconds: float, progress: Progress | None = None) -> None:
        self.seconds = seconds
        self._progress = progress
        self._begin = time.perf_counter()

    @property
    def gone(self) -> float:
        """The seconds since the beginning."""
        return time.perf_counter() - self._begin

    @property
    def left(self) -> float:
        """The seconds that are left, at least 0."""
        return max(0.0, self.seconds - self.gone)

    def tell(self, _done: int = 0, _total: int = 0) -> None:
        """Reports what is gone of the time."""
        if self._progress is not None:
            total = int(1000 * self.seconds)
            self._progress(min(int(1000 * self.gone), total), total)

    def finish(self) -> None:
        """Reports that all is done."""
        if self._progress is not None:
            self._progress(int(1000 * self.seconds), int(1000 * self.seconds))

    def watch(self, work: Callable[[], Result]) -> Result:
        """The result of work that lets no signal in: it runs in a thread of its own, so that Ctrl-C is heard here.

        After an exception here the thread ends by itself, at its own time limit.
        """
        results: list[Result] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as failure:
                failures.append(failure)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(TICK)
            self.tell()
        if failures:
            raise failures[0]
        return results[0]
