"""The nearest of many records, with every tie: exact distances, far fewer than all pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey import _core

if TYPE_CHECKING:
    from collections.abc import Callable

    from covey.matrix import Floats, Labels

    Progress = Callable[[int, int], None]

MASK_BITS = 64  # categories that the kernel's sets tell apart
THREADS = 2


def squared_distances(one: Floats, other: Floats, numeric: int) -> Floats:
    """Between the rows of two arrays, pair by pair: squares of differences, 0 or 1 in columns behind the numeric ones.

    Summed in the order of the columns, as the kernel does: both give the same bits.
    """
    total = np.zeros(len(one))
    for j, (a, b) in enumerate(zip(one.T, other.T, strict=True)):
        total += np.square(a - b) if j < numeric else a != b
    return total


def nearest(
    points: Floats, counts: Labels, queries: Floats, numeric: int, progress: Progress | None = None
) -> tuple[Floats, Labels]:
    """For each query the least squared distance to a point, and how many records are at exactly that distance.

    Parameters
    ----------
    points : ndarray of shape (m, d)
        Distinct points; codes from 0 in the columns behind the numeric ones.
    counts : ndarray of shape (m,)
        How many records each point stands for.
    queries : ndarray of shape (q, d)
        In the same terms.
    numeric : int
        How many columns hold numbers; they come first.
    progress : callable, optional
        Called with the queries done and the queries in all.

    Notes
    -----
    A k-d tree, whose boxes bound distances without rounding any of them away. Time: O(log m) a query in few columns,
    O(m·d) at worst. Memory: O(m·d).
    """
    exact_masks = max(points[:, numeric:].max(initial=0.0), queries[:, numeric:].max(initial=0.0)) < MASK_BITS
    least, ties = _core.link(
        np.ascontiguousarray(points),
        numeric,
        bool(exact_masks),
        counts.astype(np.int64),
        np.ascontiguousarray(queries),
        THREADS,
        progress,
    )
    return least, ties
