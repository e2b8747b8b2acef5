"""Labels to representatives: one average record for each cell, whatever its columns hold."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.schema import Kind

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels, Matrix, OrdinalAverage

# Cells whose frequencies are held at the same time, times categories.
FREQUENCIES = 1 << 22
HUGE, TINY = 1e300, 1e-250


def sizes(labels: Labels, cells: int) -> Labels:
    """The number of records in each cell."""
    return np.bincount(labels, minlength=cells).astype(np.int64)


def representatives(
    matrix: Matrix,
    labels: Labels,
    cells: int,
    *,
    ordinal_average: OrdinalAverage = "median",
    weights: Floats | None = None,
) -> Floats:
    """The average record of each cell: mean, median (or convex median) and mode, column by column.

    Parameters
    ----------
    matrix : Matrix
        The records.
    labels : ndarray of shape (n,)
        The cell of each record, from 0 to cells − 1; no cell is empty.
    cells : int
        The number of cells.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns.
    weights : ndarray of shape (n,), optional
        Positive weights of the records.

    Returns
    -------
    ndarray of shape (cells, d)
        In the terms of the matrix: codes where it holds codes.
    """
    averages = np.empty((cells, matrix.d))
    for j, kind in enumerate(matrix.kinds):
        column = matrix.values[:, j]
        if kind is Kind.CONTINUOUS:
            averages[:, j] = means(column, labels, cells, weights)
        elif kind is Kind.NOMINAL:
            averages[:, j] = modes(column.astype(np.int64), labels, cells, matrix.levels[j], weights)
        else:
            codes = column.astype(np.int64)
            averages[:, j] = medians(
                codes, labels, cells, matrix.levels[j], weights, convex=ordinal_average == "convex"
            )
    return averages


def means(column: Floats, labels: Labels, cells: int, weights: Floats | None = None) -> Floats:
    """The mean of each cell, to the last bits: the mean of what the first one left over is added to it."""
    shares = _shares(labels, cells, weights)
    shift = _shift(column)
    values = np.ldexp(column, shift)
    first = np.bincount(labels, values * shares, cells)
    second = np.bincount(labels, (values - first[labels]) * shares, cells)
    return np.asarray(np.ldexp(first + second, -shift), dtype=np.float64)


def _shift(column: Floats) -> int:
    """Binary orders by which to move values: the difference of huge ones could overflow, shares of tiny ones vanish."""
    greatest = float(np.max(np.abs(column), initial=0.0))
    if greatest > HUGE:
        return -1
    return -math.frexp(greatest)[1] if greatest < TINY else 0


def _shares(labels: Labels, cells: int, weights: Floats | None) -> Floats:
    """What each record counts for in its cell: the shares of a cell add up to 1."""
    weights = _relative(weights, labels, cells)
    totals = np.bincount(labels, weights, cells)[labels]
    return np.asarray((1.0 if weights is None else weights) / totals, dtype=np.float64)


def _relative(weights: Floats | None, labels: Labels, cells: int) -> Floats | None:
    """The weights over powers of two near the greatest of each cell: neither huge nor tiny sums leave float64."""
    if weights is None:
        return None
    greatest = np.zeros(cells)
    np.maximum.at(greatest, labels, weights)
    return np.asarray(np.ldexp(weights, -np.frexp(greatest)[1][labels]), dtype=np.float64)


def modes(codes: Labels, labels: Labels, cells: int, levels: int, weights: Floats | None = None) -> Labels:
    """The most frequent code of each cell, the lowest of several. Time: O(n log n), whatever the levels."""
    pairs, inverse = np.unique(labels * levels + codes, return_inverse=True)
    frequencies = np.bincount(inverse, _relative(weights, labels, cells))
    cell, code = np.divmod(pairs, levels)
    order = np.lexsort((code, -frequencies, cell))
    first = np.searchsorted(cell[order], np.arange(cells))
    most: Labels = code[order][first]
    return most


def medians(
    codes: Labels,
    labels: Labels,
    cells: int,
    levels: int,
    weights: Floats | None = None,
    *,
    convex: bool = False,
) -> Labels:
    """The first code of each cell at which the cumulative frequency reaches one half.

    Parameters
    ----------
    codes, labels, cells, levels, weights
        As in `representatives`.
    convex : bool
        Of the frequencies made unimodal, f'(a) = min(max_{b≤a} f(b), max_{b≥a} f(b)), so that the median may be
        a code between those that occur.
    """
    result = np.empty(cells, dtype=np.int64)
    weights = _relative(weights, labels, cells)
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(cells + 1))
    step = max(1, FREQUENCIES // levels)
    for first in range(0, cells, step):
        last = min(first + step, cells)
        rows = order[starts[first] : starts[last]]
        places = (labels[rows] - first) * levels + codes[rows]
        share = None if weights is None else weights[rows]
        frequencies = np.bincount(places, share, (last - first) * levels).reshape(-1, levels).astype(np.float64)
        result[first:last] = _medians(_unimodal(frequencies) if convex else frequencies)
    return result


def _medians(frequencies: Floats) -> Labels:
    reached = np.cumsum(frequencies, axis=1)
    middle: Labels = np.argmax(2 * reached >= reached[:, -1:], axis=1)
    return middle


def _unimodal(frequencies: Floats) -> Floats:
    rising = np.maximum.accumulate(frequencies, axis=1)
    falling = np.maximum.accumulate(frequencies[:, ::-1], axis=1)[:, ::-1]
    return np.minimum(rising, falling)
