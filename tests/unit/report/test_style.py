"""Colours that are read well, in light and in dark."""

from __future__ import annotations

import re

import pytest

from covey.report.style import HUES, MARKS_ON, PALETTE, STRONGEST, TEXT_ON, sheet

Colour = tuple[float, float, float]


def channels(colour: str) -> Colour:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))


def luminance(colour: Colour) -> float:
    """WCAG 2's relative luminance."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """WCAG 2's contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def blended(colour: Colour, paper: Colour, opacity: float) -> Colour:
    return tuple(opacity * c + (1 - opacity) * p for c, p in zip(colour, paper, strict=True))


def test_contrast_as_wcag_defines_it():
    """Black on white is 21, and a grey that is known to be just readable 4.54."""
    assert contrast(channels("#000000"), channels("#ffffff")) == pytest.approx(21)
    assert contrast(channels("#767676"), channels("#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", PALETTE)
def test_text_is_read_on_its_paper(theme):
    """Text has a contrast of 4.5 at least, and marks in pictures of 3."""
    colours = {name: channels(colour) for name, colour in PALETTE[theme].items()}
    weak = [pair for pair in TEXT_ON if contrast(*(colours[name] for name in pair)) < 4.5]
    assert weak == []
    assert [pair for pair in MARKS_ON if contrast(*(colours[name] for name in pair)) < 3] == []


@pytest.mark.parametrize("theme", PALETTE)
@pytest.mark.parametrize("sign", ["low", "high"])
def test_numbers_are_read_on_the_strongest_tile(theme, sign):
    """Also where a correlation is 1."""
    colours = {name: channels(colour) for name, colour in PALETTE[theme].items()}
    assert contrast(colours["ink"], blended(colours[sign], colours["card"], STRONGEST)) >= 4.5


def test_both_themes_have_the_same_colours():
    """And the sheet uses none that is not there."""
    light, dark = PALETTE.values()
    assert light.keys() == dark.keys()
    assert set(re.findall(r"var\(--([\w-]+)\)", sheet())) <= light.keys()
    assert {f"hue-{i}" for i in range(HUES)} <= light.keys()


def test_the_sheet_is_whole():
    """Every brace is closed, and nothing is fetched."""
    for text in (sheet(), sheet("INTERNAL")):
        assert text.count("{") == text.count("}")
        assert not re.search(r"url\(|@import|https?:", text)
