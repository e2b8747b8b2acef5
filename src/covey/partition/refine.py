"""Any partition, made better while there is time."""

from __future__ import annotations

import numbers
import time
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from covey import _core, aggregate
from covey.errors import InvalidInput
from covey.matrix import Matrix, OrdinalAverage, Space, as_array
from covey.partition.base import Estimator, Partition, check_k, sum_of_squared_errors, unless_interrupted
from covey.partition.mdav import MDAV
from covey.partition.strata import check_group_sizes, group_rows, part_of, strata_codes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Labels, Rows
    from covey.partition.strata import Progress

SECONDS = 10.0


class Refine(Partition):
    """The partition of another method, or given labels, with records moved until the sum of squared errors is low.

    First it descends: records join neighbouring cells or change places with records there while that lowers the SSE,
    and cells of 2k records or more are split. Then, until the budget is spent, the partition is warmed up and cooled
    down again and again (relocations, swaps, rotations of three, cells dissolved and seeded), and every part of it that
    became better is kept.

    Parameters
    ----------
    base : estimator or array-like of shape (n,), optional
        Where to begin: a partition of `covey.partition`, MDAV by default, or the label of each record's cell.
    k : int, optional
        The least number of records in a cell. By default that of the base, which it overrides; needed with labels.
    seconds : float, optional
        How long to search, after the base is done; 10 by default. How far that goes depends on the machine.
    steps : int, optional
        How many proposals to look at instead: same steps, same labels, everywhere. More never give a higher SSE.
    seed : int
        Of the proposals.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns; the base's must be the same.

    Attributes
    ----------
    base_sse_ : float
        The SSE of the base, which `sse_` never exceeds.
    steps_ : int
        The proposals that were looked at.
    interrupted_ : bool
        Whether Ctrl-C ended the search before its time: what is there is the best up to then.

    Notes
    -----
    *Guarantee*: every cell holds at least k records, and fewer than 2k where that lowers the SSE. Cells are numbered
    in the order of their lowest rows. Within strata each has a share of the budget by its number of records.
    Reference: docs/methods/refine.md.

    Examples
    --------
    >>> import covey
    >>> covey.Refine([0, 1, 0, 1], k=2, steps=100).fit([[0.0], [0.1], [5.0], [5.1]]).labels_.tolist()
    [0, 0, 1, 1]
    """

    base_sse_: float
    steps_: int
    interrupted_: bool

    def __init__(
        self,
        base: Partition | ArrayLike | None = None,
        k: int | None = None,
        *,
        seconds: float | None = None,
        steps: int | None = None,
        seed: int = 0,
        ordinal_average: OrdinalAverage = "median",
    ) -> None:
        self.base = base
        self.k = k  # type: ignore[assignment]  # None: that of the base
        self.seconds = seconds
        self.steps = steps
        self.seed = seed
        self.ordinal_average = ordinal_average

    def for_part(self, records: int, of: int) -> Self:
        """A copy with the share of the budget that so many of the records have."""
        part = self.copied()
        if isinstance(self.base, Partition):
            part.base = self.base.for_part(records, of)
        if self.steps is not None:
            part.steps = int(self.steps) * records // of
        elif records:
            part.seconds = (SECONDS if self.seconds is None else self.seconds) * records / of
        else:
            part.seconds, part.steps = None, 0
        return part

    def _least(self) -> int:
        k: Any = self.k
        if k is None and isinstance(self.base, Partition):
            k = self.base._least()  # noqa: SLF001 (one family)
        check_k(k)
        return int(k)

    def _check_parameters(self) -> None:
        self._least()
        super()._check_parameters()
        if isinstance(self.base, Estimator) and not isinstance(self.base, Partition):
            raise InvalidInput(f"{type(self.base).__name__} forms no joint cells and so cannot be the base of Refine")
        average = getattr(self.base, "ordinal_average", self.ordinal_average)
        if isinstance(self.base, Partition) and average != self.ordinal_average:
            raise InvalidInput("ordinal_average differs from the base's: give both the same")
        check_budget(self.seconds, self.steps)
        if not _is_whole(self.seed, 2**64):
            raise InvalidInput("seed must be a whole number of at least 0, and below 2**64")

    def _labels(self, matrix: Matrix, strata: ArrayLike | None, progress: Progress | None) -> Labels:
        codes = np.zeros(matrix.n, dtype=np.int64) if strata is None else strata_codes(strata, matrix.n)
        groups = group_rows(codes)
        check_group_sizes(groups, self._least())
        base = _numbered(self._base_labels(matrix, strata, codes), codes)
        self.base_sse_ = self._sse(matrix, base)
        labels = _numbered(self._refined(matrix, base, groups, progress), codes)
        return base if self._sse(matrix, labels) > self.base_sse_ else labels

    def _base_labels(self, matrix: Matrix, strata: ArrayLike | None, codes: Labels) -> Labels:
        if self.base is not None and not isinstance(self.base, Partition):
            return check_labels(self.base, codes, self._least())
        base = MDAV(ordinal_average=self.ordinal_average) if self.base is None else self.base
        return unless_interrupted(base.with_k(self._least()).fit(matrix, strata=strata)).labels_

    def _refined(self, matrix: Matrix, base: Labels, groups: list[Rows], progress: Progress | None) -> Labels:
        """The labels of each group refined in its turn, with its share of what is left of the budget."""
        labels = base.copy()
        self.steps_, self.interrupted_ = 0, False
        end = None if self.steps is not None else time.monotonic() + (SECONDS if self.seconds is None else self.seconds)
        before = cells = 0
        for rows in groups:
            left = matrix.n - before
            budget = _steps(self.steps, before, len(rows), matrix.n), _seconds(end, len(rows) / left)
            found = self._refine(matrix.rows(rows), base[rows] - cells, budget, part_of(progress, before, matrix.n))
            cells = int(base[rows].max()) + 1
            labels[rows] = found
            before += len(rows)
            if self.interrupted_:
                break
        return labels

    def _refine(self, matrix: Matrix, labels: Labels, budget: tuple[int, float], progress: Progress | None) -> Labels:
        space = Space.of(matrix, self.ordinal_average)
        refined, steps, interrupted = _core.refine(
            space.values,
            space.averages,
            space.levels,
            self._least(),
            labels,
            *budget,
            int(self.seed),
            progress,
        )
        self.steps_ += steps
        self.interrupted_ = interrupted
        return refined

    def _sse(self, matrix: Matrix, labels: Labels) -> float:
        cells = int(labels.max()) + 1
        averages = aggregate.representatives(matrix, labels, cells, ordinal_average=self.ordinal_average)
        return sum_of_squared_errors(matrix, labels, averages)


