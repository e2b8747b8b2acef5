"""What all pictures are made of: a frame with words for those who do not see it, axes, and places on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.report.page import Html, element, join, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.matrix import Floats

LEAST = 1e-290  # a span that can be divided into round steps


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high` at places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def place(self, values: Floats | float) -> Floats:
        """Where values are; halves, because the span of the greatest numbers is none."""
        span = self.high / 2 - self.low / 2
        with np.errstate(over="ignore"):  # far beyond a narrow axis is at its end
            share = (
                (np.asarray(values, dtype=np.float64) / 2 - self.low / 2) / span if span else np.full_like(values, 0.5)
            )
        return np.asarray(self.start + np.clip(share, 0.0, 1.0) * (self.end - self.start))

    def at(self, value: float) -> str:
        """Where one value is, as text."""
        return short(float(self.place(np.float64(value))))

    def ticks(self, most: int = 6) -> list[float]:
        """Round numbers within the axis, at most so many and one."""
        span = self.high - self.low
        if not (math.isfinite(span) and span > LEAST):
            return sorted({self.low, self.high})
        rough = span / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next((power * factor for factor in (1, 2, 5, 10) if power * factor >= rough), span)
        first = math.ceil(self.low / step)
        found = [step * i for i in range(first, first + most + 2) if self.low <= step * i <= self.high]
        return found or [self.low, self.high]


def short(number: float) -> str:
    """A coordinate with one decimal at most."""
    said = f"{number:.1f}".removesuffix(".0")
    return "0" if said == "-0" else said


def picture(width: float, height: float, label: str, *parts: object) -> Html:
    """An SVG that scales to its place; `label` says what is to be seen."""
    return element(
        "svg", *parts, viewBox=f"0 0 {short(width)} {short(height)}", role="img", aria_label=label, focusable="false"
    )


def plot(caption: object, *parts: object, large: bool = False) -> Html:
    """A picture with its caption."""
    return element("figure", element("figcaption", caption), *parts, class_="large" if large else None)


def label(x: float, y: float, words: object, *, anchor: str = "middle", class_: str | None = None) -> Html:
    """Words in a picture, shortened."""
    return element(
        "text", shortened(words, 26), x=short(x), y=short(y), text_anchor=None if anchor == "start" else anchor,
        class_=class_,
    )  # fmt: skip


def path(points: str, class_: str) -> Html:
    """A line."""
    return element("path", d=points, class_=class_)


def line(xs: Iterable[float], ys: Iterable[float]) -> str:
    """A line through points, as the data of a path."""
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in zip(xs, ys, strict=True))


def bars(rects: Iterable[tuple[float, float, float, float]], class_: str) -> Html:
    """Upright or lying bars (x, y, width, height) as one path, which is small."""
    data = "".join(f"M{short(x)} {short(y)}h{short(w)}v{short(h)}h{short(-w)}z" for x, y, w, h in rects)
    return path(data, class_) if data else Html("")


def across(axis: Axis, y: float, ticks: Sequence[tuple[float, str]], top: float | None = None) -> Html:
    """A horizontal axis at y with words below it; with `top`, lines up to there."""
    grid = "" if top is None else "".join(f"M{axis.at(value)} {short(y)}V{short(top)}" for value, _ in ticks)
    words = [
        label(float(axis.place(value)), y + 14, said, anchor=_anchor(float(axis.place(value)), axis))
        for value, said in ticks
    ]
    base = path(f"M{short(axis.start)} {short(y)}H{short(axis.end)}", "axis")
    return join([path(grid, "grid") if grid else "", base, *words])


def upward(axis: Axis, x: float, ticks: Sequence[tuple[float, str]], right: float) -> Html:
    """Horizontal lines with words at their left, as a vertical axis."""
    grid = "".join(f"M{short(x)} {axis.at(value)}H{short(right)}" for value, _ in ticks)
    words = [label(x - 6, float(axis.place(value)) + 4, said, anchor="end") for value, said in ticks]
    return join([path(grid, "grid"), *words])


def _anchor(x: float, axis: Axis) -> str:
    """Words at the ends of an axis stay within it."""
    if x - axis.start < 12:
        return "start"
    return "end" if axis.end - x < 12 else "middle"
