"""Distance-based record linkage and interval disclosure, over all pairs of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Values = Sequence[float | None]


def linked(original: Floats, released: Floats, rows: Sequence[int], nominal: Sequence[bool]) -> float:
    """The expected number of right links: each released record to one of its nearest, ties broken by lot."""
    total = 0.0
    for i, row in enumerate(rows):
        distances = np.zeros(len(original))
        for j, categories in enumerate(nominal):
            difference = original[:, j] - released[i, j]
            distances += (difference != 0) if categories else difference**2
        nearest = np.flatnonzero(distances == distances.min())
        if row in nearest:
            total += 1 / len(nearest)
    return total


def coordinates(values: Values) -> Floats:
    """A column as two: standardised values, 0 where missing or constant; and where they are missing."""
    missing = np.array([value is None for value in values])
    numbers = np.array([0.0 if value is None else float(value) for value in values])
    known = numbers[~missing]
    deviation = known.std() if known.size else 0.0
    standardised = np.zeros(len(values))
    if known.size and known.min() < known.max():
        standardised = (numbers - known.mean()) / deviation
    standardised[missing] = 0.0
    return np.stack([standardised, missing.astype(float)], axis=1)


def linkage(original: Sequence[Values], released: Sequence[Values], rows: Sequence[int]) -> float:
    """DLD of continuous columns, given by column."""
    before = np.hstack([coordinates(column) for column in original])
    after = np.hstack([coordinates(column) for column in released])
    return linked(before, after, rows, [False] * before.shape[1]) / len(rows)


def disclosed(original: Values, released: Values, rows: Sequence[int], width: float, by: str) -> list[bool | None]:
    """For each released record whether the interval holds its original value; None where there is none."""
    known = [value for value in original if value is not None]
    deviation = float(np.std(known)) if min(known) < max(known) else 0.0

    def rank(value: float) -> float:
        return sum(other < value for other in known) + sum(other == value for other in known) / 2

    found: list[bool | None] = []
    for row, after in zip(rows, released, strict=True):
        before = original[row]
        if before is None:
            found.append(None)
        elif after is None:
            found.append(False)
        elif by == "rank":
            found.append(abs(rank(before) - rank(after)) <= width * len(known))
        else:
            found.append(abs(before - after) <= width * deviation)
    return found
