"""How numbers depend on each other, as published and as they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.matrix import Floats

CONSIDERED, SHOWN = 40, 8  # columns


@dataclass(frozen=True, slots=True, eq=False)
class Correlations:
    """Pearson's correlations of numeric columns, over the records that have both values.

    Attributes
    ----------
    names : tuple of str
        The columns.
    after : ndarray of shape (columns, columns)
        Of the published values; NaN where a column does not vary.
    before : ndarray or None
        Of the original ones, where they may be shown.
    of : int
        How many numeric columns there are, of which these are shown.
    """

    names: tuple[str, ...]
    after: Floats
    before: Floats | None
    of: int

    @property
    def change(self) -> Floats | None:
        """After less before."""
        return None if self.before is None else self.after - self.before

    @property
    def greatest(self) -> tuple[str, str, float, float] | None:
        """The pair of columns whose correlation changed most, what it was and what it is."""
        if self.before is None or self.change is None:
            return None
        change = np.abs(np.tril(self.change, -1))
        if not np.isfinite(change).any() or not np.nanmax(change):
            return None
        i, j = np.unravel_index(int(np.nanargmax(change)), change.shape)
        return self.names[j], self.names[i], float(self.before[i, j]), float(self.after[i, j])


def correlations(names: Sequence[str], after: Sequence[Floats], before: Sequence[Floats] | None) -> Correlations | None:
    """Correlations of the columns that have most to tell; none of fewer than two columns."""
    if len(names) < 2:
        return None
    most = min(len(names), CONSIDERED)
    published = matrix(after[:most])
    original = None if before is None else matrix(before[:most])
    telling = np.nan_to_num(np.abs(published if original is None else published - original))
    np.fill_diagonal(telling, 0.0)
    chosen = np.sort(np.argsort(-telling.max(axis=1), kind="stable")[:SHOWN])
    square = np.ix_(chosen, chosen)
    return Correlations(
        tuple(names[i] for i in chosen),
        published[square],
        None if original is None else original[square],
        len(names),
    )


def matrix(columns: Sequence[Floats]) -> Floats:
    """Pearson's correlation of each pair over the records that have both; NaN if one of them does not vary."""
    d = len(columns)
    found = np.eye(d)
    scaled = [_scaled(column) for column in columns]
    known = [np.isfinite(column) for column in scaled]
    for i in range(d):
        for j in range(i + 1):
            both = known[i] & known[j]
            found[i, j] = found[j, i] = _correlation(scaled[i][both], scaled[j][both])
    return found


def _scaled(column: Floats) -> Floats:
    """Numbers of at most 1 in size, whose squares neither overflow nor vanish."""
    finite = np.abs(column[np.isfinite(column)])
    greatest = float(finite.max(initial=0.0))
    return column / greatest if greatest else column


def _correlation(x: Floats, y: Floats) -> float:
    if x.size < 2 or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    x, y = x - x.mean(), y - y.mean()
    spread = float(np.sqrt(np.sum(x * x)) * np.sqrt(np.sum(y * y)))
    return max(-1.0, min(1.0, float(np.sum(x * y)) / spread)) if spread else float("nan")
