"""Whether release, recipe and original table are of each other; each misfit is one sentence."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from covey.arrays import combined
from covey.errors import InvalidInput
from covey.frames import arrow_table
from covey.report.columns import numbers
from covey.schema import Role
from covey.words import columns

if TYPE_CHECKING:
    from covey.frames import Frame
    from covey.matrix import Labels, Rows
    from covey.schema import Schema

PARTS = {"recipe": dict, "statement": dict, "measures": dict, "notes": list}
NEEDED = {
    "recipe": ("covey", "input", "schema", "method"),
    "statement": ("property", "k", "smallest_cell", "says", "assumes", "does_not_protect_against"),
    "measures": ("records", "withheld", "cells", "smallest_cell", "largest_cell", "distortion", "columns"),
}
SAME = 1e-6  # numbers that a text format has carried agree to so much


def check_document(document: object) -> dict[str, Any]:
    """Recipe, statement, measures and notes, when they are what `covey anonymize --recipe` writes."""
    told = document if isinstance(document, dict) else {}
    absent = [name for name, kind in PARTS.items() if not isinstance(told.get(name), kind)]
    absent += [
        f"{name}.{key}" for name, keys in NEEDED.items() if name not in absent for key in keys if key not in told[name]
    ]
    if absent:
        raise InvalidInput(
            f"the recipe is not one that covey anonymize --recipe wrote: it lacks {', '.join(absent[:3])}"
        )
    return dict(told)


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


def check_sizes(document: dict[str, Any], sizes: Labels) -> None:
    """Refuse a table whose cells are not of the sizes that the recipe tells of.

    Raises
    ------
    InvalidInput
        Its smallest cell is another.
    """
    statement = document["statement"]
    told, smallest = int(statement.get("smallest_joint_combination", statement["smallest_cell"])), int(sizes.min())
    if smallest != told:
        raise InvalidInput(
            f"the recipe is not of this release: its rarest combination of quasi-identifiers is told to be shared by"
            f" {told:,} records, and counted it is {smallest:,}"
        )


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
    return before


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
