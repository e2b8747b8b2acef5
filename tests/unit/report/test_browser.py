"""Reports as a browser shows them: in light and dark, on a desk, in a hand and on paper."""

from __future__ import annotations

import io
import os
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from pypdf import PdfReader

import covey
from tests import browser
from tests.unit.report.pages import HARD, SECTIONS, people, people_schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHROMIUM = browser.find()
REQUIRED = os.environ.get("COVEY_BROWSER") == "required"  # as in .ci/run, where a missing browser is a failure

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not REQUIRED,
    reason="no chromium on the PATH: on Debian, apt install chromium",
)


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browser.Page]:
    assert CHROMIUM is not None, "no chromium on the PATH, and COVEY_BROWSER=required"
    with browser.browser(CHROMIUM, tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports of an ordinary release, and of those that are hardest to lay out."""
    folder = tmp_path_factory.mktemp("reports")
    table = people(400)
    release = covey.anonymize(table, people_schema(), k=4, seed=1)
    made = {"internal": release.report(table), "public": release.report()}
    for name in ("hostile", "many columns", "many levels", "huge", "individual ranking"):
        original, hard = HARD[name]()
        made[name] = hard.report(original)
    for name, report in made.items():
        (folder / f"{name}.html").write_text(report.html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


NAMES = ("internal", "public", "hostile", "many columns", "many levels", "huge", "individual ranking")


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_whole(name, pages, screen):
    """No complaint on the console, nothing fetched, every section shown, and no picture empty."""
    screen.complaints.clear()
    screen.requests.clear()
    screen.show(pages[name])
    assert screen.complaints == []
    assert screen.requests == [pages[name].resolve().as_uri()]
    shown = screen.value("[...document.querySelectorAll('section')].filter(s => s.offsetHeight > 60).map(s => s.id)")
    assert shown == list(SECTIONS)
    pictures = "[...document.querySelectorAll('svg[role=img]')].filter(s => s.checkVisibility())"
    assert screen.value(f"{pictures}.length") > 1
    assert screen.value(f"{pictures}.filter(s => s.getBBox().width < 20).length") == 0


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wider_than_the_screen(name, width, pages, screen):
    """No page scrolls sideways, on a desk or in a hand; wide tables scroll within."""
    screen.show(pages[name], width=width)
    assert screen.value("document.documentElement.scrollWidth") <= width
    loose = (
        "[...document.querySelectorAll('section *')]"
        ".filter(e => !e.closest('.scroll, figure, pre, details:not([open])'))"
        ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 90))"
    )
    assert screen.value(loose) == []


def pixels(png: bytes) -> np.ndarray:
    """The pixels of a PNG of 8 bits without interlacing, as Chromium writes it."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    channels = {2: 3, 6: 4}[kind]
    assert depth == 8
    data, place = b"", 8
    while place < len(png):
        length, name = struct.unpack(">I4s", png[place : place + 8])
        data += png[place + 8 : place + 8 + length] if name == b"IDAT" else b""
        place += 12 + length
    lines = np.frombuffer(zlib.decompress(data), dtype=np.uint8).reshape(height, 1 + width * channels)
    return _unfiltered(lines[:, 0], lines[:, 1:].astype(np.int64), channels).reshape(height, width, channels)[..., :3]


def _unfiltered(filters: np.ndarray, lines: np.ndarray, channels: int) -> np.ndarray:
    """The filters of PNG undone, line by line."""
    above = np.zeros(lines.shape[1], dtype=np.int64)
    for i, kind in enumerate(filters):
        line = lines[i]
        if kind == 2:
            line = (line + above) % 256
        elif kind:
            for j in range(len(line)):
                left = line[j - channels] if j >= channels else 0
                corner = above[j - channels] if j >= channels else 0
                line[j] = (line[j] + _predicted(kind, left, above[j], corner)) % 256
        lines[i] = above = line
    return lines


def _predicted(kind: int, left: int, above: int, corner: int) -> int:
    if kind == 1:
        return left
    if kind == 3:
        return (left + above) // 2
    return min((left, above, corner), key=lambda value: abs(left + above - corner - value))


@pytest.mark.parametrize("name", ["internal", "public"])
def test_light_and_dark_are_drawn(name, pages, screen):
    """Neither is blank; the one is bright and the other is not."""
    brightness = {}
    for theme in ("light", "dark"):
        screen.show(pages[name], width=500, height=600, theme=theme)
        shot = pixels(screen.screenshot())
        brightness[theme] = float(np.median(shot))
        assert len(np.unique(shot.reshape(-1, 3), axis=0)) > 50
    assert brightness["light"] > 200
    assert brightness["dark"] < 60


def test_every_printed_page_says_internal(pages, screen):
    """And none of a public report does; paper is always light."""
    screen.show(pages["internal"], theme="dark")
    printed = [page.extract_text() for page in PdfReader(io.BytesIO(screen.pdf())).pages]
    assert len(printed) > 3
    assert all("INTERNAL: shows original records; not for publication" in text for text in printed)
    screen.show(pages["public"])
    public = [page.extract_text() for page in PdfReader(io.BytesIO(screen.pdf())).pages]
    assert not any("INTERNAL" in text for text in public)
    assert any("How to do it again" in text for text in public)


def test_keys_lead_to_the_report(pages, screen):
    """The first thing that the tab key reaches is the way past the contents, and then it is seen."""
    screen.show(pages["internal"])
    for kind in ("keyDown", "keyUp"):
        screen.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert screen.value("document.activeElement.getAttribute('href')") == "#summary"
    assert screen.value("document.activeElement.getBoundingClientRect().left") >= 0
