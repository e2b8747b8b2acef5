"""Criteria of confidential values, cell by cell as the papers state them, and the best partition of a tiny table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from covey import Close, Diverse, PSensitive
from tests.reference import diversity

Criterion = PSensitive | Diverse | Close
ROUNDING = 1e-8


def meets(criterion: Criterion, cell: Sequence[int], everybody: Sequence[int]) -> bool:
    """Whether the values of a cell, numbers, are what is asked."""
    if isinstance(criterion, PSensitive):
        return len(set(cell)) >= criterion.p
    if isinstance(criterion, Close):
        return distance(criterion, cell, everybody) <= criterion.t + ROUNDING
    if criterion.kind == "distinct":
        return len(set(cell)) >= criterion.l
    if criterion.kind == "entropy":
        return diversity.entropy(cell) >= math.log2(criterion.l) - ROUNDING
    return diversity.recursive_holds(cell, Fraction(criterion.c or 1.0), int(criterion.l))


def distance(criterion: Close, cell: Sequence[int], everybody: Sequence[int]) -> float:
    """The earth mover's distance of a cell from the table."""
    if criterion.ground == "equal":
        return diversity.equal_distance(cell, everybody)
    if criterion.ground == "ordered":
        place = {value: i for i, value in enumerate(sorted(set(everybody)))}
        return diversity.ordered_distance([place[x] for x in cell], [place[x] for x in everybody], len(place))
    return diversity.numeric_distance(list(map(float, cell)), list(map(float, everybody)))


def squared_errors(points: NDArray[np.float64], cells: Sequence[Sequence[int]]) -> float:
    """About the means of the cells."""
    return math.fsum(float(np.sum((points[list(c)] - points[list(c)].mean(axis=0)) ** 2)) for c in cells)


def partitions(records: list[int], k: int) -> Iterator[list[list[int]]]:
    """All the partitions into cells of at least k."""

    def grow(rest: list[int], cells: list[list[int]]) -> Iterator[list[list[int]]]:
        if not rest:
            if all(len(cell) >= k for cell in cells):
                yield [list(cell) for cell in cells]
            return
        for cell in [*cells, []]:
            fresh = not cell
            cell.append(rest[0])
            yield from grow(rest[1:], [*cells, cell] if fresh else cells)
            cell.pop()

    yield from grow(records, [])


def least_errors(points: NDArray[np.float64], k: int, fits: Callable[[list[int]], bool]) -> float:
    """The least sum of squared errors of all the partitions whose cells fit; infinite if there is none."""
    found = (cells for cells in partitions(list(range(len(points))), k) if all(map(fits, cells)))
    return min((squared_errors(points, cells) for cells in found), default=math.inf)
