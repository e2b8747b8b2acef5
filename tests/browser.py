"""A headless Chromium that tests talk to by its debugging pipe: no driver, no port, no network."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio"),
    *("--disable-dev-shm-usage", "--remote-debugging-pipe"),
)
PATIENCE = 120.0  # seconds
# The browser reads its file 3 and writes its file 4.
LAUNCHER = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execv(sys.argv[3], sys.argv[3:])"
)


def find() -> str | None:
    """Where Chromium is, if it is."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    """A page of the browser, and what it complained of."""

    def __init__(self, reading: int, writing: int) -> None:
        self.reading, self.writing = reading, writing
        self.rest = b""
        self.number = 0
        self.session: str | None = None
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.loaded = 0

    def open(self) -> None:
        """Makes the page."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the browser answers to a command."""
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])

    def show(self, path: Path, *, width: int = 1280, height: int = 900, theme: str = "light") -> None:
        """Loads a file as on a screen of this size and theme."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        before = self.loaded
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while self.loaded == before:
            self._next()

    def value(self, script: str) -> Any:
        """The value of an expression on the page."""
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def screenshot(self, *, whole: bool = False) -> bytes:
        """The page as a PNG."""
        answer = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(answer["data"])

    def pdf(self) -> bytes:
        """The page printed, with the margins of its own style sheet."""
        return base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])

    def _next(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.reading], [], [], max(0.0, end - time.monotonic()))
            chunk = os.read(self.reading, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.rest += chunk
        text, _, self.rest = self.rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, told = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded += 1
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(told["args"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.complaints.append(str(told["entry"]["text"]))


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are none of the files that the browser is to have."""
    ends = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return high[0], high[1]


@contextmanager
def browser(path: str, folder: Path) -> Iterator[Page]:
    """A page of a browser that keeps its own things in a folder, and is ended with the block."""
    to_browser, from_browser = _pipe(), _pipe()
    wires = (to_browser[0], from_browser[1])
    command = [sys.executable, "-S", "-c", LAUNCHER, *map(str, wires), path, *FLAGS, f"--user-data-dir={folder}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([*command, "about:blank"], pass_fds=wires, start_new_session=True, **quiet)
    os.close(to_browser[0])
    os.close(from_browser[1])
    try:
        page = Page(from_browser[0], to_browser[1])
        page.open()
        yield page
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # its helpers, too
        process.wait()
        os.close(to_browser[1])
        os.close(from_browser[0])
