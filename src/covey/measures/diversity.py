"""How diverse the values of a confidential column are within each cell, and how near to those of the whole table.

Each function gives one number for each cell of a `CellCounts`, in which every cell has a record. Those that compare a
cell with the whole table take what is counted as the whole table, for the cells may be some of it only, or such as are
merely thought of: `CellCounts.regrouped`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels
    from covey.measures.counts import CellCounts

Ground = Literal["equal", "ordered", "numeric"]
GROUNDS: tuple[Ground, ...] = ("equal", "ordered", "numeric")


def entropies(counts: CellCounts) -> Floats:
    """The entropy of each cell's values in bits: 0 where all are the same, log2 of their number where all are as rare.

    Exactly so in both cases. Time: O(entries).
    """
    shares = counts.shares
    bits = -np.bincount(counts.cell, shares * np.log2(shares), counts.cells)
    distinct, most = counts.distinct, np.log2(np.maximum(counts.distinct, 1))
    even = distinct * _largest(counts) == counts.sizes
    return np.where(even, most, np.clip(bits, 0.0, most))


def effective_values(counts: CellCounts) -> Floats:
    """The ℓ of entropy ℓ-diversity of each cell: as many values, all as frequent, would have the same entropy.

    It is the exponential of the entropy, whatever the base: from 1 to the number of different values, which it is where
    all are as frequent. Time: O(entries).
    """
    bits, distinct = entropies(counts), counts.distinct
    even = bits == np.log2(np.maximum(distinct, 1))
    return np.where(even, distinct, np.clip(np.exp2(bits), 1.0, distinct))


def recursive_constants(counts: CellCounts, l: int) -> Floats:  # noqa: E741 (the papers' ℓ)
    """What c must exceed for each cell to have recursive (c, ℓ)-diversity: r₁ / (r_ℓ + … + r_m).

    r₁ ≥ r₂ ≥ … are the frequencies of the m values of the cell; where m < ℓ no c will do, and it is infinite.
    (c, ℓ)-diversity asks for r₁ < c·(r_ℓ + … + r_m), so the constant itself is not enough.
    Time: O(entries log entries).
    """
    count, cell, rank = _ranked(counts)
    tail = np.bincount(cell, np.where(rank >= l - 1, count, 0), counts.cells)
    with np.errstate(divide="ignore"):
        return np.asarray(_largest(counts) / tail, dtype=np.float64)


def recursive_levels(counts: CellCounts, c: float) -> Labels:
    """The greatest ℓ for which each cell has recursive (c, ℓ)-diversity, 0 where there is none.

    Time: O(entries log entries).
    """
    count, cell, _ = _ranked(counts)
    rest = counts.sizes[cell] - _before(count, cell, counts.sizes)  # r_ℓ + … + r_m, of each ℓ in turn
    return np.bincount(cell, _largest(counts)[cell] < c * rest, counts.cells).astype(np.int64)


def earth_movers(
    counts: CellCounts, ground: Ground, values: Floats | None = None, overall: Labels | None = None
) -> Floats:
    """How far the values of each cell are from those of the whole table, from 0 to 1: the t of t-closeness.

    The earth mover's distance of the two distributions. How far apart two values are, at most 1, is the ground
    distance: `equal`, 1 where they differ; `ordered`, by how many places of the order, over all but one; `numeric`,
    their difference over the range. The numeric distance is the area between the distribution functions over the range.
    Of a cell without records it is 0.

    Parameters
    ----------
    counts : CellCounts
        Codes in the order of the values, if the ground distance knows one. Values that nobody has count as places.
    ground : {"equal", "ordered", "numeric"}
        The distance of two values.
    values : ndarray of shape (levels,), optional
        Ascending: the number that each code stands for, for `numeric`.
    overall : ndarray of shape (levels,), optional
        How often each value occurs in the whole table; by default in all cells.

    Notes
    -----
    Time: O(entries log levels + levels). Between two values that follow each other in a cell, its distribution function
    is constant and the whole table's ascends, so the area between them is that of a step on both sides of the place
    where they cross, and sums over the whole table from its beginning give it at once.

    References
    ----------
    N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and ℓ-diversity", ICDE 2007.
    """
    overall = counts.overall if overall is None else overall
    if ground == "equal":
        excess = counts.shares - (overall / overall.sum())[counts.code]
        moved = np.bincount(counts.cell, np.maximum(excess, 0.0), counts.cells)
        return np.asarray(np.clip(moved, 0.0, 1.0), dtype=np.float64)
    places = np.arange(counts.levels, dtype=np.float64) if values is None or ground == "ordered" else _scaled(values)
    if counts.levels < 2 or places[-1] == places[0]:
        return np.zeros(counts.cells)
    areas = _areas(counts, places - places[0], overall)
    return np.asarray(np.clip(areas / (places[-1] - places[0]), 0.0, 1.0), dtype=np.float64)


def log_ratios(counts: CellCounts, overall: Labels | None = None, *, strict: bool = False) -> Floats:
    """The δ of δ-disclosure of each cell: the greatest |ln(share in the cell / share in the whole table)|.

    Over the values that the cell has. A value of the table that the cell lacks has the ratio 0, whose logarithm is
    infinite; `strict` counts it, and then hardly any table has a δ. Time: O(entries).
    """
    overall = counts.overall if overall is None else overall
    ratios = np.abs(np.log(counts.shares / (overall / overall.sum())[counts.code]))
    greatest = np.zeros(counts.cells)
    np.maximum.at(greatest, counts.cell, ratios)
    lacking = counts.distinct < np.count_nonzero(overall)
    return np.where(lacking, np.inf, greatest) if strict else greatest


def divergences(counts: CellCounts, overall: Labels | None = None) -> Floats:
    """How much each cell tells of its records' values, in bits: Kullback-Leibler, of the cell from the whole table.

    Weighted by the sizes of the cells, its mean is the mutual information of value and cell. Time: O(entries).
    """
    overall = counts.overall if overall is None else overall
    shares = counts.shares
    bits = np.bincount(counts.cell, shares * np.log2(shares / (overall / overall.sum())[counts.code]), counts.cells)
    return np.maximum(bits, 0.0)


def _largest(counts: CellCounts) -> Labels:
    """How often the most frequent value of each cell occurs in it."""
    largest = np.zeros(counts.cells, dtype=np.int64)
    np.maximum.at(largest, counts.cell, counts.count)
    return largest


def _ranked(counts: CellCounts) -> tuple[Labels, Labels, Labels]:
    """The entries by falling count within each cell: their counts, cells and places there from 0."""
    order = np.lexsort((-counts.count, counts.cell))
    cell = counts.cell[order]  # which is in order already, so that its places are those of the entries
    rank = np.arange(len(cell)) - np.searchsorted(cell, cell)
    return counts.count[order], cell, rank


def _before(count: Labels, cell: Labels, sizes: Labels) -> Labels:
    """The records of the same cell in the entries before each, which are in the order of the cells."""
    before: Labels = np.cumsum(count) - count - (np.cumsum(sizes) - sizes)[cell]
    return before


def _scaled(values: Floats) -> Floats:
    """The values times a power of two, so that their differences do not overflow."""
    greatest = float(np.max(np.abs(values), initial=0.0))
    return np.asarray(np.ldexp(values, -int(np.frexp(greatest)[1]) - 1), dtype=np.float64)


def _areas(counts: CellCounts, places: Floats, overall: Labels) -> Floats:
    """The area between the distribution functions of each cell and of the whole table, over ascending places from 0."""
    total, last = int(overall.sum()), counts.levels - 1
    up_to = np.cumsum(overall)
    # Of the whole table, in records: the area under its distribution function up to each place.
    under = np.concatenate([[0.0], np.cumsum(up_to[:-1] * np.diff(places))])
    first = np.flatnonzero(np.diff(counts.cell, prepend=-1))
    # Each value of a cell begins a step that ends at the next one's, or at the last place of all.
    reached = _before(counts.count, counts.cell, counts.sizes) + counts.count
    height = reached / counts.sizes[counts.cell] * total
    end = np.append(counts.code[1:], last)
    end[first[1:] - 1] = last
    cross = np.clip(np.searchsorted(up_to, height), counts.code, end)
    above = height * (places[cross] - places[counts.code]) - (under[cross] - under[counts.code])
    below = (under[end] - under[cross]) - height * (places[end] - places[cross])
    areas = np.bincount(counts.cell, above + below, counts.cells)
    areas[counts.cell[first]] += under[counts.code[first]]  # where the cell has no record yet
    return np.asarray(areas / total, dtype=np.float64)
