"""The least SSE of all partitions of few records, between a bound and a partition."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from covey import _core
from covey.bounds.cells import Pool, cell_costs, cells_of, labels_of
from covey.bounds.clock import Clock
from covey.bounds.descent import Descent, disjoint
from covey.bounds.generation import Prices, generate
from covey.bounds.selection import enumerate_cells, select, vary
from covey.bounds.shares import continuous_matrix, gap, restored
from covey.errors import InvalidInput
from covey.matrix import Space, as_array
from covey.partition.base import check_k, check_records
from covey.partition.mdav import MDAV

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Floats, Labels, Matrix
    from covey.partition.strata import Progress

MOST_RECORDS, MOST_K = 5_000, 12
ROUNDS = 200  # of the first prices
DESCENT_SHARE, PRICING_SHARE = 0.1, 0.6  # of the time; the rest is for the integer programme
SOLVER = 1e-6  # what an integer programme solved to the end may be off by, over its value


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """Between which numbers the least SSE lies.

    Attributes
    ----------
    bound : float
        No partition into cells of at least k has a lower SSE.
    best_sse : float
        The SSE of `labels`.
    labels : ndarray of shape (n,)
        The best partition found, cells numbered by their first records.
    gap : float
        The excess of `best_sse` over `bound`, in parts of `bound`: the partition is at most so far from optimal.
    exact : bool
        Whether the bound is the least of the linear programme over all cells, so that more time does not raise it.
    optimal : bool
        Whether `labels` is proved to have the least SSE, to the integer solver's tolerance of 1e-6.
    cells : int
        The number of cells that were considered in the end.
    seconds : float
        How long it took.
    """

    bound: float
    best_sse: float
    labels: Labels = field(repr=False)
    gap: float
    exact: bool
    optimal: bool
    cells: int
    seconds: float


def certify(
    X: ArrayLike | Matrix,
    k: int,
    seconds: float = 60.0,
    *,
    labels: ArrayLike | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """A close bound on the SSE of every partition, if given the time, and often a better partition.

    Parameters
    ----------
    X : array-like of shape (n, d) or Matrix
        Up to 5,000 records, in continuous columns that are compared as they are.
    k : int
        The least number of records in a cell, up to 12. From 6 on expect a bound between that of `lower_bound` and
        the best that is possible.
    seconds : float
        How long to work, about; less when nothing more can be won.
    labels : array-like of shape (n,), optional
        A partition to start from and to improve, whose cells hold k records or more; by default that of MDAV.
    progress : callable, optional
        Called with the milliseconds gone and those allotted, some twenty times a second and at the end.

    Returns
    -------
    Certificate
        The bound, the partition, and what has been proved.

    Raises
    ------
    InvalidInput
        The records, k, seconds or labels are not usable, or there are too many records.

    Notes
    -----
    *Guarantee*: the bound holds whenever the time ends, for prices of any kind give one; its roundings are taken off.
    Only that of a partition proved `optimal` rests on the integer solver, too. Nothing is random: where the time does
    not cut the work, the same input gives the same certificate. Method: column generation on the set-partitioning
    linear programme with prices in a box, pricing by branch and bound, HiGHS; docs/methods/bounds.md.
    """
    check_k(k)
    clock = Clock(check_seconds(seconds), progress)
    matrix = continuous_matrix(X)
    check_records(matrix.n, k)
    check_few(matrix.n, k)
    start = check_labels(labels, matrix.n, k) if labels is not None else MDAV(k).fit(matrix).labels_
    space = Space.of(matrix)
    pool = Pool(space.values, {})
    pool.add(cells_of(start))
    if k == 1 or not sum(pool.costs.values()):
        return _certificate(_of_k(start, matrix.n, k), Prices(np.zeros(matrix.n), 0.0, exact=True), pool, space, clock)
    return _search(k, start, pool, space, clock)


def _search(k: int, start: Labels, pool: Pool, space: Space, clock: Clock) -> Certificate:
    start = Descent(space.values, start, k).run(Clock(DESCENT_SHARE * clock.seconds, clock.tell))
    given = cells_of(start)
    pool.add(given)
    bound, shares = _core.least_shares(space.values, k, ROUNDS, clock.tell)
    pricing = Clock(PRICING_SHARE * clock.seconds, clock.tell)
    prices = generate(pool, k, Prices(shares, bound), pricing)
    pool.add(given)
    rounded = Descent(space.values, disjoint(pool, prices.values, k), k).run(Clock(clock.left / 4, clock.tell))
    pool.add(cells_of(rounded))
    given = min(given, cells_of(rounded), key=lambda cells: sum(pool.costs[cell] for cell in cells))
    vary(pool, k, prices, Clock(clock.left / 4, clock.tell))
    cells, _ = select(pool, given, prices, clock)
    found = Descent(space.values, labels_of(cells, len(start)), k).run(clock)
    cells = cells_of(found)
    pool.add(cells)
    cost = sum(pool.costs[cell] for cell in cells)
    optimal = prices.exact and enumerate_cells(pool, k, prices, cost, Clock(clock.left / 2, clock.tell))
    if optimal:
        cells, optimal = select(pool, cells, prices, clock)
    return _certificate(labels_of(cells, len(start)), prices, pool, space, clock, optimal=optimal)


def _certificate(
    labels: Labels, prices: Prices, pool: Pool, space: Space, clock: Clock, *, optimal: bool = False
) -> Certificate:
    cost = sum_of_costs(pool.values, labels)
    optimal = optimal or prices.bound >= cost
    bound = max(prices.bound, cost * (1.0 - SOLVER) if optimal else 0.0)
    with np.errstate(over="ignore", under="ignore"):
        sse = float(np.ldexp(cost, -2 * space.exponent))
    clock.finish()
    proved = restored(max(0.0, bound), space)
    return Certificate(proved, sse, labels, gap(sse, proved), prices.exact, optimal, len(pool.costs), clock.gone)


def sum_of_costs(values: Floats, labels: Labels) -> float:
    """The SSE of a partition, cell by cell."""
    return math.fsum(cell_costs(values, [cell])[0] for cell in cells_of(labels))


def _of_k(labels: Labels, n: int, k: int) -> Labels:
    """A partition of no cost: records on their own where they may be."""
    return np.arange(n) if k == 1 else labels_of(cells_of(labels), n)


def check_few(n: int, k: int) -> None:
    """Refuse what would take too long.

    Raises
    ------
    InvalidInput
        There are too many records, or k is too large.
    """
    if n > MOST_RECORDS or k > MOST_K:
        raise InvalidInput(
            f"n={n} and k={k}: a certificate is possible for up to {MOST_RECORDS:,} records and k up to {MOST_K};"
            " lower_bound bounds any number of records and any k"
        )


def check_seconds(seconds: Any) -> float:
    """Refuse what is no time.

    Raises
    ------
    InvalidInput
        It is not a positive finite number.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, numbers.Real) or not 0.0 < float(seconds) < math.inf:
        raise InvalidInput("seconds must be a positive number")
    return float(seconds)


def check_labels(labels: ArrayLike, n: int, k: int) -> Labels:
    """The labels of a partition into cells of at least k, from 0 on.

    Raises
    ------
    InvalidInput
        There is not one whole number for each record, or a cell is too small.
    """
    array = as_array(labels)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise InvalidInput(f"labels must be whole numbers, one for each of the {n} records")
    _, codes, counts = np.unique(array, return_inverse=True, return_counts=True)
    small = int(np.count_nonzero(counts < k))
    if small:
        raise InvalidInput(f"{small} of {len(counts)} cells of labels have fewer than k={k} records")
    return codes.astype(np.int64)
