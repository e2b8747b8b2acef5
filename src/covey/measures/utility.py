"""What the quasi-identifiers lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey.encoding import Categorical, Continuous
from covey.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from covey.encoding import Encoded
    from covey.matrix import Floats, Labels, Mask


@dataclass(frozen=True, slots=True)
class Loss:
    """Squared error against squared spread.

    Attributes
    ----------
    sse : float
        The sum over the records of the squared distance between the original and the published value: of
        standardised values of continuous columns, of ranks over their number of ordinal ones, 0 or 1 of nominal
        ones.
    sst : float
        The same if every record were given the average of all.
    """

    sse: float
    sst: float

    @property
    def distortion(self) -> float:
        """D = SSE/SST, 0 when nothing was lost; of a constant column, 0."""
        return self.sse / self.sst if self.sst else 0.0


@dataclass(frozen=True, slots=True)
class ColumnLoss:
    """What one quasi-identifier lost.

    Attributes
    ----------
    name, kind : str
        The column.
    loss : Loss
        Its squared errors.
    bias : float or None
        The difference of the means, published less original, in standard deviations of the original; continuous
        columns only.
    variance_ratio : float or None
        The variance published over the original one; continuous columns that vary only.
    changed : float
        The share of the records whose value was changed.
    """

    name: str
    kind: str
    loss: Loss
    bias: float | None
    variance_ratio: float | None
    changed: float


def column_loss(original: Encoded, published: Encoded) -> ColumnLoss:
    """What a column lost, over the records that both have in the same order.

    Where the original value is missing, the record counts for nothing. Where only the published one is, it was
    withheld: that counts as if the average of all had been published.
    """
    known = ~original.missing
    if isinstance(original, Continuous) and isinstance(published, Continuous):
        return _continuous_loss(original, published, known)
    if not (isinstance(original, Categorical) and isinstance(published, Categorical)):
        raise TypeError("the original and the published column are of different kinds")
    return _categorical_loss(original, published, known)


def joint_loss(columns: Iterable[ColumnLoss]) -> Loss:
    """The loss over several columns together."""
    losses = [column.loss for column in columns]
    return Loss(sum(loss.sse for loss in losses), sum(loss.sst for loss in losses))


def spread(column: Encoded) -> float:
    """SST over the number of records where the column is known: 1 for a continuous one that varies."""
    known = ~column.missing
    if isinstance(column, Continuous):
        return 0.0 if column.standardised() is None else 1.0
    return _categorical_sst(column, column.codes[known]) / max(1, int(known.sum()))


def _continuous_loss(original: Continuous, published: Continuous, known: Mask) -> ColumnLoss:
    before = original.values[known]
    # Both as differences from the same origin, and on a scale where squares neither overflow nor vanish.
    after = published.values[known] + float(published.origin - original.origin)
    scale = float(np.max(np.abs(np.concatenate([before, after])), initial=0.0)) or 1.0
    before, after = before / scale, after / scale
    withheld = published.missing[known]
    if withheld.any():
        after[withheld] = before.mean()
    variance = _variance(before)
    name, kind = original.column.name, original.column.kind.value
    changed = float(np.mean((before != after) | withheld)) if before.size else 0.0
    if not variance:
        return ColumnLoss(name, kind, Loss(0.0, 0.0), 0.0, None, changed)
    sse = float(np.sum(np.square(before - after))) / variance
    bias = float(np.mean(after - before)) / variance**0.5
    return ColumnLoss(name, kind, Loss(sse, float(before.size)), bias, _variance(after) / variance, changed)


def _categorical_loss(original: Categorical, published: Categorical, known: Mask) -> ColumnLoss:
    before, after = original.codes[known], published.codes[known]
    after = np.where(after < 0, _centre(original, before), after)
    errors = int(np.count_nonzero(before != after))
    ranked = float(np.sum(np.square((before - after) / original.levels)))
    sse = float(errors) if original.column.kind is Kind.NOMINAL else ranked
    loss = Loss(sse, _categorical_sst(original, before))
    changed = int(np.count_nonzero(original.codes[known] != published.codes[known])) / max(1, before.size)
    return ColumnLoss(original.column.name, original.column.kind.value, loss, None, None, changed)


def _categorical_sst(column: Categorical, codes: Labels) -> float:
    """The errors if every record were given the mode of all, or the median."""
    frequencies = np.bincount(codes, minlength=column.levels)
    if column.column.kind is Kind.NOMINAL:
        return float(codes.size - frequencies.max(initial=0))
    ranks = np.arange(column.levels) - _centre(column, codes)
    return float(np.sum(frequencies * np.square(ranks / column.levels)))


def _centre(column: Categorical, codes: Labels) -> int:
    """The mode of all, or the median."""
    frequencies = np.bincount(codes, minlength=column.levels)
    if column.column.kind is Kind.NOMINAL:
        return int(np.argmax(frequencies))
    return int(np.argmax(2 * np.cumsum(frequencies) >= codes.size))


def _variance(values: Floats) -> float:
    if not values.size:
        return 0.0
    centred = values - values.mean()
    centred -= centred.mean()
    return float(np.mean(np.square(centred)))
