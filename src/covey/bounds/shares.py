"""A lower bound on the SSE of every partition, from what each record adds to its cell at the least."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import Matrix, Space, as_floats
from covey.partition.base import check_k, check_records, checked
from covey.schema import Kind

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.partition.strata import Progress

MOST_ROUNDS = 10_000


def lower_bound(X: ArrayLike | Matrix, k: int, *, rounds: int = 30, progress: Progress | None = None) -> float:
    """A number that no partition of the records into cells of at least k has a lower SSE than.

    Parameters
    ----------
    X : array-like of shape (n, d) or Matrix
        The records, in continuous columns that are compared as they are.
    k : int
        The least number of records in a cell.
    rounds : int
        How often the prices of records are corrected: more rounds, up to some hundred, give a slightly greater bound.
        0 leaves prices out, which takes half the time and gives up a tenth to a quarter of the bound.
    progress : callable, optional
        Called with the work done and the work in all, some twenty times a second and at the end.

    Returns
    -------
    float
        At least 0, in the units of `sse_` of the partitions.

    Raises
    ------
    InvalidInput
        The records, k or rounds are not usable, there are fewer than k records, or a column is not continuous.

    Notes
    -----
    *Guarantee*: the SSE of the values as given, in exact arithmetic, is no less for any partition into cells of at
    least k; all roundings are taken off. How far below the least SSE it lies is not known: some 10 % in thirteen
    columns of the papers' data, a third in three Gaussian ones. `certify` comes closer where records are few.
    docs/methods/bounds.md has the argument. Time: that of 2n searches for k nearest records, and O(nk) a round.

    Examples
    --------
    >>> import covey
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> covey.gap(covey.MDAV(k=2).fit(X).sse_, covey.lower_bound(X, k=2)) < 1e-9
    True
    """
    check_k(k)
    check_rounds(rounds)
    matrix = continuous_matrix(X)
    check_records(matrix.n, k)
    space = Space.of(matrix)
    bound, _ = _core.least_shares(space.values, k, rounds, progress)
    return restored(bound, space)


def gap(sse: float, bound: float) -> float:
    """By how much an SSE exceeds a lower bound, in parts of the bound: it is at most 1 + gap times the least of all.

    Parameters
    ----------
    sse : float
        Of a partition.
    bound : float
        What no partition's SSE is less than.

    Returns
    -------
    float
        0 or more; inf where the bound is 0 and the SSE is not.

    Raises
    ------
    InvalidInput
        One of them is negative or not a number.

    Examples
    --------
    >>> import covey
    >>> round(covey.gap(10.5, 10.0), 3)
    0.05
    """
    if not (sse >= 0.0 and bound >= 0.0):
        raise InvalidInput("expected an SSE and a bound of at least 0")
    if sse <= bound:
        return 0.0
    return (sse - bound) / bound if bound else math.inf


def continuous_matrix(X: ArrayLike | Matrix) -> Matrix:
    """The records of a bound.

    Raises
    ------
    InvalidInput
        They are not usable, or a column is not continuous.
    """
    matrix = checked(X) if isinstance(X, Matrix) else Matrix.of(as_floats(X))
    others = sum(kind is not Kind.CONTINUOUS for kind in matrix.kinds)
    if others:
        raise InvalidInput(
            f"{others} of {matrix.d} columns are not continuous: bounds are of squared errors about means, and medians"
            " and modes have none"
        )
    return matrix


def check_rounds(rounds: Any) -> None:
    """Refuse what is not a whole number of rounds.

    Raises
    ------
    InvalidInput
        It is none, or out of range.
    """
    if isinstance(rounds, bool) or not isinstance(rounds, numbers.Integral) or not 0 <= int(rounds) <= MOST_ROUNDS:
        raise InvalidInput(f"rounds must be a whole number from 0 to {MOST_ROUNDS:,}")


def restored(bound: float, space: Space) -> float:
    """A lower bound in the terms of the matrix, rounded down: neither inf nor more than it was."""
    with_scale = _ldexp(bound, -2 * space.exponent)
    return math.nextafter(with_scale, 0.0) if space.exponent and with_scale else with_scale


def _ldexp(value: float, exponent: int) -> float:
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return math.inf
