"""What a release lost, at a glance."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covey.measures.prediction import Predictability
    from covey.measures.utility import ColumnLoss, Loss


@dataclass(frozen=True, slots=True)
class Measures:
    """What a release lost, at a glance.

    Attributes
    ----------
    records, withheld : int
        Records published, and records of the input that are not.
    cells, smallest_cell, largest_cell : int
        Groups of records published alike, as counted on the output.
    loss : Loss
        Over all quasi-identifiers; `loss.distortion` is D.
    columns : tuple of ColumnLoss
        Each quasi-identifier's own.
    predictability : Predictability or None
        How badly cells predict the confidential columns, where dependence was asked for and cells are joint (of column
        blocks most combinations are few records, which tell themselves); its `loss` is D_Y.
    """

    records: int
    withheld: int
    cells: int
    smallest_cell: int
    largest_cell: int
    loss: Loss
    columns: tuple[ColumnLoss, ...]
    predictability: Predictability | None = None

    @property
    def distortion(self) -> float:
        """D, the share of the quasi-identifiers' variance that was lost."""
        return self.loss.distortion

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        columns = [column_plain(column) for column in self.columns]
        plain = asdict(self)
        del plain["loss"], plain["columns"], plain["predictability"]
        lost = {} if self.predictability is None else {"predictability": self.predictability.to_dict()}
        return {
            **plain,
            "sse": self.loss.sse,
            "sst": self.loss.sst,
            "distortion": self.distortion,
            "columns": columns,
            **lost,
        }


def column_plain(column: ColumnLoss) -> dict[str, Any]:
    """What one column lost, for JSON."""
    return {
        "name": column.name,
        "kind": column.kind,
        "sse": column.loss.sse,
        "sst": column.loss.sst,
        "distortion": column.loss.distortion,
        "bias": column.bias,
        "variance_ratio": column.variance_ratio,
        "changed": column.changed,
    }
