"""Distances and averages of mixed records, as MDAV-generic defines them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """What a column of a matrix holds: `kind` mean, median, convex_median (rank / levels) or mode (codes)."""

    kind: str
    levels: int = 0


def squared_distance(a: Floats, b: Floats, scales: Sequence[Scale]) -> float:
    """Squares of the columns' distances, added in column order."""
    total = 0.0
    for x, y, scale in zip(a, b, scales, strict=True):
        if scale.kind == "mode":
            total += float(x != y)
        else:
            total += float(x - y) * float(x - y)
    return total


def average(rows: Floats, scales: Sequence[Scale]) -> Floats:
    """The average record, column by column."""
    return np.array([_average(rows[:, j], scale) for j, scale in enumerate(scales)])


def _average(column: Floats, scale: Scale) -> float:
    if scale.kind == "mean":
        return math.fsum(column) / len(column)
    if scale.kind == "mode":
        return float(mode(frequencies(column, scale.levels)))
    counts = frequencies(np.round(column * scale.levels), scale.levels)
    category = median(counts) if scale.kind == "median" else convex_median(counts)
    return category / scale.levels


def frequencies(codes: Floats, levels: int) -> list[int]:
    """How often each category occurs."""
    return [int(np.sum(codes == category)) for category in range(levels)]


def median(counts: Sequence[float]) -> int:
    """The first category at which the cumulative frequency reaches one half."""
    total = sum(map(Fraction, counts))
    reached = Fraction(0)
    for category, count in enumerate(counts):
        reached += Fraction(count)
        if 2 * reached >= total:
            return category
    raise AssertionError("no category")


def convex_median(counts: Sequence[float]) -> int:
    """The median of the frequencies made unimodal."""
    return median([min(max(counts[: a + 1]), max(counts[a:])) for a in range(len(counts))])


def mode(counts: Sequence[float]) -> int:
    """The most frequent category, the lowest of several."""
    return max(range(len(counts)), key=lambda category: (counts[category], -category))
