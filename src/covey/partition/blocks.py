"""Prepartitioning: a partition within each block of a very large table."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from covey.errors import InvalidInput
from covey.matrix import Matrix, Space
from covey.partition.base import Partition, unless_interrupted
from covey.partition.mdav import MDAV
from covey.partition.refine import Refine
from covey.partition.strata import part_of

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels, OrdinalAverage, Rows
    from covey.partition.strata import Progress


class Blocks(Partition):
    """A partition that is run within each block of at most `size` records near each other.

    Records are split again and again across their widest column, in the space in which they are compared, into blocks
    of the same size but for one record. There are as few of them as `size` allows. No cell mixes blocks, so time grows
    with the number of blocks only.

    Parameters
    ----------
    base : estimator, optional
        The partition that is run in each block; by default MDAV(k=5).
    size : int
        The most records in a block, at least 4k: then every block has 2k or more, if the table has.

    Notes
    -----
    *Guarantee*: that of `base`: every cell holds at least k records.
    Reference: docs/methods/blocks.md.

    Examples
    --------
    >>> import covey
    >>> covey.Blocks(covey.MDAV(k=2), size=8).fit([[x] for x in range(16)]).sizes_.tolist()
    [2, 2, 2, 2, 2, 2, 2, 2]
    """

    def __init__(self, base: Partition | None = None, size: int = 100_000) -> None:
        self.base = base
        self.size = size

    @property
    def k(self) -> int:  # type: ignore[override]  # the base's own
        """The least number of records in a cell."""
        return self._least()

    @property
    def ordinal_average(self) -> OrdinalAverage:
        """The base's average of ordinal columns."""
        average: OrdinalAverage = getattr(self._base(), "ordinal_average", "median")
        return average

    def with_k(self, k: int) -> Self:
        """The same with another k, which is the base's."""
        return self.copied(base=self._base().with_k(k))

    def for_part(self, records: int, of: int) -> Self:
        """A copy whose base has its share for so many of the records."""
        return self.copied(base=self._base().for_part(records, of))

    def _least(self) -> int:
        return self._base()._least()  # noqa: SLF001 (of the same family)

    def _base(self) -> Partition:
        return MDAV() if self.base is None else self.base

    def _check_parameters(self) -> None:
        base: Any = self._base()
        if not isinstance(base, Partition):
            raise InvalidInput("base must be an estimator that partitions records jointly, such as MDAV(k=5)")
        if isinstance(base, Refine) and not isinstance(base.base, Partition | None):
            raise InvalidInput("base refines given labels, which say nothing of the records of a block")
        base._check_parameters()  # noqa: SLF001 (of the same family)
        size: Any = self.size
        if isinstance(size, bool) or not isinstance(size, numbers.Integral):
            raise InvalidInput("size must be a whole number: the most records in a block")
        if int(size) < 4 * self.k:
            raise InvalidInput(f"blocks of {int(size)} records are too small for k={self.k}: they need at least 4k")

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        labels = np.empty(matrix.n, dtype=np.int64)
        before = cells = 0
        for rows in blocks(Space.of(matrix), int(self.size)):
            base = self._base().for_part(len(rows), matrix.n).copied()
            base.fit(matrix.rows(rows), progress=part_of(progress, before, matrix.n))
            part = unless_interrupted(base).labels_
            labels[rows] = part + cells
            before, cells = before + len(rows), cells + int(part.max()) + 1
        return labels


def blocks(space: Space, size: int) -> list[Rows]:
    """The rows of each block, in ascending order.

    Raises
    ------
    InvalidInput
        There is more than one, and no continuous or ordinal column to split.
    """
    n = len(space.values)
    count = -(-n // size)
    if count > 1 and space.numeric == 0:
        raise InvalidInput("blocks are split across continuous and ordinal columns, and there is none")
    return _split(space.values[:, : space.numeric], np.arange(n), count)


def _split(values: Floats, rows: Rows, count: int) -> list[Rows]:
    """The rows in `count` blocks: half of the blocks get as large a share of the records, lower values first."""
    if count == 1:
        return [rows]
    column = values[rows, np.argmax(np.ptp(values[rows], axis=0))]
    order = rows[np.argsort(column, kind="stable")]
    half = count // 2
    middle = len(rows) * half // count
    return [
        *_split(values, np.sort(order[:middle]), half),
        *_split(values, np.sort(order[middle:]), count - half),
    ]
