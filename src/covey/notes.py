"""What the publisher of a release should know of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.encoding import Continuous
from covey.partition.individual_ranking import IndividualRanking
from covey.words import columns, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.enforcement import Enforced
    from covey.measures import ColumnLoss
    from covey.methods import Method


def release_notes(
    originals: Sequence[Encoded],
    losses: Sequence[ColumnLoss],
    published: int,
    estimator: Method,
    *,
    preserve_variance: bool,
) -> list[str]:
    k = int(estimator.k)
    notes = []
    constant = [loss.name for loss in losses if not loss.loss.sst]
    if constant:
        notes.append(
            f"{columns(constant)} {verb(constant, 'holds', 'hold')} a single value: kept, of no weight in the distances"
        )
    flat = [loss.name for loss in losses if loss.variance_ratio == 0.0]
    if flat and preserve_variance:
        notes.append(f"{columns(flat)} {verb(flat, 'has', 'have')} a single published value: no variance to rescale")
    if published < 2 * k:
        notes.append(f"{published} records are fewer than 2k: they form one cell, and all share the same values")
    whole = [
        part.column.name
        for part in originals
        if isinstance(part, Continuous)
        and part.whole
        and part.column.decimals is None
        and part.column.name not in constant
    ]
    if whole:
        notes.append(
            f"{columns(whole)} {verb(whole, 'holds', 'hold')} whole numbers or dates, so the means are rounded to such;"
            " decimals are published on request"
        )
    if getattr(estimator, "interrupted_", False):
        notes.append("the refinement was stopped before its time: these are the best cells up to then")
    if isinstance(estimator, IndividualRanking):
        notes.append("each column was treated alone: jointly the table is not k-anonymous")
    return notes


def mended_note(enforced: Enforced, before: float, after: float, cells: int) -> str:
    """What the criteria cost; the cells that the table shows are fewer where some are published alike."""
    if not enforced.failing and enforced.unchanged:
        return "the criteria asked for hold without a change of the cells"
    alike = "" if cells == enforced.after else f", of which some are published alike, so that {cells} differ"
    return (
        f"{enforced.failing} of {enforced.before} cells fell short of the criteria asked for, and there are"
        f" {enforced.after} cells now{alike}: D is {after:.4f}, and without the criteria it would be {before:.4f}"
    )
