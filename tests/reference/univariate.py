"""The optimal partition of one column, in exact rational arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def sse(values: Sequence[Fraction]) -> Fraction:
    """Sum of squared differences from the mean."""
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((x - mean) ** 2 for x in values), Fraction(0))


def least_sse(column: Sequence[float], k: int) -> Fraction:
    """The least sum of squared errors of any partition into cells of at least k (at least k values)."""
    values = sorted(map(Fraction, column))
    best: list[Fraction | None] = [Fraction(0)] + [None] * len(values)
    for end in range(k, len(values) + 1):
        costs = [before + sse(values[begin:end]) for begin in range(end - k + 1) if (before := best[begin]) is not None]
        best[end] = min(costs)
    least = best[-1]
    assert least is not None
    return least
