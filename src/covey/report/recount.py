"""What the recipe of a release says that it guarantees, counted again on the released table and said again."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.criteria import Close, demand_of
from covey.enforcement import require
from covey.errors import InvalidInput
from covey.report.checks import NUMBER, SAME, misfits
from covey.report.page import shortened
from covey.schema import Kind, Role
from covey.statement import blockwise_statement, columnwise_statement, joint_statement, with_criteria

if TYPE_CHECKING:
    from covey.criteria import Demand
    from covey.frames import Frame
    from covey.matrix import Labels
    from covey.schema import Schema

NO_CRITERION = "the recipe is not one that covey anonymize --recipe wrote: it has something else among the criteria"


def stated_again(frame: Frame, document: dict[str, Any], schema: Schema, cells: Labels) -> dict[str, Any]:
    """The statement in covey's own words on what is counted, whatever words the recipe has.

    Its sizes have been counted again already. Criteria are, here; each of `also` tells by `counted` whether it was.

    Raises
    ------
    InvalidInput
        A criterion does not hold, or is attained otherwise than is told.
    """
    told = document["statement"]
    k, smallest, held = int(told["k"]), int(told["smallest_cell"]), told["holds_for"]
    rarest = int(np.bincount(cells).min())
    if told.get("jointly", True):
        plain = joint_statement(k, held, smallest)
    elif any(isinstance(names, list) for names in held):
        plain = blockwise_statement(k, held, smallest, rarest)
    else:
        plain = columnwise_statement(k, held, smallest, rarest)
    also = [_again(frame, schema, entry, cells) for entry in told.get("also") or []]
    return with_criteria(plain, also)


def _again(frame: Frame, schema: Schema, told: dict[str, Any], cells: Labels) -> dict[str, Any]:
    """A criterion, counted again if the recipe tells enough for that."""
    try:
        demand = demand_of(told)
    except InvalidInput:
        raise InvalidInput(NO_CRITERION) from None
    attained: Any = told.get("attained")
    asked, column = demand.criterion.asked, demand.column
    known = column in schema and schema[column].role is Role.CONFIDENTIAL
    if not known or misfits(attained, NUMBER, "attained"):
        raise InvalidInput(NO_CRITERION)
    counted = _is_countable(schema, demand)
    if counted:
        attained = _attained(frame, schema, demand, cells, float(attained))
    says = demand.criterion.says(shortened(column), attained)
    return {**demand.to_dict(), "asked": asked, "attained": attained, "says": says, "counted": counted}


def _is_countable(schema: Schema, demand: Demand) -> bool:
    """Whether the recipe tells enough: the order of the categories of confidential columns it does not tell."""
    in_order = isinstance(demand.criterion, Close) and demand.criterion.ground == "ordered"
    return not (in_order and schema[demand.column].kind is Kind.ORDINAL)


def _attained(frame: Frame, schema: Schema, demand: Demand, cells: Labels, told: float) -> float:
    criterion, column = demand.criterion, demand.column
    try:
        requirement = require(frame, schema, [demand])[0]
    except InvalidInput as error:
        raise InvalidInput(f"the recipe is not of this release: {error}") from None
    attained = requirement.attained(cells, np.arange(len(cells)))
    short = int(np.count_nonzero(~criterion.meets(attained)))
    if short:
        raise InvalidInput(
            f"the release does not hold {criterion.request()} of column {column!r}: {short:,} of its cells do not meet"
            " it"
        )
    worst = criterion.worst(attained)
    if not math.isclose(worst, told, rel_tol=SAME, abs_tol=SAME):
        raise InvalidInput(
            f"the recipe is not of this release: its cells are told to attain {told:.6g} of {criterion.name} of column"
            f" {column!r}, and counted they attain {worst:.6g}"
        )
    return worst
