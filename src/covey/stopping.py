"""Ctrl-C and a request to end: heard whenever they come, lost nowhere, and told truly.

Python raises an interruption at whatever line happens to run. If that is in a library that catches everything, such as
one that is just being imported, the interruption is gone. So what was asked is kept here, and raised again until it
arrives.
"""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AGAIN = 0.2  # seconds until an interruption that nobody let through is raised once more


class Stop:
    """Whether the work is to end, and what of its outputs is there already.

    Attributes
    ----------
    asked : bool
        Somebody asked.
    written : tuple of str
        The files that have got their names.
    streamed : bool
        Something may have gone to standard output, from where it cannot be taken back.
    """

    def __init__(self) -> None:
        self.asked = False
        self.written: tuple[str, ...] = ()
        self.streamed = False
        self._held = False
        self._before: dict[int, Any] = {}

    def listen(self) -> None:
        """From now on signals are heard; those that the process was started to ignore stay ignored."""
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread hears signals, and whoever owns it deals with them
        self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._hear)
        for signum in SIGNALS:
            if signal.getsignal(signum) is not signal.SIG_IGN:
                self._before[signum] = signal.signal(signum, self._hear)

    def leave(self) -> None:
        """The end of `listen`: signals do what they did before it."""
        self.be_deaf()
        for signum, handler in self._before.items():
            signal.signal(signum, handler)
        self._before.clear()

    def be_deaf(self) -> None:
        """Nothing interrupts any more: the result is known."""
        self._held = True
        if self._before:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def check(self) -> None:
        """Raise the interruption that was asked for."""
        if self.asked:
            raise KeyboardInterrupt

    @contextmanager
    def holding(self, paths: Sequence[str]) -> Iterator[None]:
        """Nothing interrupts what is within, by which the files get their names: a stop is raised before or after."""
        self._held = True
        try:
            self.check()
            yield
            self.written = tuple(paths)
        finally:
            self._held = False
        self.check()

    def outcome(self) -> str:
        """What there is of the outputs, in words."""
        if self.written:
            return f"written before: {', '.join(self.written)}"
        return "no file was written, and standard output may be incomplete" if self.streamed else "nothing was written"

    def _hear(self, signum: int, frame: object) -> None:  # noqa: ARG002 (signal's signature)
        if signum != signal.SIGALRM:
            self.asked = True
        if self._held or not self.asked:
            return
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
        if not isinstance(sys.exception(), KeyboardInterrupt):  # else it is on its way, through what cleans up
            raise KeyboardInterrupt


@contextmanager
def discreet() -> Iterator[None]:
    """Exceptions that Python can only print, such as those of destructors, are not: they could quote the data."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = before
