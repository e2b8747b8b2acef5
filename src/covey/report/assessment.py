"""What the measures of risk say of a release, each where it can be taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import narwhals as nw

from covey.errors import InvalidInput
from covey.measures import combination_sizes
from covey.measures.confidential import average_diversity, diversity, exposed_cells
from covey.measures.intervals import interval_disclosure
from covey.measures.linkage import linkage
from covey.schema import Kind, Schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from covey.frames import Frame
    from covey.matrix import Rows
    from covey.measures.confidential import Diversity, ExposedCell
    from covey.measures.intervals import IntervalDisclosure
    from covey.measures.linkage import Linkage
    from covey.schema import Column

EXPOSED = 10  # cells
WIDE, MOST_PAIRS = 14, 4e9  # columns above which all pairs are compared, and how many of them at most


@dataclass(frozen=True, slots=True, eq=False)
class Risks:
    """Diversity of the release and, of an internal report, links to the original.

    Attributes
    ----------
    diversities : tuple of Diversity
        One for each confidential column whose values can be compared.
    average_diversity : float or None
        ℓ_avg.
    exposed : tuple of ExposedCell
        The least diverse cells.
    linkage : Linkage or None
        How many records lead back to their original.
    intervals : IntervalDisclosure or None
        How many original values lie near the published one.
    unlinked : str
        Why links were not measured, if they were to be.
    """

    diversities: tuple[Diversity, ...]
    average_diversity: float | None
    exposed: tuple[ExposedCell, ...]
    linkage: Linkage | None
    intervals: IntervalDisclosure | None
    unlinked: str


def assess(
    schema: Schema, released: pa.Table, original: Frame | None, rows: Rows | None, blocks: Sequence[Sequence[str]]
) -> Risks:
    """What can be measured; with the original table, links to it, too, jointly and by each of the blocks."""
    usable, diversities = _diversities(schema, released)
    names = [found.name for found in diversities]
    links, near, reason = None, None, ""
    if original is not None:
        links, reason = _linkage(original, released, schema, rows, blocks)
        near = _intervals(original, released, schema, rows)
    return Risks(
        diversities=diversities,
        average_diversity=average_diversity(released, usable, sensitive=names) if names else None,
        exposed=exposed_cells(released, usable, sensitive=names, most=EXPOSED) if names else (),
        linkage=links,
        intervals=near,
        unlinked=reason,
    )


def _linkage(
    original: Frame,
    released: pa.Table,
    schema: Schema,
    rows: Rows | None,
    blocks: Sequence[Sequence[str]],
) -> tuple[Linkage | None, str]:
    """Links to the original records, if they can be found in reasonable time; why not, if they cannot."""
    names = [column.name for column in schema.quasi]
    work = len(combination_sizes(released, names)) * len(original)
    if len(names) > WIDE and work > MOST_PAIRS:
        reason = f"{len(names)} columns are too many to compare so many records; covey.linkage measures it all the same"
        return None, reason
    try:
        return linkage(nw.to_native(original), released, schema, rows=rows, blocks=blocks or None), ""
    except InvalidInput as error:
        return None, str(error)


def _intervals(original: Frame, released: pa.Table, schema: Schema, rows: Rows | None) -> IntervalDisclosure | None:
    try:
        return interval_disclosure(nw.to_native(original), released, schema, rows=rows)
    except InvalidInput:
        return None


def _diversities(schema: Schema, released: pa.Table) -> tuple[Schema, tuple[Diversity, ...]]:
    """The diversity of each confidential column, and the schema by which it could be measured.

    A recipe tells no categories of confidential columns, so an ordinal one whose type has no order is measured as a
    nominal one; one whose values cannot be compared at all is left out.
    """
    found, columns = [], {column.name: column for column in schema.columns}
    for column in schema.confidential:
        for kind in dict.fromkeys((column.kind, Kind.NOMINAL)):
            columns[column.name] = replace(column, kind=kind, decimals=None)
            measured = _measured(Schema(tuple(columns.values())), released, column)
            if measured:
                found.append(measured[0])
                break
    return Schema(tuple(columns.values())), tuple(found)


def _measured(schema: Schema, released: pa.Table, column: Column) -> tuple[Diversity, ...]:
    try:
        return diversity(released, schema, sensitive=column.name)
    except InvalidInput:
        return ()
