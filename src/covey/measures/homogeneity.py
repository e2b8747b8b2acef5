"""Whether whoever finds a person's cell learns a confidential value: counted on every release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.arrays import combined
from covey.encoding import is_comparable
from covey.frames import value_codes
from covey.measures.counts import CellCounts

if TYPE_CHECKING:
    import pyarrow as pa

    from covey.matrix import Labels
    from covey.schema import Schema


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """How many different values of one confidential column the cells have.

    Attributes
    ----------
    column : str
        Its name.
    distinct : int
        The least number of different values in a cell, a missing one among them.
    homogeneous_cells, homogeneous_records : int
        The cells all of whose records have the same value, and how many records these are.
    """

    column: str
    distinct: int
    homogeneous_cells: int
    homogeneous_records: int

    def to_dict(self) -> dict[str, Any]:
        """For the statement of a release, in words too."""
        return {
            "column": self.column,
            "distinct": self.distinct,
            "homogeneous_cells": self.homogeneous_cells,
            "homogeneous_records": self.homogeneous_records,
            "says": self.says,
        }

    @property
    def says(self) -> str:
        """What it means."""
        if not self.homogeneous_cells:
            return f"Every cell has at least {self.distinct} different values of {self.column}."
        cells = "1 cell" if self.homogeneous_cells == 1 else f"{self.homogeneous_cells} cells"
        return (
            f"In {cells} all records have the same value of {self.column}: whoever finds a person there learns it"
            f" ({self.homogeneous_records} records)."
        )


def homogeneity(table: pa.Table, labels: Labels, schema: Schema) -> tuple[Homogeneity, ...]:
    """One for each confidential column whose values can be told apart; `labels` numbers the cells from 0.

    Time: O(n log n) a column.
    """
    return tuple(
        _homogeneity(column.name, CellCounts.of(labels, value_codes(array)))
        for column in schema.confidential
        if is_comparable((array := combined(table.column(column.name))).type)
    )


def _homogeneity(name: str, counts: CellCounts) -> Homogeneity:
    alike = counts.distinct == 1
    return Homogeneity(name, int(counts.distinct.min()), int(np.count_nonzero(alike)), int(counts.sizes[alike].sum()))
