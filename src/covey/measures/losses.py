"""D of any release beside the table it came from, whatever made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.measures.pairs import pair
from covey.measures.summary import column_plain
from covey.measures.utility import ColumnLoss, Loss, column_loss, joint_loss

if TYPE_CHECKING:
    from covey.schema import Schema


@dataclass(frozen=True, slots=True)
class Distortion:
    """What the quasi-identifiers of a release lost.

    Attributes
    ----------
    loss : Loss
        Over all of them: `sse`, `sst` and `distortion`, which is D = SSE/SST.
    columns : tuple of ColumnLoss
        Each one's own.
    """

    loss: Loss
    columns: tuple[ColumnLoss, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        plain = {"sse": self.loss.sse, "sst": self.loss.sst, "distortion": self.loss.distortion}
        return {**plain, "columns": [column_plain(column) for column in self.columns]}


def distortion(original: Any, release: Any, schema: Schema, *, rows: Any = None) -> Distortion:
    """What the quasi-identifiers of a release lost, each and together: SSE, SST and D = SSE/SST.

    Of standardised values of continuous columns, of ranks over their number of ordinal ones, of 0 or 1 of nominal ones.
    Where the original value is missing it counts for nothing; where only the released one is, as if the average of all
    (mean, median or mode) had been released: a column that is withheld throughout has D = 1. A constant column loses
    nothing. Time: O(n log n) a column.

    Parameters
    ----------
    original, release : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The input, and what was released of it.
    schema : Schema
        What each column is.
    rows : array-like of int, optional
        The record of the input that each released record was, as `Release.rows` holds it. Without it the release has
        all records in the order of the input.

    Raises
    ------
    InvalidInput
        The tables do not correspond.

    References
    ----------
    docs/methods/mdav.md; D as in section III.A of D. Rebollo-Monedero et al., "k-Anonymous microaggregation with
    preservation of statistical dependence", Information Sciences 342, 2016.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> original = pa.table({"age": [20.0, 30.0, 60.0, 70.0]})
    >>> release = pa.table({"age": [25.0, 25.0, 65.0, 65.0]})
    >>> round(covey.distortion(original, release, covey.Schema.of(["age"])).loss.distortion, 4)
    0.0588
    """
    pairs = pair(original, release, schema, rows)
    places = np.argsort(pairs.rows)  # in the order of the input, so that not even last digits depend on the shuffle
    losses = tuple(
        column_loss(before.take(places), after.take(places))
        for before, after in zip(pairs.original, pairs.released, strict=True)
    )
    return Distortion(joint_loss(losses), losses)
