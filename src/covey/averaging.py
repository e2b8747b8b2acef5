"""Published columns: every value replaced by the average of its cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.aggregate import means, medians, modes
from covey.encoding import Continuous
from covey.schema import Kind

if TYPE_CHECKING:
    import pyarrow as pa

    from covey.encoding import Encoded
    from covey.matrix import Floats, Labels


def averaged_column(
    column: Encoded,
    labels: Labels,
    weights: Floats | None = None,
    *,
    convex: bool = False,
    preserve_variance: bool = False,
) -> pa.Array:
    """A column in which every value is replaced by the average of its cell; missing ones stay so.

    Parameters
    ----------
    column : Continuous or Categorical
        The records to publish.
    labels : ndarray of shape (n,)
        The cell of each, in any numbers.
    weights : ndarray of shape (n,), optional
        Positive weights of the records.
    convex : bool
        Average ordinal columns by the convex median.
    preserve_variance : bool
        Rescale a continuous column to its original variance, about its mean (both weighted, if weights are given):
        an affine map, which takes equal values to equal values and so keeps cells together.
    """
    known = ~column.missing
    _, cells = np.unique(labels[known], return_inverse=True)
    count = int(cells.max(initial=-1)) + 1
    masses = None if weights is None else weights[known]
    if isinstance(column, Continuous):
        averages = means(column.values[known], cells, count, masses)
        values = np.zeros(len(labels))
        values[known] = averages[cells]
        if preserve_variance:
            values[known] = _rescaled(values[known], column.values[known], masses)
        return column.decode(values, ~known)
    codes = np.zeros(len(labels), dtype=np.int64)
    if column.column.kind is Kind.NOMINAL:
        codes[known] = modes(column.codes[known], cells, count, column.levels, masses)[cells]
    else:
        codes[known] = medians(column.codes[known], cells, count, column.levels, masses, convex=convex)[cells]
    return column.decode(codes, ~known)


def _rescaled(values: Floats, original: Floats, weights: Floats | None) -> Floats:
    """x' = (x − m₁)·√(μ₂/m₂) + μ₁, with mean m₁ and variance m₂ of the values, and μ₁ and μ₂ of the original ones."""  # noqa: D403 (x' is no word)
    scale = float(np.max(np.abs(original), initial=0.0)) or 1.0
    m1, m2 = _moments(values / scale, weights)
    mu1, mu2 = _moments(original / scale, weights)
    if m2 == 0.0:
        return values
    with np.errstate(over="ignore"):  # infinities are counted, and refused, when they are decoded
        rescaled: Floats = ((values / scale - m1) * np.sqrt(mu2 / m2) + mu1) * scale
    return rescaled


def _moments(values: Floats, weights: Floats | None) -> tuple[float, float]:
    """Mean and variance."""
    mean = float(np.average(values, weights=weights))
    mean += float(np.average(values - mean, weights=weights))
    return mean, float(np.average(np.square(values - mean), weights=weights))
