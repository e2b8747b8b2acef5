"""How numbers depend on each other, as published and as they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import InvalidInput
from covey.measures.moments import moments_kept
from covey.schema import Kind, Schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from covey.matrix import Floats, Rows
    from covey.schema import Column

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
        change = np.nan_to_num(np.abs(np.tril(self.change, -1)))
        i, j = np.unravel_index(int(np.argmax(change)), change.shape)
        if not change[i, j]:
            return None
        return self.names[j], self.names[i], float(self.before[i, j]), float(self.after[i, j])


def correlations(
    columns: Sequence[Column], released: pa.Table, original: Any = None, rows: Rows | None = None
) -> Correlations | None:
    """Correlations of the columns that have most to tell; none of fewer than two, or if they cannot be measured.

    Of quasi-identifiers and confidential columns that are continuous, in this order. Without the original table the
    release is measured beside itself.
    """
    numeric = [column for column in columns if column.kind is Kind.CONTINUOUS]
    if len(numeric) < 2:
        return None
    schema = Schema(tuple(numeric[:CONSIDERED]))
    try:
        kept = moments_kept(released if original is None else original, released, schema, rows=rows)
    except InvalidInput:
        return None
    before, after = _matrix(kept.correlations_before), _matrix(kept.correlations_after)
    telling = np.nan_to_num(np.abs(after if original is None else after - before))
    np.fill_diagonal(telling, 0.0)
    chosen = np.sort(np.argsort(-telling.max(axis=1), kind="stable")[:SHOWN])
    square = np.ix_(chosen, chosen)
    names = tuple(kept.columns[i] for i in chosen)
    return Correlations(names, after[square], None if original is None else before[square], len(numeric))


def _matrix(square: Sequence[Sequence[float | None]]) -> Floats:
    return np.array([[np.nan if value is None else value for value in row] for row in square])
