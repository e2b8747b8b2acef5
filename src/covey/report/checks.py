"""Whether release, recipe and original table are of each other; each misfit is one sentence."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from covey.arrays import combined
from covey.errors import InvalidInput
from covey.frames import arrow_table
from covey.measures import combination_sizes
from covey.measures.losses import distortion
from covey.report.columns import numbers
from covey.schema import Role
from covey.words import columns

if TYPE_CHECKING:
    from covey.frames import Frame
    from covey.matrix import Labels, Rows
    from covey.schema import Schema

NUMBER, MAYBE = (int, float), (int, float, type(None))
LARGEST = 2**63  # of whole numbers
SHAPE: dict[str, Any] = {
    "recipe": {
        "covey": str,
        "input": {"records": int, "columns": int},
        "schema": list,
        "method": {"name": str},
    },
    "statement": {
        "property": str,
        "k": int,
        "smallest_cell": int,
        "says": str,
        "holds_for": list,
        "assumes": list,
        "does_not_protect_against": list,
    },
    "measures": {
        "records": int,
        "withheld": int,
        "cells": int,
        "smallest_cell": int,
        "largest_cell": int,
        "distortion": NUMBER,
        "columns": list,
    },
    "notes": list,
}
OPTIONAL: dict[str, Any] = {
    "recipe": {
        "dependence": {"lambda": NUMBER},
        "column_blocks": [[str]],
        "criteria": [dict],
        "strata": [str],
        "weights": str,
        "missing": str,
        "preserve_variance": bool,
        "shuffled": bool,
    },
    "statement": {"jointly": bool, "smallest_joint_combination": int, "also": [dict]},
    "measures": {"predictability": {"loss": NUMBER, "columns": [{"name": str, "kind": str, "loss": NUMBER}]}},
}
COLUMN = {"name": str, "kind": str, "distortion": NUMBER, "changed": NUMBER, "bias": MAYBE, "variance_ratio": MAYBE}
SAME = 1e-6  # numbers that a text format has carried agree to so much


def check_document(document: object) -> dict[str, Any]:
    """Recipe, statement, measures and notes, when they are what `covey anonymize --recipe` writes.

    Raises
    ------
    InvalidInput
        Something is lacking, or is not of its type; the sentence names it.
    """
    told: Any = document
    wrong = misfits(told, SHAPE, "")
    if not wrong:
        wrong = misfits(told["measures"]["columns"], [COLUMN], "measures.columns")
        wrong += misfits(told["statement"]["holds_for"], [[str] if _is_nested(told) else str], "statement.holds_for")
        wrong += _wrong_methods(told["recipe"]["method"])
        for part, shape in OPTIONAL.items():
            given = {name: told[part][name] for name in shape if told[part].get(name) is not None}
            wrong += misfits(given, {name: shape[name] for name in given}, part)
    if wrong:
        raise InvalidInput(
            f"the recipe is not one that covey anonymize --recipe wrote: it lacks {', '.join(wrong[:3])}, or has"
            " something else there"
        )
    return dict(told)


def _is_nested(told: Any) -> bool:
    """Whether the statement holds for blocks of columns."""
    return any(isinstance(names, list) for names in told["statement"]["holds_for"])


def _wrong_methods(method: Any) -> list[str]:
    """Whether a method, or what it is of, has no name."""
    while isinstance(method.get("base"), dict):
        method = method["base"]
        if not isinstance(method.get("name"), str):
            return ["recipe.method.base.name"]
    return []


def misfits(value: Any, shape: Any, place: str) -> list[str]:
    """The places where a JSON value has not the shape that it should have: of a type, a list or an object."""
    if isinstance(shape, list):
        whole = isinstance(value, list)
        return [found for one in value for found in misfits(one, shape[0], place)] if whole else [place]
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [place or "recipe, statement, measures and notes"]
        return [
            found for name in shape for found in misfits(value.get(name), shape[name], f"{place}.{name}".strip("."))
        ]
    fits = isinstance(value, shape) and (shape is bool or not isinstance(value, bool)) and _is_sane(value)
    return [] if fits else [place]


def _is_sane(value: Any) -> bool:
    """Whether it is no number that cannot be calculated with."""
    if isinstance(value, int):
        return abs(value) < LARGEST
    return not isinstance(value, float) or math.isfinite(value)


def check_release(frame: Frame, document: dict[str, Any], schema: Schema) -> None:
    """Refuse a table that is not the release that the recipe tells of.

    Raises
    ------
    InvalidInput
        Its columns or its number of records are others.
    """
    expected = [column.name for column in schema.columns if column.role is not Role.IDENTIFIER]
    absent = [name for name in expected if name not in frame.columns]
    if absent:
        raise InvalidInput(f"the recipe is not of this release, which lacks {columns(absent)}")
    extra = [name for name in frame.columns if name not in expected]
    if extra:
        raise InvalidInput(f"the recipe is not of this release, which has {columns(extra)} besides")
    told = int(document["measures"]["records"])
    if len(frame) != told:
        raise InvalidInput(
            f"the recipe is not of this release: it tells of {told:,} records, and there are {len(frame):,}"
        )


def check_sizes(table: pa.Table, document: dict[str, Any], jointly: Labels) -> None:
    """Refuse a table that does not hold what its statement says of the sizes of its cells; they are counted again.

    Raises
    ------
    InvalidInput
        Its smallest cell, or the rarest combination of all quasi-identifiers, is another, or smaller than k.
    """
    statement = document["statement"]
    held = statement["holds_for"]
    together = bool(statement.get("jointly", True))
    groups = [held] if together else [[names] if isinstance(names, str) else names for names in held]
    if not groups or any(name not in table.column_names for names in groups for name in names):
        raise InvalidInput(
            "the statement holds for columns that the release has not: the recipe is not of this release"
        )
    counted = [combination_sizes(table, names) for names in groups]
    smallest = min(int(sizes.min()) for sizes in counted)
    rarest = int(jointly.min())
    said = statement.get("smallest_joint_combination")
    told = int(statement["smallest_cell"]), int(statement["smallest_cell"] if together or said is None else said)
    for what, found, tells in (("smallest cell", smallest, told[0]), ("rarest combination", rarest, told[1])):
        if found != tells:
            raise InvalidInput(
                f"the recipe is not of this release: the {what} is told to have {tells:,} records, and counted it has"
                f" {found:,}"
            )
    cells, tells = sum(len(sizes) for sizes in counted), int(document["measures"]["cells"])
    if cells != tells:
        raise InvalidInput(
            f"the recipe is not of this release: it tells of {tells:,} cells, and counted there are {cells:,}"
        )
    if smallest < statement["k"]:
        raise InvalidInput(f"the release is not {statement['k']}-anonymous: its smallest cell has {smallest:,} records")


def check_original(
    original: Frame, document: dict[str, Any], schema: Schema, released: pa.Table, rows: Rows | None
) -> pa.Table:
    """The original records in the order of the release, when they are those that were published.

    Raises
    ------
    InvalidInput
        The table has other columns or another number of records, or the records do not correspond.
    """
    published = [column.name for column in schema.columns if column.role is not Role.IDENTIFIER]
    absent = [name for name in published if name not in original.columns]
    if absent:
        raise InvalidInput(f"the original table lacks {columns(absent)}, which the recipe names")
    told = int(document["recipe"]["input"]["records"])
    if len(original) != told:
        raise InvalidInput(
            f"the original table has {len(original):,} records, but that of the recipe had {told:,}: give that one"
        )
    rows = _checked_rows(rows, len(original), released.num_rows)
    before = arrow_table(original.select(*published)).take(pa.array(rows))
    as_they_are = [column.name for column in (*schema.confidential, *schema.other)]
    for name in as_they_are:
        count = differing(combined(before.column(name)), combined(released.column(name)))
        if count:
            raise InvalidInput(
                f"the records do not correspond: column {name!r}, which is published as it is, differs in {count:,} of"
                f" {released.num_rows:,} records. Give the labels that were written with this release"
            )
    _check_losses(original, document, schema, released, rows)
    return before


def _check_losses(original: Frame, document: dict[str, Any], schema: Schema, released: pa.Table, rows: Rows) -> None:
    """Refuse pairs that do not lose what the recipe tells: the only sign, where nothing is published as it is."""
    told = {loss["name"]: float(loss["distortion"]) for loss in document["measures"]["columns"]}
    try:
        found = distortion(nw.to_native(original), released, schema, rows=rows)
    except InvalidInput:  # such as values that were read in another way, of which the digest tells
        return
    for column in found.columns:
        lost, said = column.loss.distortion, told.get(column.name)
        if said is not None and not math.isclose(lost, said, rel_tol=SAME, abs_tol=SAME):
            raise InvalidInput(
                f"the records do not correspond: column {column.name!r} is told to have lost D = {said:.6g}, and beside"
                f" this original it lost {lost:.6g}. Give the input, and the labels that were written with this release"
            )


def _checked_rows(rows: Rows | None, records: int, published: int) -> Rows:
    found = np.arange(published) if rows is None else np.asarray(rows)
    if found.shape != (published,) or np.unique(found).size < published:
        raise InvalidInput(f"rows must name a different original record for each of the {published:,} published ones")
    if published and not (found.min() >= 0 and found.max() < records):
        raise InvalidInput(f"rows must name records of the original table, which are {records:,}")
    return found.astype(np.intp)


def differing(one: pa.Array, other: pa.Array) -> int:
    """How many values of two columns differ; 0 where they are of types that cannot be compared."""
    first, second = (numbers(part)[0] for part in (one, other))
    if first is not None and second is not None:
        return int(np.count_nonzero(~np.isclose(first, second, rtol=SAME, atol=0.0, equal_nan=True)))
    with suppress(pa.ArrowException):
        texts = [_plain(part).cast(pa.large_string()) for part in (one, other)]
        same = pc.equal(*texts).fill_null(False)
        both_missing = pc.and_(texts[0].is_null(), texts[1].is_null())
        return len(one) - int(pc.sum(pc.or_(same, both_missing)).as_py() or 0)
    return 0


def _plain(array: pa.Array) -> pa.Array:
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def rows_of_labels(labels: pa.Table, published: int) -> Rows:
    """Which original record each published one was, from the file that `covey anonymize --labels` writes.

    Raises
    ------
    InvalidInput
        It is no such file, or not of this release.
    """
    if "row" not in labels.column_names:
        raise InvalidInput("the labels have no column 'row': give the file that covey anonymize --labels wrote")
    column = combined(labels.column("row"))
    if not pa.types.is_integer(column.type) or column.null_count:
        raise InvalidInput("column 'row' of the labels must hold whole numbers: give the file that covey wrote")
    places = np.asarray(column.to_numpy(zero_copy_only=False))
    found = np.flatnonzero(places >= 0)
    if not np.array_equal(np.sort(places[found]), np.arange(published)):
        raise InvalidInput(
            f"the labels place {found.size:,} records in a release of {published:,}, not each in a place of its own:"
            " give the labels that were written with this release"
        )
    rows = np.empty(published, dtype=np.intp)
    rows[places[found]] = found
    return rows
