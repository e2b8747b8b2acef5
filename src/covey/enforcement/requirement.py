"""A criterion, and the values of the confidential column that it is asked of."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from covey import _core
from covey.criteria import Close, Criterion, Demand, Diverse, PSensitive
from covey.encoding import Continuous, encode_column, is_plain, is_text, require_comparable
from covey.errors import InvalidInput
from covey.frames import arrow_column, value_codes
from covey.measures.counts import CellCounts
from covey.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.frames import Frame
    from covey.groups import Groups
    from covey.matrix import Floats, Labels, Rows
    from covey.measures.diversity import Ground
    from covey.schema import Column, Schema


@dataclass(frozen=True, slots=True, eq=False)
class Requirement:
    """A criterion, and the value of each published record.

    Attributes
    ----------
    demand : Demand
        The criterion, its ground distance known, and the column.
    codes : ndarray of shape (n,)
        The value of each record of the table, in the order of the values if there is one; −1 if it is not published.
    levels : int
        The number of values.
    values : ndarray of shape (levels,) or None
        What they stand for, for the numeric ground distance.
    overall : ndarray of shape (levels,)
        How many published records have each value.
    reached, under, places : ndarray of shape (levels,)
        For closeness in an order: the distribution function of the published records, the area under it, and the values
        on a line from 0 to 1.
    """

    demand: Demand
    codes: Labels
    levels: int
    values: Floats | None
    overall: Labels
    reached: Floats
    under: Floats
    places: Floats

    @property
    def criterion(self) -> Criterion:
        """What is asked."""
        return self.demand.criterion

    def attained(self, labels: Labels, rows: Rows) -> Floats | Labels:
        """Of each cell of some records, what the criterion looks at."""
        counts = CellCounts.of(labels, self.codes[rows], levels=self.levels)
        return self.criterion.attained(counts, self.values, self.overall)

    def shortfall(self, rows: Rows) -> _core.Shortfall:
        """How far cells of some records are from meeting it."""
        criterion, codes = self.criterion, self.codes[rows]
        if isinstance(criterion, PSensitive):
            return _core.distinct(codes, self.levels, criterion.p)
        if isinstance(criterion, Diverse):
            if criterion.kind == "distinct":
                return _core.distinct(codes, self.levels, criterion.l)
            if criterion.c is None:
                return _core.entropy(codes, self.levels, criterion.l)
            return _core.recursive(codes, self.levels, criterion.c, int(criterion.l))
        if criterion.ground == "equal":
            return _core.equal(codes, criterion.t, self.overall / self.overall.sum())
        return _core.ordered(codes, criterion.t, self.reached, self.under, self.places)


def require(frame: Frame, schema: Schema, demands: Sequence[Demand], groups: Groups | None = None) -> list[Requirement]:
    """What is asked of the records of some groups, or of all that the table has.

    Raises
    ------
    InvalidInput
        A column cannot be compared, or not in the way that is asked for.
    """
    published = np.arange(len(frame)) if groups is None else np.sort(np.concatenate(groups.rows))
    return [_requirement(frame, schema, demand, published) for demand in demands]


def _requirement(frame: Frame, schema: Schema, demand: Demand, rows: Rows) -> Requirement:
    if isinstance(demand.criterion, Close):
        ground = demand.criterion.ground or GROUND_OF[schema[demand.column].kind]
        if ground == "equal" and demand.criterion.method == "first":
            raise InvalidInput(
                f"t-closeness first goes by the order of the values, and column {demand.column!r} is nominal:"
                " declare it ordinal or continuous, or leave the method out"
            )
        demand = replace(demand, criterion=replace(demand.criterion, ground=ground))
        if ground != "equal":
            return _in_order(frame, schema, demand, rows)
    column = arrow_column(frame, demand.column)
    if not pa.types.is_null(column.type):
        require_comparable(column, demand.column)
    _, found = np.unique(value_codes(column)[rows], return_inverse=True)
    return _of(demand, (len(frame), rows), found, int(found.max()) + 1, None)


def _of(demand: Demand, published: tuple[int, Rows], found: Labels, levels: int, values: Floats | None) -> Requirement:
    n, rows = published
    codes = np.full(n, -1, dtype=np.int64)
    codes[rows] = found
    overall = np.bincount(found, minlength=levels).astype(np.int64)
    reached = np.cumsum(overall) / overall.sum()
    places = np.arange(levels, dtype=np.float64)
    if values is not None and isinstance(demand.criterion, Close) and demand.criterion.ground == "numeric":
        places = values / 2 - values[0] / 2  # the difference of huge ones could overflow
    places = places / (places[-1] or 1.0)
    under = np.concatenate([[0.0], np.cumsum(reached[:-1] * np.diff(places))])
    return Requirement(demand, codes, levels, values, overall, reached, under, places)


def _in_order(frame: Frame, schema: Schema, demand: Demand, rows: Rows) -> Requirement:
    """Codes in the order of the values; none may be missing, for which there is no place."""
    name = demand.column
    part = encode_column(frame, _as_ordered(frame, schema, name))
    missing = int(part.missing[rows].sum())
    if missing:
        raise InvalidInput(
            f"column {name!r} misses {missing} values, which have no place in an order: ask for t-closeness with the"
            " ground distance equal, where missing is a value of its own"
        )
    if isinstance(part, Continuous):
        values, found = np.unique(part.values[rows], return_inverse=True)
        return _of(demand, (len(frame), rows), found, len(values), values)
    if isinstance(demand.criterion, Close) and demand.criterion.ground == "numeric":
        raise InvalidInput(f"column {name!r} holds categories, which have no numeric distance: ask for ground ordered")
    used, found = np.unique(part.codes[rows], return_inverse=True)
    return _of(demand, (len(frame), rows), found, len(used), None)


GROUND_OF: dict[Kind, Ground] = {Kind.CONTINUOUS: "numeric", Kind.ORDINAL: "ordered", Kind.NOMINAL: "equal"}


def _as_ordered(frame: Frame, schema: Schema, name: str) -> Column:
    """The column as one whose values have an order: of numbers, whatever the schema leaves open, their own."""
    column = schema[name]
    if column.kind is not Kind.NOMINAL:
        return column
    kind = arrow_column(frame, name).type
    if column.categories or not (is_plain(kind) and not is_text(kind) and not pa.types.is_boolean(kind)):
        raise InvalidInput(
            f"column {name!r} is nominal, so its values have no order: declare it ordinal, or ask for ground equal"
        )
    return replace(column, kind=Kind.CONTINUOUS)
