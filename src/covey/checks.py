"""Whether table, schema and options fit each other; each misfit is one sentence."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

import numpy as np

from covey.errors import InvalidInput
from covey.frames import arrow_column
from covey.groups import MISSING
from covey.partition.base import Partition
from covey.partition.individual_ranking import IndividualRanking
from covey.schema import Column, Kind, Role, Schema
from covey.words import columns, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.criteria import Demand
    from covey.frames import Frame
    from covey.methods import Method


UNSEEN = " \t\n\r\v\f\u00a0\ufeff"


def check_options(missing: object, seed: object, progress: object, **switches: object) -> None:
    for name, value in switches.items():
        if not isinstance(value, bool | np.bool_):
            raise InvalidInput(f"{name} must be True or False")
    if progress is not None and not callable(progress):
        raise InvalidInput("progress must be callable")
    if missing not in MISSING:
        raise InvalidInput(f"unknown missing: expected one of {', '.join(MISSING)}")
    if seed is None:
        return
    if switches.get("keep_order"):
        raise InvalidInput("seed is for the shuffle, and keep_order leaves it out: give one of them")
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or seed < 0:
        raise InvalidInput("seed must be a whole number of at least 0")


def check_schema(frame: Frame, schema: Schema, strata: Sequence[str], weights: str | None) -> list[Column]:
    """The quasi-identifiers to average, when table, schema and options fit each other."""
    if not isinstance(schema, Schema):
        raise InvalidInput(f"schema must be a covey.Schema, not {type(schema).__name__}: see Schema.of and infer")
    if not schema.quasi:
        raise InvalidInput("the schema has no quasi-identifier: nothing would be protected")
    absent = [name for name in schema.names if name not in frame.columns]
    if absent:
        raise InvalidInput(f"the schema names {columns(absent)} that the table does not have{_hint(absent, frame)}")
    unnamed = [name for name in frame.columns if name not in schema]
    if unnamed:
        raise InvalidInput(f"the table has {columns(unnamed)} without a role: declare what they are")
    for column in (*schema.confidential, *schema.other):
        arrow_column(frame, column.name)  # or it could not be published
    _check_columns_named(schema, strata, weights)
    averaged = [column for column in schema.quasi if column.name not in strata]
    if not averaged:
        raise InvalidInput("every quasi-identifier is a stratum: there is none left to average")
    idle = [column.name for column in schema.columns if column.decimals is not None and column not in averaged]
    if idle:
        raise InvalidInput(f"decimals are given for {columns(idle)}, which {verb(idle, 'is', 'are')} not averaged")
    return averaged


def check_strata(strata: object) -> tuple[str, ...]:
    """The names of the columns that no cell mixes."""
    if isinstance(strata, str):
        return (strata,)
    names = tuple(strata) if isinstance(strata, Iterable) else (None,)
    if not all(isinstance(name, str) for name in names):
        raise InvalidInput("strata must be the name of a column or a list of names")
    return cast("tuple[str, ...]", names)


def _hint(absent: Sequence[str], frame: Frame) -> str:
    """Names that differ by what nobody sees."""
    trimmed = {name.strip(UNSEEN): name for name in frame.columns if name != name.strip(UNSEEN)}
    near = [trimmed[name.strip(UNSEEN)] for name in absent if name.strip(UNSEEN) in trimmed]
    if not near:
        return ""
    return f": it has {columns(near)}, with blanks or a byte order mark around the name, which are to be taken off"


def check_method(estimator: Method, averaged: Sequence[Column], *, preserve_variance: bool) -> None:
    """Refuse columns that the method cannot treat, and options that no column would feel."""
    kinds = {column.kind for column in averaged}
    if preserve_variance and Kind.CONTINUOUS not in kinds:
        raise InvalidInput("preserve_variance is for continuous columns, and none is averaged")
    if getattr(estimator, "ordinal_average", "median") == "convex" and Kind.ORDINAL not in kinds:
        raise InvalidInput("the convex median is for ordinal columns, and none is averaged")
    if isinstance(estimator, Partition) and estimator.mixed:
        return
    categorical = [column.name for column in averaged if column.kind is not Kind.CONTINUOUS]
    if categorical:
        raise InvalidInput(
            f"{type(estimator).__name__} averages continuous columns only, which {columns(categorical)}"
            f" {verb(categorical, 'is', 'are')} not"
        )


def check_demands(estimator: Method, demands: Sequence[Demand], blocks: Sequence[Sequence[str]] = ()) -> None:
    """Refuse criteria of cells where there are none."""
    alone = "column_blocks" if blocks else "individual-ranking" if isinstance(estimator, IndividualRanking) else ""
    if demands and alone:
        raise InvalidInput(
            f"{demands[0].criterion.name} is about cells of all quasi-identifiers, {alone} forms cells of some alone:"
            " ask for one of both"
        )


def _check_columns_named(schema: Schema, strata: Sequence[str], weights: str | None) -> None:
    """Refuse strata and weights that cannot be such."""
    for name in (*strata, *([weights] if weights is not None else [])):
        if name not in schema:
            raise InvalidInput(f"there is no column {name!r}, which is given for strata or weights")
    if len(set(strata)) < len(strata):
        raise InvalidInput("a column is given twice for strata")
    for name in strata:
        if schema[name].role is Role.IDENTIFIER:
            raise InvalidInput(f"column {name!r} is an identifier and so cannot be a stratum")
    if weights is not None and schema[weights].role is Role.QUASI:
        raise InvalidInput(f"column {weights!r} is a quasi-identifier and so cannot hold the weights")
