"""The best partition made of known cells: an integer programme."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.bounds.cells import Cell, Pool
from covey.bounds.generation import Effort, Prices, price

if TYPE_CHECKING:
    from covey.bounds.clock import Clock

MOST_CELLS = 20_000
ENUMERATION = Effort(nodes=50_000, candidates=1_000)
# Where an enumeration has a chance: few records, or little left between bound and cost beside what one cell costs.
FEW, LITTLE = 60, 0.5


# What is tried beside the cells of the linear programme: those of each record that cost so much more than their
# records, in parts of a record's cost. Found by trial, as are the numbers above.
VARIETY, VARIANTS = 0.1, 5


def vary(pool: Pool, k: int, prices: Prices, clock: Clock) -> None:
    """Adds cells that cost little more than their records: a linear programme wants few, a partition the right ones."""
    raised = prices.values + VARIETY * max(0.0, prices.bound) / len(prices.values)
    price(pool, k, raised, Effort(), clock, each=VARIANTS)


def enumerate_cells(pool: Pool, k: int, prices: Prices, cost: float, clock: Clock) -> bool:
    """Adds every cell that a partition of less than this cost can hold; False if they are too many.

    A cell whose excess is no less than cost − bound is in none. Prices raised by (cost − bound)/k find all others.
    """
    n, left = len(prices.values), max(0.0, cost - prices.bound)
    if n > FEW and left > LITTLE * cost * k / n:
        return False
    raised = prices.values + left * (1.0 + 1e-9) / k
    priced = price(pool, k, raised, ENUMERATION, clock, each=MOST_CELLS)
    return priced.complete and priced.found < MOST_CELLS


def select(pool: Pool, given: list[Cell], prices: Prices, clock: Clock) -> tuple[list[Cell], bool]:
    """The cheapest partition that is found, the given one or a cheaper one; and whether no cheaper one can be made.

    The cells of least excess are tried, and those of the given partition.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # noqa: PLC0415 (light imports)

    pool.add(given)
    known = sum(pool.costs[cell] for cell in given)
    cells, excesses = list(pool.costs), pool.excesses(prices.values)
    useful = np.flatnonzero(excesses <= (known - prices.bound) * (1.0 + 1e-9))
    chosen = useful[np.argsort(excesses[useful], kind="stable")[:MOST_CELLS]]
    tried = Pool(pool.values, {cells[i]: pool.costs[cells[i]] for i in chosen} | {c: pool.costs[c] for c in given})
    costs = np.fromiter(tried.costs.values(), dtype=np.float64)
    unit = known / len(prices.values)
    limits, count = LinearConstraint(tried.covering(), 1.0, 1.0), len(costs)
    options = {"time_limit": max(clock.left, 0.01), "mip_rel_gap": 0.0}
    done = clock.watch(
        lambda: milp(costs / unit, constraints=limits, integrality=np.ones(count), bounds=Bounds(0, 1), options=options)
    )
    if done.x is None:
        return given, False
    found = [cell for cell, share in zip(tried.costs, done.x, strict=True) if share > 0.5]
    cheaper = sum(tried.costs[cell] for cell in found) < known
    return found if cheaper else given, done.status == 0 and len(useful) <= MOST_CELLS
