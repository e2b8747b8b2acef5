"""Criteria beyond k as they were asked for: in a sentence, on the command line and in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covey.criteria import Close, Diverse, PSensitive, demand_of
from covey.report.page import Html, join, name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.criteria import Criterion, Demand
    from covey.schema import Schema

OPTIONS: dict[str, type[PSensitive] | type[Diverse] | type[Close]] = {
    "p_sensitive": PSensitive,
    "l_diverse": Diverse,
    "t_close": Close,
}
FORMED = {
    "best": "",
    "merge": ", cells mended, not formed anew",
    "first": ", cells formed anew by the quantiles of the column",
}


def demands_of(recipe: dict[str, Any]) -> list[Demand]:
    """What the recipe asks of confidential columns."""
    return [demand_of(plain) for plain in recipe.get("criteria") or []]


def in_a_sentence(demands: Sequence[Demand]) -> Html:
    """Each criterion and its column."""
    return join((join([d.criterion.request(), " of ", name(d.column), _more(d.criterion)]) for d in demands), "; ")


def _more(criterion: Criterion) -> str:
    if not isinstance(criterion, Close):
        return ""
    ground = "" if criterion.ground is None else f", ground distance {criterion.ground}"
    return ground + FORMED[criterion.method]


def as_options(demands: Sequence[Demand], schema: Schema) -> list[str] | None:
    """The options of the command line, which ask the same of every confidential column; None if they cannot say it."""
    everywhere = {column.name for column in schema.confidential}
    words: list[str] = []
    for kind in OPTIONS.values():
        own = [demand for demand in demands if isinstance(demand.criterion, kind)]
        if not own:
            continue
        alike = len({demand.criterion for demand in own}) == 1 and {demand.column for demand in own} == everywhere
        said = _options(own[0].criterion) if alike else None
        if said is None:
            return None
        words += said
    return words


def _options(criterion: Criterion) -> list[str] | None:
    if isinstance(criterion, PSensitive):
        return ["--p-sensitive", str(criterion.p)]
    if isinstance(criterion, Diverse):
        kind = [] if criterion.kind == "distinct" else ["--l-kind", criterion.kind]
        constant = [] if criterion.c is None else ["--l-constant", str(criterion.c)]
        return ["--l-diverse", str(criterion.l), *kind, *constant]
    if criterion.ground is not None or criterion.method == "merge":
        return None
    return ["--t-close", str(criterion.t), *(["--t-first"] if criterion.method == "first" else [])]


def in_python(demands: Sequence[Demand]) -> str:
    """The arguments of `covey.anonymize`."""
    found = []
    for option, kind in OPTIONS.items():
        own = [f"{d.column!r}: covey.{d.criterion!r}" for d in demands if isinstance(d.criterion, kind)]
        found += [f"{option}={{{', '.join(own)}}}"] if own else []
    return ", ".join(found)
