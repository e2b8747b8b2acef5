"""How the cells of a release are formed: jointly or by blocks of columns, and mended if criteria are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.column_blocks import partition_blocks
from covey.enforcement import enforce, refuse_infeasible
from covey.groups import partition_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.column_blocks import ColumnBlocks
    from covey.dependence import Extension
    from covey.encoding import Encoded
    from covey.enforcement import Enforced, Requirement
    from covey.groups import Groups
    from covey.matrix import Labels
    from covey.methods import Method
    from covey.partition.strata import Progress


@dataclass(frozen=True, slots=True, eq=False)
class Formed:
    """Cells.

    Attributes
    ----------
    labels : ndarray
        The cell of each record, −1 where it is withheld; a column for each quasi-identifier if each has its own.
    plain : ndarray
        The same before they were mended.
    enforced : Enforced or None
        What mending them did, if criteria were asked for.
    """

    labels: Labels
    plain: Labels
    enforced: Enforced | None = None


def form_cells(
    estimator: Method,
    originals: Sequence[Encoded],
    groups: Groups,
    *,
    blocks: ColumnBlocks = (),
    extension: Extension | None = None,
    requirements: Sequence[Requirement] = (),
    progress: Progress | None = None,
) -> Formed:
    """The cells of each record, by its quasi-identifiers and what extends them, mended until they meet what is asked.

    Raises
    ------
    InvalidInput
        Not even one cell of a whole group would meet it.
    """
    refuse_infeasible(requirements, groups)
    if blocks:
        labels = partition_blocks(estimator, originals, groups, extension, blocks=blocks, progress=progress)
    else:
        labels = partition_groups(estimator, originals, groups, progress, extension)
    if not requirements:
        return Formed(labels, labels)
    enforced = enforce(
        labels, originals, groups, int(estimator.k), requirements, extension=extension, progress=progress
    )
    return Formed(enforced.labels, labels, enforced)
