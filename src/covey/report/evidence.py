"""What a report shows, gathered: from a release and its recipe, and from the original records where they may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from covey.errors import InvalidInput
from covey.frames import arrow_table, read_frame
from covey.measures.anonymity import combination_labels
from covey.recipe import is_input, schema_of
from covey.report.assessment import Risks, assess
from covey.report.checks import check_original, check_release, check_sizes
from covey.report.columns import Numbers, shown
from covey.report.correlations import Correlations, correlations
from covey.report.recount import stated_again

if TYPE_CHECKING:
    import pyarrow as pa

    from covey.frames import Frame
    from covey.matrix import Labels, Rows
    from covey.report.columns import Shown
    from covey.schema import Column, Schema

PICTURED = 24  # columns whose distribution is drawn


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """All that the sections of a report read.

    Attributes
    ----------
    document : dict
        Recipe, statement, measures and notes of the release, as plain JSON values.
    statement : dict
        What the release guarantees, counted and said again.
    schema : Schema
        What each column of the input was.
    table : pyarrow.Table
        The release.
    internal : bool
        Whether anything here was seen in the original records.
    columns : tuple of Shown
        The quasi-identifiers, those that lost most first.
    losses : tuple of dict
        What each of them lost, as `measures` tells it, in the same order.
    cells : ndarray of shape (n,)
        A number for each published combination of quasi-identifiers.
    sizes : ndarray
        How many records share each.
    correlations : Correlations or None
        Of numeric columns, where there are two.
    risks : Risks
        What diversity and linkage say.
    scatter : tuple of str
        The columns to draw against each other.
    tradeoff : Tradeoff or None
        A sweep.
    doubts : tuple of str
        What is to be noted of what was given.
    """

    document: dict[str, Any]
    statement: dict[str, Any]
    schema: Schema
    table: pa.Table
    internal: bool
    columns: tuple[Shown, ...]
    losses: tuple[dict[str, Any], ...]
    cells: Labels
    sizes: Labels
    correlations: Correlations | None
    risks: Risks
    scatter: tuple[str, ...]
    tradeoff: Any
    doubts: tuple[str, ...]

    @property
    def recipe(self) -> dict[str, Any]:
        """How the release was made."""
        return dict(self.document["recipe"])

    @property
    def measures(self) -> dict[str, Any]:
        """What was lost."""
        return dict(self.document["measures"])

    @property
    def k(self) -> int:
        """The least number of records that share their quasi-identifiers."""
        return int(self.statement["k"])

    @property
    def jointly(self) -> bool:
        """Whether k holds for the quasi-identifiers together."""
        return bool(self.statement.get("jointly", True))

    @property
    def unit(self) -> str:
        """What k holds for alone, where it does not hold jointly."""
        return "block of columns" if self.recipe.get("column_blocks") else "column"

    def column(self, name: str) -> Shown:
        """A quasi-identifier."""
        return next(column for column in self.columns if column.name == name)


def gather(
    table: Any,
    document: dict[str, Any],
    original: Any = None,
    rows: Rows | None = None,
    *,
    scatter: tuple[str, ...] | None = None,
    tradeoff: Any = None,
) -> Evidence:
    """All that a report shows; with the original table, whose records `rows` were published, all of an internal one.

    Raises
    ------
    InvalidInput
        Release, recipe and original table are not of each other.
    """
    schema = schema_of(document["recipe"])
    frame = read_frame(table)
    released = arrow_table(frame)
    check_release(frame, document, schema)
    cells = combination_labels(released, [column.name for column in schema.quasi])
    sizes = np.bincount(cells).astype(np.int64)
    check_sizes(released, document, sizes)
    before, whole, doubts = None, None, []
    if original is not None:
        whole = read_frame(original)
        before = check_original(whole, document, schema, released, rows)
        doubts = _doubts(whole, document)
    columns, losses = _columns(document, schema, released, before)
    return Evidence(
        document=document,
        statement=stated_again(frame, document, schema, cells),
        schema=schema,
        table=released,
        internal=original is not None,
        columns=columns,
        losses=losses,
        cells=cells,
        sizes=sizes,
        correlations=correlations(
            [*(column.column for column in columns), *schema.confidential],
            released,
            None if whole is None else nw.to_native(whole),
            rows,
        ),
        risks=assess(schema, released, whole, rows, document["recipe"].get("column_blocks") or ()),
        scatter=_scatter(columns, scatter),
        tradeoff=tradeoff,
        doubts=tuple(doubts),
    )


def _doubts(original: Frame, document: dict[str, Any]) -> list[str]:
    if is_input(original, document["recipe"]):
        return []
    return [
        (
            "the original table given is not, value by value, the input that the recipe names: its digest differs. It"
            " may have been read in another way, or it may be another table"
        )
    ]


def _columns(
    document: dict[str, Any], schema: Schema, released: pa.Table, before: pa.Table | None
) -> tuple[tuple[Shown, ...], tuple[dict[str, Any], ...]]:
    """The quasi-identifiers and their losses, those that lost most first; strata, which lost nothing, last."""
    told = {loss["name"]: loss for loss in document["measures"]["columns"]}
    order = sorted(schema.quasi, key=lambda column: -float(told.get(column.name, {}).get("distortion", -1.0)))
    columns = [
        shown(column, released.column(column.name), None if before is None else before.column(column.name))
        for column in order
    ]
    return tuple(columns), tuple(told.get(column.name, _unchanged(column)) for column in order)


def _unchanged(column: Column) -> dict[str, Any]:
    """What a quasi-identifier lost that was published as it is."""
    plain = {"name": column.name, "kind": column.kind.value, "distortion": 0.0, "changed": 0.0}
    return {**plain, "bias": None, "variance_ratio": None}


def _scatter(columns: tuple[Shown, ...], asked: tuple[str, ...] | None) -> tuple[str, ...]:
    """The two columns to draw: those asked for, or the continuous ones that lost most; fewer if there are not two."""
    if asked is None:
        first = sorted(columns, key=lambda column: not isinstance(column, Numbers))[:2]
        return tuple(column.name for column in first)
    known = [column.name for column in columns]
    unknown = [name for name in asked if name not in known]
    if len(asked) != 2 or asked[0] == asked[1]:
        raise InvalidInput("scatter takes the names of two quasi-identifiers")
    if unknown:
        raise InvalidInput(f"scatter shows two quasi-identifiers, which {', '.join(map(repr, unknown))} is not")
    return tuple(asked)
