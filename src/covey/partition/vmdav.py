"""MDAV with cells of variable size."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any, Literal

from covey import _core, aggregate
from covey.errors import InvalidInput
from covey.matrix import Matrix, OrdinalAverage, Space
from covey.partition.base import Partition, sum_of_squared_errors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Labels
    from covey.partition.strata import Progress

GAMMAS = tuple(step / 10 for step in range(21))


class VMDAV(Partition):
    """MDAV whose cells grow where the next record is closer to them than to its own neighbours.

    While k records are left, the one farthest from the average of *all* records and its k − 1 nearest form a cell.
    The record left that is nearest to any member, at distance d_in, joins it while d_in < γ·d_out, its distance
    d_out to the nearest other record left, up to 2k − 1 members. Fewer than k records join the cells of nearest
    average.

    Parameters
    ----------
    k : int
        The least number of records in a cell.
    gamma : float or "best"
        γ, not negative. "best" tries 0, 0.1, …, 2 and keeps the one of least SSE, the lowest of several; within
        each stratum on its own.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns.

    Attributes
    ----------
    gamma_ : float or list of float
        The γ that was used, or those of the strata in order.

    Notes
    -----
    *Guarantee*: every cell holds at least k records.
    Reference: A. Solanas, A. Martínez-Ballesté, "V-MDAV: a multivariate microaggregation with variable group size";
    docs/methods/vmdav.md.
    """

    gamma_: float | list[float]

    def __init__(
        self,
        k: int = 5,
        gamma: float | Literal["best"] = 0.2,
        ordinal_average: OrdinalAverage = "median",
    ) -> None:
        self.k = k
        self.gamma = gamma
        self.ordinal_average = ordinal_average

    def _check_parameters(self) -> None:
        super()._check_parameters()
        gamma: Any = self.gamma
        if isinstance(gamma, str) and gamma == "best":
            return
        if isinstance(gamma, bool) or not isinstance(gamma, numbers.Real) or not 0 <= _float(gamma) < math.inf:
            raise InvalidInput('gamma must be a finite number of at least 0, or "best"')

    def _labels(self, matrix: Matrix, strata: ArrayLike | None, progress: Progress | None) -> Labels:
        self._chosen: list[float] = []
        labels = super()._labels(matrix, strata, progress)
        self.gamma_ = self._chosen[0] if strata is None else self._chosen
        del self._chosen
        return labels

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        if self.gamma != "best":
            self._chosen.append(float(self.gamma))
            return self._grow(matrix, self._chosen[-1], progress)
        best = self._grow(matrix, GAMMAS[0], _share(progress, 0, len(GAMMAS)))
        least, chosen = self._sse(matrix, best), GAMMAS[0]
        for i, gamma in enumerate(GAMMAS[1:], 1):
            labels = self._grow(matrix, gamma, _share(progress, i, len(GAMMAS)))
            sse = self._sse(matrix, labels)
            if sse < least:
                best, least, chosen = labels, sse, gamma
        self._chosen.append(chosen)
        return best

    def _grow(self, matrix: Matrix, gamma: float, progress: Progress | None) -> Labels:
        space = Space.of(matrix, self.ordinal_average)
        search = _core.Search.automatic
        return _core.vmdav(space.values, space.averages, space.levels, self.k, gamma, search, progress)

    def _sse(self, matrix: Matrix, labels: Labels) -> float:
        cells = int(labels.max()) + 1
        averages = aggregate.representatives(matrix, labels, cells, ordinal_average=self.ordinal_average)
        return sum_of_squared_errors(matrix, labels, averages)


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _share(progress: Progress | None, done: int, runs: int) -> Progress | None:
    """Progress of one of several runs over the same records, as progress of them all."""
    if progress is None:
        return None
    return lambda records, n: progress((done * n + records) // runs, n)
