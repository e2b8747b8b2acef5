"""What the measures of risk say of a release, each where it can be taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidInput
from covey.measures.confidential import average_diversity, diversity, exposed_cells
from covey.schema import Kind, Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from covey.matrix import Rows
    from covey.measures.confidential import Diversity, ExposedCell
    from covey.schema import Column

EXPOSED = 10


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
    intervals : tuple of (str, float)
        For each column, the share of the records whose original value is near the published one.
    interval_words : str
        How near that is.
    unmeasured : tuple of (str, str)
        What could not be measured, and why.
    """

    diversities: tuple[Diversity, ...]
    average_diversity: float | None
    exposed: tuple[ExposedCell, ...]
    linkage: Any
    intervals: tuple[tuple[str, float], ...]
    interval_words: str
    unmeasured: tuple[tuple[str, str], ...]


def assess(schema: Schema, released: pa.Table, original: Any, rows: Rows | None) -> Risks:
    """What can be measured; with the original table, links to it, too."""
    usable, diversities = _diversities(schema, released)
    names = [found.name for found in diversities]
    return Risks(
        diversities=diversities,
        average_diversity=average_diversity(released, usable, sensitive=names) if names else None,
        exposed=exposed_cells(released, usable, sensitive=names, most=EXPOSED) if names else (),
        linkage=None,
        intervals=(),
        interval_words="",
        unmeasured=(),
    )


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
