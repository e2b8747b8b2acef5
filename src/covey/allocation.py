"""Clients to centres that are where they are and can serve so many: the least total distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import as_array, as_floats
from covey.partition.quantizer import frame_of, inside

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Floats, Labels

DISTANCES = ("squared", "plain")


@dataclass(frozen=True, slots=True, eq=False)
class Allocation:
    """Who goes where.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The centre of each client.
    costs : ndarray of shape (m,)
        What a place at each centre is worth, in distance (squared, if that was asked for): each client is where
        distance + cost is least. 0 for a centre with places left, if any has.
    served : ndarray of shape (m,)
        The number of clients of each centre.
    total : float
        The sum of the distances (squared, if that was asked for); no allocation within the capacities has a lower one.
    """

    labels: Labels
    costs: Floats
    served: Labels
    total: float


def allocate(
    X: ArrayLike, centroids: ArrayLike, capacities: ArrayLike, *, distance: Literal["squared", "plain"] = "squared"
) -> Allocation:
    """Clients to centres of given capacities, at the least total distance.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Where the clients are, or what they are like.
    centroids : array-like of shape (m, d)
        The same of the centres.
    capacities : array-like of shape (m,)
        The clients that each can serve; n in all at least. If it is just n, every centre is filled.
    distance : {"squared", "plain"}
        Euclidean distance, squared or plain. For any other, such as travelling times, see `allocate_table`.

    Returns
    -------
    Allocation
        Centres of the clients, served clients, costs.

    Raises
    ------
    InvalidInput
        The parts are not usable, or the capacities are less than the clients.

    Notes
    -----
    Squared distances, and as few as possible of them in memory: n = 1,000,000 and m = 1,000 take seconds. Plain ones
    are held as a table. Reference: docs/methods/pcl.md.

    Examples
    --------
    >>> import covey
    >>> covey.allocate([[0.0], [1.0], [2.0], [9.0]], [[1.0], [8.0]], [2, 2]).labels.tolist()
    [0, 0, 1, 1]
    """
    clients, centres = as_floats(X), as_floats(centroids)
    if clients.shape[1] != centres.shape[1]:
        raise InvalidInput(f"clients have {clients.shape[1]} columns, centres {centres.shape[1]}")
    if not isinstance(distance, str) or distance not in DISTANCES:
        raise InvalidInput(f"unknown distance: expected one of {', '.join(DISTANCES)}")
    sizes = _checked(capacities, len(clients), len(centres))
    origin, exponent = frame_of(np.vstack([clients, centres]))
    here, there = inside(clients, origin, exponent), inside(centres, origin, exponent)
    if distance == "plain":
        return _allocate(np.sqrt(_squares(here, there)), sizes, -exponent)
    labels, costs = _core.Market(here).adjust(there, np.zeros(len(sizes)), sizes, _filled(sizes, len(here)))
    squares = sum(np.square(here[:, j] - there[labels, j]) for j in range(here.shape[1]))
    return _allocation(labels, costs, squares, -2 * exponent)


def allocate_table(distances: ArrayLike, capacities: ArrayLike) -> Allocation:
    """The same where the distances are given: of each client (row) from each centre (column).

    Raises
    ------
    InvalidInput
        The parts are not usable, or the capacities are less than the clients.

    Examples
    --------
    >>> import covey
    >>> covey.allocate_table([[5.0, 9.0], [6.0, 7.0], [4.0, 20.0]], [2, 1]).labels.tolist()
    [0, 1, 0]
    """
    table = as_floats(distances)
    return _allocate(table, _checked(capacities, *table.shape), 0)


def _allocate(table: Floats, sizes: Floats, exponent: int) -> Allocation:
    labels, costs = _core.allocate(np.ascontiguousarray(table), sizes, _filled(sizes, len(table)))
    return _allocation(labels, costs, table[np.arange(len(table)), labels], exponent)


def _allocation(labels: Labels, costs: Floats, paid: Floats, exponent: int) -> Allocation:
    with np.errstate(over="ignore", under="ignore"):
        total = float(np.ldexp(np.sum(paid), exponent))
        dues = np.ldexp(costs - costs.min(), exponent)
    return Allocation(labels, dues, np.bincount(labels, minlength=len(costs)), total)


def _squares(here: Floats, there: Floats) -> Floats:
    total = np.zeros((len(here), len(there)))
    for j in range(here.shape[1]):
        total += np.square(here[:, j, None] - there[:, j])
    return total


def _filled(sizes: Floats, n: int) -> bool:
    return bool(sizes.sum() == n)


def _checked(capacities: ArrayLike, n: int, m: int) -> Floats:
    sizes = as_array(capacities)
    if sizes.dtype.kind not in "iu" or sizes.shape != (m,):
        raise InvalidInput(f"capacities must be whole numbers, one for each of the {m} centres")
    below = int(np.count_nonzero(sizes < 0))
    if below:
        raise InvalidInput(f"{below} capacities are below 0")
    sizes = np.minimum(sizes, n)  # more can never be used, and sums of huge ones would not be right
    if int(sizes.sum()) < n:
        raise InvalidInput(f"capacities of {int(sizes.sum())} in all cannot serve {n} clients")
    return np.asarray(sizes, dtype=np.float64)