def check_budget(seconds: Any, steps: Any) -> None:
    """Refuse what is no budget of a search: seconds and steps both, or either no sensible number.

    Raises
    ------
    InvalidInput
        They are none.
    """
    if seconds is not None and steps is not None:
        raise InvalidInput("seconds and steps are given: a search has one budget")
    if seconds is not None and (
        isinstance(seconds, bool) or not isinstance(seconds, numbers.Real) or not 0 < float(seconds) < 2**30
    ):
        raise InvalidInput("seconds must be a number above 0, and below 2**30")
    if steps is not None and not _is_whole(steps, 2**62):
        raise InvalidInput("steps must be a whole number of at least 0, and below 2**62")


def _is_whole(value: Any, end: int) -> bool:
    return not isinstance(value, bool) and isinstance(value, numbers.Integral) and 0 <= int(value) < end


def check_labels(labels: ArrayLike, codes: Labels, k: int) -> Labels:
    """Given labels, numbered from 0.

    Raises
    ------
    InvalidInput
        They are not one label for each record, a cell has fewer than k records, or it spans strata.
    """
    array = as_array(labels)
    if array.shape != codes.shape or array.dtype.kind not in "iu":
        raise InvalidInput(
            f"base must be an estimator of covey.partition, or labels, a whole number for each of {len(codes)} records"
        )
    _, dense = np.unique(array, return_inverse=True)
    small = int(np.count_nonzero(np.bincount(dense) < k))
    if small:
        raise InvalidInput(f"{small} cells of the base have fewer than k={k} records")
    spanning = len(np.unique(np.column_stack([dense, codes]), axis=0)) - int(dense.max()) - 1
    if spanning:
        raise InvalidInput("cells of the base span strata: no cell may")
    return np.asarray(dense, dtype=np.int64)


def _numbered(labels: Labels, codes: Labels) -> Labels:
    """Cells numbered stratum by stratum, and in each in the order of their lowest rows."""
    pairs, inverse = np.unique(codes * (int(labels.max()) + 1) + labels, return_inverse=True)
    first = np.full(len(pairs), len(labels))
    np.minimum.at(first, inverse, np.arange(len(labels)))
    rank = np.empty(len(pairs), dtype=np.int64)
    rank[np.lexsort((first, codes[first]))] = np.arange(len(pairs))
    numbers_: Labels = rank[inverse]
    return numbers_


def _steps(steps: int | None, before: int, records: int, n: int) -> int:
    """The share of so many records after others, as the kernel wants it: −1 where the clock counts."""
    return -1 if steps is None else int(steps) * (before + records) // n - int(steps) * before // n


def _seconds(end: float | None, share: float) -> float:
    """The share of the time left; the least there is when it is over."""
    return 0.0 if end is None else max((end - time.monotonic()) * share, 1e-9)
