"""How well the cells of a release predict its confidential columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.aggregate import means
from covey.encoding import Continuous, encode
from covey.errors import InvalidInput
from covey.frames import read_frame
from covey.measures.counts import CellCounts
from covey.measures.values import cell_labels, check_names
from covey.schema import Kind, Schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.matrix import Floats, Labels


@dataclass(frozen=True, slots=True)
class Prediction:
    """How badly the cells predict one confidential column.

    Attributes
    ----------
    name, kind : str
        The column.
    loss : float
        D_Y of the column: SSE/SST about the means of cells, of numbers or ranks; P(Y ≠ Ŷ) of a nominal column, where Ŷ
        is the mode of the cell. None for a constant column.
    """

    name: str
    kind: str
    loss: float | None


@dataclass(frozen=True, slots=True)
class Predictability:
    """How badly the cells predict the confidential columns.

    Attributes
    ----------
    loss : float
        D_Y: the mean over the columns that vary; 0 if every record is predicted exactly.
    columns : tuple of Prediction
        Each column's own.
    """

    loss: float
    columns: tuple[Prediction, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"loss": self.loss, "columns": [{"name": x.name, "kind": x.kind, "loss": x.loss} for x in self.columns]}


def predictability(table: Any, schema: Schema) -> Predictability:
    """D_Y, the predictability loss of the confidential columns of a released table.

    The cells are the combinations of the published quasi-identifiers. Missing numbers count for nothing, a missing
    category as one more category. Time: O(n log n) a column.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The release.
    schema : Schema
        What its columns are.

    Raises
    ------
    InvalidInput
        The schema has no confidential column, or does not fit the table.

    References
    ----------
    docs/methods/dependence.md.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30, 30, 60, 60], "income": [1.0, 3.0, 7.0, 9.0]})
    >>> schema = covey.Schema.of(["age"], confidential=["income"], continuous=["income"])
    >>> covey.predictability(table, schema).loss
    0.1
    """
    if isinstance(schema, Schema) and not schema.confidential:
        raise InvalidInput("the schema has no confidential column: there is nothing to predict")
    frame = read_frame(table)
    check_names(frame, schema, None)
    return predictability_of(encode(frame, schema.confidential), cell_labels(frame, schema))


def predictability_of(confidential: Sequence[Encoded], labels: Labels) -> Predictability:
    """The same from encoded columns and the cell of each record, from 0."""
    found = tuple(Prediction(x.column.name, x.column.kind.value, prediction_loss(x, labels)) for x in confidential)
    losses = [prediction.loss for prediction in found if prediction.loss is not None]
    return Predictability(float(np.mean(losses)) if losses else 0.0, found)


def prediction_loss(part: Encoded, labels: Labels) -> float | None:
    """D_Y of one column; None if it is constant."""
    if part.column.kind is Kind.NOMINAL:
        codes = np.unique(part.codes, return_inverse=True)[1]  # type: ignore[union-attr]  # continuous ones are not nominal
        return _misses(labels, codes) if codes.max(initial=0) else None
    known = ~part.missing
    values = part.standardised() if isinstance(part, Continuous) else part.codes.astype(np.float64)
    if values is None or not known.any():
        return None
    return _squares(values[known], np.unique(labels[known], return_inverse=True)[1])


def _misses(labels: Labels, codes: Labels) -> float:
    """The share of records that have not the most frequent value of their cell."""
    counts = CellCounts.of(labels, codes)
    most = np.zeros(counts.cells, dtype=np.int64)
    np.maximum.at(most, counts.cell, counts.count)
    return 1.0 - float(most.sum()) / len(labels)


def _squares(values: Floats, labels: Labels) -> float | None:
    """SSE/SST about the means of cells."""
    total = float(np.sum(np.square(values - values.mean())))
    if not total:
        return None
    centres = means(values, labels, int(labels.max()) + 1)
    return float(np.sum(np.square(values - centres[labels]))) / total
