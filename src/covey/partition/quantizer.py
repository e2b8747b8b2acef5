"""What a fitted quantizer leaves: points, costs, and the cell of any record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import as_array, as_floats

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import ArrayLike

    from covey.matrix import Floats, Labels

AT_ONCE = 1 << 22  # distortions held at the same time where records have ratios of their own


@dataclass(frozen=True, slots=True, eq=False)
class Quantizer:
    """q(x) = arg min over q of d(x, x̂(q)) + c(q): cells that are convex polytopes.

    Attributes
    ----------
    points : ndarray of shape (m, d)
        The reconstruction points x̂(q) that distances are measured from, in the terms of the records.
    costs : ndarray of shape (m,)
        c(q), the least of them 0, in the square of those terms.
    centroids : ndarray of shape (m, d)
        The means of the cells, which are published; as `points` where nothing else is known.

    Notes
    -----
    To assign records to cells is to apply a function to them; it promises nothing of how many records of *another*
    table fall into a cell. Reference: docs/methods/pcl.md.

    Examples
    --------
    >>> import covey
    >>> quantizer = covey.Quantizer.of([[0.0], [10.0]], costs=[0.0, 40.0])
    >>> quantizer.assign([[5.5], [6.5], [7.5]]).tolist()
    [0, 0, 1]
    """

    points: Floats
    costs: Floats
    centroids: Floats

    def __post_init__(self) -> None:
        """Refuse parts that are no finite numbers, or do not fit."""
        m = len(as_floats(self.points))
        fits = self.centroids.shape == self.points.shape and np.shape(self.costs) == (m,)
        if not fits:
            raise InvalidInput(f"a quantizer of {m} points needs as many costs and centroids")
        as_floats(np.reshape(self.costs, (-1, 1)))
        as_floats(self.centroids)

    @classmethod
    def of(cls, points: ArrayLike, costs: ArrayLike | None = None, centroids: ArrayLike | None = None) -> Quantizer:
        """A quantizer of given points, by default without costs, which assigns to the nearest.

        Raises
        ------
        InvalidInput
            The parts are not finite numbers or do not fit each other.
        """
        places = as_floats(points)
        dues = np.zeros(len(places)) if costs is None else as_floats(np.reshape(as_array(costs), (-1, 1)))[:, 0]
        means = places if centroids is None else as_floats(centroids)
        return cls(places, dues - dues.min(), means)

    def assign(self, X: ArrayLike, *, ratios: ArrayLike | None = None) -> Labels:
        """The cell of each record: least d + c, the lowest of several.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Records in the terms of the points.
        ratios : array-like of shape (n,), optional
            What each record's d is multiplied by, if it was fitted so: weight over load.

        Returns
        -------
        ndarray of shape (n,)
            Cells, from 0 up.
        """
        records = as_floats(X)
        if records.shape[1] != self.points.shape[1]:
            raise InvalidInput(f"records have {records.shape[1]} columns, the quantizer has {self.points.shape[1]}")
        origin, exponent = frame_of(self.points)
        moved, points = inside(records, origin, exponent), inside(self.points, origin, exponent)
        costs = np.ldexp(self.costs, 2 * exponent)
        if ratios is None:
            return _core.assign(moved, points, costs)
        factors = as_floats(np.reshape(as_array(ratios), (-1, 1)))[:, 0]
        if factors.shape != (len(records),) or not np.all(factors > 0):
            raise InvalidInput(f"ratios must be positive numbers, one for each of the {len(records)} records")
        return _assign_by_ratio(moved, points, costs, factors)

    def decode(self, labels: ArrayLike) -> Floats:
        """The centroid of each label: what is published of a record."""
        cells = as_array(labels)
        if cells.dtype.kind not in "iu" or np.any((cells < 0) | (cells >= len(self.centroids))):
            raise InvalidInput(f"labels must be whole numbers from 0 to {len(self.centroids) - 1}")
        return np.asarray(self.centroids[cells])

    def draw(self, path: str | Path, X: ArrayLike | None = None) -> None:
        """Draw the cells of a quantizer of two columns as a PNG or SVG picture, with records if they are given."""
        from covey.polytopes import draw_cells  # noqa: PLC0415 (matplotlib waits until it is needed)

        draw_cells(self.points, self.costs, self.centroids, path, None if X is None else as_floats(X))


def frame_of(values: Floats) -> tuple[Floats, int]:
    """An origin among the values and an exponent, so that (x − origin)·2**exponent is neither huge nor tiny."""
    scale = int(np.frexp(np.max(np.abs(values)))[1])
    origin = np.ldexp(np.mean(np.ldexp(values, -scale - 1), axis=0), scale + 1)
    spread = float(np.max(np.abs(np.ldexp(values, -scale - 1) - np.ldexp(origin, -scale - 1))))
    return origin, -(int(np.frexp(spread)[1]) + scale + 1) if spread else 0


def inside(values: Floats, origin: Floats, exponent: int) -> Floats:
    """Values in the frame of an origin and an exponent."""
    with np.errstate(over="ignore", under="ignore"):  # of records unimaginably far away
        half = np.ldexp(values, -1) - np.ldexp(origin, -1)
        return np.ascontiguousarray(np.ldexp(half, exponent + 1))


def outside(values: Floats, origin: Floats, exponent: int) -> Floats:
    """The inverse of `inside`."""
    return np.asarray(np.ldexp(values, -exponent) + origin, dtype=np.float64)


def _assign_by_ratio(X: Floats, points: Floats, costs: Floats, ratios: Floats) -> Labels:
    labels = np.empty(len(X), dtype=np.int64)
    step = max(1, AT_ONCE // len(points))
    for first in range(0, len(X), step):
        part = slice(first, first + step)
        distortions = np.zeros((len(X[part]), len(points)))
        for j in range(X.shape[1]):
            distortions += np.square(X[part, j, None] - points[:, j])
        labels[part] = np.argmin(distortions * ratios[part, None] + costs, axis=1)
    return labels
