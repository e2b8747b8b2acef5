"""Minimum-spanning-tree partitioning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import Matrix, OrdinalAverage, Space
from covey.partition.base import Partition

if TYPE_CHECKING:
    from covey.matrix import Labels
    from covey.partition.strata import Progress

SPLITS = {"md": _core.Split.md, "none": _core.Split.none}


class MST(Partition):
    """The minimum spanning tree of the records, cut at its longest edges.

    Edges are visited from the longest to the shortest (of edges of the same length the one with the lowest row first,
    then with the lowest partner), and each is cut that leaves k records or more on both sides. What stays connected
    is a cell; one of 2k records or more is split by MD. Cells are numbered by their lowest rows, those that MD makes
    of one in the order in which it makes them.

    Parameters
    ----------
    k : int
        The least number of records in a cell.
    split : {"md", "none"}
        "md" splits cells of 2k records or more (M-d in the paper); "none" leaves them as large as they are.
    ordinal_average : {"median", "convex"}
        The average of ordinal columns.

    Notes
    -----
    *Guarantee*: every cell holds at least k records.
    Reference: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for microaggregation";
    docs/methods/mst.md.
    """

    def __init__(
        self, k: int = 5, split: Literal["md", "none"] = "md", ordinal_average: OrdinalAverage = "median"
    ) -> None:
        self.k = k
        self.split = split
        self.ordinal_average = ordinal_average

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not isinstance(self.split, str) or self.split not in SPLITS:
            raise InvalidInput(f"unknown split: expected one of {', '.join(SPLITS)}")

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        space = Space.of(matrix, self.ordinal_average)
        split, search = SPLITS[self.split], _core.Search.automatic
        return _core.mst(space.values, space.averages, space.levels, self.k, split, search, progress)
