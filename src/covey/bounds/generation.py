"""Column generation: prices of records under which no cell costs less than its records."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey import _core
from covey.bounds.cells import Pool, split

if TYPE_CHECKING:
    from covey.bounds.clock import Clock
    from covey.matrix import Floats

# Found by trial on census, tarragona and eia with k = 3, 4, 5.
EACH = 5  # cells asked for of each record
FIRST_NODES, FIRST_CANDIDATES, MORE = 5_000, 200, 8
MOST_NODES, MOST_CANDIDATES = 10_000_000, 20_000
RAISED = (1.25, 1.5)  # prices under which the first cells are sought, over those of the start
TRUST, WIDEST, NARROWEST = 0.25, 64.0, 1e-3  # how far prices may move at once, over themselves
MOST_CELLS, CELLS_KEPT = 40_000, 20_000
CONVERGED = 1e-7  # the gap to the least of the linear programme, over it


@dataclass(slots=True, eq=False)
class Prices:
    """The best prices so far.

    Attributes
    ----------
    values
        A price for each record.
    bound
        What no partition costs less than.
    exact
        Whether the bound is the least of the linear programme over all cells.
    """

    values: Floats
    bound: float
    exact: bool = False


@dataclass(slots=True)
class Effort:
    """How thoroughly cells are sought."""

    nodes: int = FIRST_NODES
    candidates: int = FIRST_CANDIDATES

    def grow(self) -> None:
        """More, after a search that was cut short has led to nothing."""
        self.nodes = min(self.nodes * MORE, MOST_NODES)
        self.candidates = min(self.candidates * 2, MOST_CANDIDATES)


@dataclass(frozen=True, slots=True)
class Priced:
    """What a search for cells under given prices has come to."""

    bound: float
    found: int
    new: int
    complete: bool


def generate(pool: Pool, k: int, start: Prices, clock: Clock) -> Prices:
    """Prices whose bound is as great as the time allows; the pool gains the cells that they came from.

    Prices maximise the bound of the cells known (a linear programme) in a box around the best so far; under them,
    cells that cost less are sought, and the bound is what is left. The box widens after a step that kept what it
    promised and shrinks after one that came to nothing.
    """
    best, scale, effort = start, 1.0, Effort()
    least = max(sum(pool.costs.values()) / (10 * len(start.values)), sys.float_info.min)
    reach = TRUST * np.maximum(np.abs(start.values), least)
    for factor in RAISED:
        price(pool, k, start.values * factor, effort, clock)
    while clock.left and not best.exact:
        values, promised, free = _boxed(pool, best.values, scale * reach, clock)
        priced = price(pool, k, values, effort, clock)
        gained, hoped = priced.bound - best.bound, promised - best.bound
        converged = free and priced.complete and promised - priced.bound <= CONVERGED * abs(promised)
        if gained > 0.0 or converged:
            best = Prices(values, max(priced.bound, best.bound), exact=converged)
        if gained > 0.3 * hoped:
            scale = min(2.0 * scale, WIDEST)
        elif not priced.complete and (gained <= 0.0 or not priced.new):
            effort.grow()
        elif gained <= 0.0:
            scale = max(0.6 * scale, NARROWEST)
        _forget(pool, values)
    return best


def price(pool: Pool, k: int, prices: Floats, effort: Effort, clock: Clock, *, each: int = EACH) -> Priced:
    """Seeks cells that cost less than their records; any prices give a bound, for there are at most n/k cells."""
    rows, begins, excesses, complete = _core.price_cells(
        pool.values, prices, k, each, effort.nodes, effort.candidates, clock.left, clock.tell
    )
    bound = bound_of(prices, excesses, k, pool.values.shape[1])
    return Priced(bound, len(begins) - 1, pool.add(split(rows, begins)), complete)


def bound_of(prices: Floats, excesses: Floats, k: int, d: int) -> float:
    """The sum of the prices and of the n/k least excesses, less what may have been lost by rounding.

    An excess that matters is a difference of sums no larger than the prices of a cell of 2k records, each of which is
    off by less than d + 2k + 32 roundings.
    """
    n = len(prices)
    worst = np.sort(excesses)[: n // k]
    greatest = float(np.max(np.abs(prices)))
    lost = n * ((d + 2 * k + 32) * math.ldexp(greatest, -50) + k * sys.float_info.min)
    return math.fsum(prices.tolist()) + math.fsum(worst.tolist()) - lost


def _boxed(pool: Pool, centre: Floats, trust: Floats, clock: Clock) -> tuple[Floats, float, bool]:
    """The best prices within a box for the cells known, their bound, and whether the box holds nothing back."""
    from scipy.optimize import linprog  # noqa: PLC0415 (light imports)
    from scipy.sparse import eye_array, hstack  # noqa: PLC0415

    n, unit = len(centre), float(np.mean(trust))
    identity = eye_array(n, format="csc")
    costs = np.concatenate([list(pool.costs.values()), centre + trust, trust - centre]) / unit
    matrix = hstack([pool.covering(), identity, -identity], format="csc")
    done = clock.watch(lambda: linprog(costs, A_eq=matrix, b_eq=np.ones(n), method="highs"))
    if done.status != 0:
        return centre, math.inf, False
    values = np.asarray(done.eqlin.marginals, dtype=np.float64) * unit
    return values, float(done.fun) * unit, float(np.sum(done.x[-2 * n :])) < 1e-6


def _forget(pool: Pool, prices: Floats) -> None:
    """Keeps the cells of least excess when there are too many."""
    if len(pool.costs) > MOST_CELLS:
        kept = np.argsort(pool.excesses(prices), kind="stable")[:CELLS_KEPT]
        cells = list(pool.costs)
        pool.keep([cells[i] for i in kept])
