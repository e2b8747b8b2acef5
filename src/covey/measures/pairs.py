"""How the records of a released table correspond to those of the table it came from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from covey.encoding import Continuous, encode, encode_like
from covey.errors import InvalidInput
from covey.frames import arrow_column, read_frame, value_codes
from covey.schema import Column, Role, Schema
from covey.words import columns as listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.frames import Frame
    from covey.matrix import Floats, Mask, Rows


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The records of a release, each beside the record of the input that it was.

    Attributes
    ----------
    columns : tuple of Column
        The columns that were read.
    rows : ndarray of shape (records,)
        The record of the input that each released record was.
    whole : tuple of Encoded
        The columns of the input, all its records, those that were withheld among them.
    released : tuple of Encoded
        The columns of the release, in the terms of the original ones.
    table : pyarrow.Table
        The columns of the release as they are.
    """

    columns: tuple[Column, ...]
    rows: Rows
    whole: tuple[Encoded, ...]
    released: tuple[Encoded, ...]
    table: pa.Table

    @property
    def original(self) -> tuple[Encoded, ...]:
        """The columns of the input, of the released records, in their order."""
        return tuple(part.take(self.rows) for part in self.whole)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def records(self) -> int:
        """The number of released records."""
        return len(self.rows)

    @property
    def candidates(self) -> int:
        """The number of records of the input."""
        return len(self.whole[0].missing)


def pair(
    original: Any, release: Any, schema: Schema, rows: Any = None, columns: Sequence[Column] | None = None
) -> Pairs:
    """The columns of an input and of its release, record by record, when the two correspond.

    Parameters
    ----------
    original, release : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The input and what was released of it; they need not be of one kind.
    schema : Schema
        What each column is.
    rows : array-like of int, optional
        The record of the input that each released record was, as `Release.rows` holds it. Without it the release has
        all records in the order of the input.
    columns : sequence of Column, optional
        The columns to read; by default the quasi-identifiers.

    Raises
    ------
    InvalidInput
        The tables do not correspond: in `rows`, in their columns, or because a column that is published as it is
        differs.

    Notes
    -----
    Values that are missing are missing in what is returned; in columns that are published as they are, a missing value
    agrees with a missing one only. Time: O(n log n) a column.
    """
    before, after = read_frame(original), read_frame(release)
    require_schema(schema)
    chosen = tuple(schema.quasi if columns is None else columns)
    if not chosen:
        raise InvalidInput("the schema has no quasi-identifier: there is nothing to compare")
    _require_columns(before, after, chosen)
    places = _checked_rows(rows, len(before), len(after))
    _require_agreement(before, after, schema, places)
    whole = tuple(encode(before, chosen))
    table = pa.table([arrow_column(after, column.name) for column in chosen], names=[c.name for c in chosen])
    released = tuple(_released(table, part) for part in whole)
    return Pairs(chosen, places, whole, released, table)


def require_schema(schema: object) -> None:
    """Refuse what is no schema."""
    if not isinstance(schema, Schema):
        raise InvalidInput(f"schema must be a covey.Schema, not {type(schema).__name__}: see Schema.of and infer")


def quasi_columns(schema: Schema, names: object) -> list[Column]:
    """The quasi-identifiers of those names, in their order.

    Raises
    ------
    InvalidInput
        A name is given twice, or is not that of a quasi-identifier.
    """
    given: list[Any] = [names] if isinstance(names, str) else list(names) if isinstance(names, tuple | list) else []
    if not given or not all(isinstance(name, str) for name in given):
        raise InvalidInput("columns must be the name of a quasi-identifier or a list of such names")
    foreign = [name for name in given if name not in schema or schema[name].role is not Role.QUASI]
    if foreign:
        raise InvalidInput(f"{listed(foreign)}: expected names of quasi-identifiers of the schema")
    if len(set(given)) < len(given):
        raise InvalidInput("a column is named twice: name each once")
    return [schema[name] for name in given]


def on_one_scale(original: Continuous, released: Continuous) -> tuple[Floats, Floats, int]:
    """Values before and after as differences from one origin, times 2 to a power that keeps their squares in range.

    The third is the exponent of that power. Values that are missing are 0.
    """
    before, after, exponent = original.values, released.values, 0
    if released.origin != original.origin:  # quarters, for sums of the greatest numbers are out of range
        exponent = -2
        before, after = before / 4, after / 4 + (float(released.origin / 4) - float(original.origin / 4))
        after[released.missing] = 0.0
    greatest = float(np.max(np.abs(np.concatenate([before, after])), initial=0.0))
    power = -int(np.frexp(greatest)[1])
    return np.ldexp(before, power), np.ldexp(after, power), exponent + power


def ranked(part: Encoded) -> Continuous:
    """The column as numbers, ordered categories by their rank."""
    if isinstance(part, Continuous):
        return part
    ranks = np.maximum(part.codes, 0).astype(np.float64)
    return Continuous(part.column, part.categories.type, 0, ranks, part.missing)


# What must hold of the tables


def _require_columns(before: Frame, after: Frame, chosen: Sequence[Column]) -> None:
    for frame, table in ((before, "original table"), (after, "release")):
        absent = [column.name for column in chosen if column.name not in frame.columns]
        if absent:
            raise InvalidInput(f"the {table} does not have {listed(absent)}, which the schema names")


def _checked_rows(rows: Any, candidates: int, records: int) -> Rows:
    """The places in the input, each a whole number in range and none twice."""
    if rows is None:
        if records != candidates:
            raise InvalidInput(
                f"the release has {records} records and the original table {candidates}: say by rows which record of"
                " the original each was, as Release.rows holds it"
            )
        return np.arange(records)
    places = np.asarray(rows)
    if places.ndim != 1 or places.dtype.kind not in "iu":
        raise InvalidInput("rows must be a list of whole numbers: the place of each released record in the original")
    if len(places) != records:
        raise InvalidInput(f"rows has {len(places)} places for {records} released records: expected one for each")
    outside = int(np.count_nonzero((places < 0) | (places >= candidates)))
    if outside:
        raise InvalidInput(f"rows has {outside} places outside the original table, which has {candidates} records")
    twice = records - len(np.unique(places))
    if twice:
        raise InvalidInput(f"rows repeats {twice} places: each record of the original is released at most once")
    return places.astype(np.intp)


def _require_agreement(before: Frame, after: Frame, schema: Schema, rows: Rows) -> None:
    """Refuse tables that differ in a column that is published as it is."""
    for column in (*schema.confidential, *schema.other):
        name = column.name
        if name in before.columns and name in after.columns:
            differing = int(np.count_nonzero(_differing(arrow_column(before, name), arrow_column(after, name), rows)))
            if differing:
                raise InvalidInput(
                    f"the rows do not correspond: {differing} records differ in column {name!r}, which is published as"
                    " it is; give rows as Release.rows holds them"
                )


def _differing(before: pa.Array, after: pa.Array, rows: Rows) -> Mask:
    """Where two columns differ; those of types that do not compare differ everywhere."""
    before, after = _decoded(before).take(pa.array(rows)), _decoded(after)
    if before.type != after.type:
        cast = _cast(after, before.type)
        before, after = (before, cast) if cast is not None else (_cast(before, after.type), after)
    if before is None:
        return np.ones(len(rows), dtype=bool)
    with suppress(pa.ArrowException):
        codes = value_codes(pa.concat_arrays([before, after]))
        return np.asarray(codes[: len(rows)] != codes[len(rows) :])
    pairs = zip(before.to_pylist(), after.to_pylist(), strict=True)
    return np.array([one != other for one, other in pairs], dtype=bool)


# The released columns in the terms of the original ones


def _released(table: pa.Table, original: Encoded) -> Encoded:
    name = original.column.name
    column = _decoded(table[name].combine_chunks())
    kind = column.type
    expected = _expected(kind, original)
    if column.null_count == len(column):  # all were withheld, and what type they had may be lost
        whole = original.type if isinstance(original, Continuous) else original.categories.type
        return encode_like(pa.table([pa.nulls(len(column), whole)], names=[name]), original)
    if kind == expected:
        return encode_like(table, original)
    array = _cast(column, expected)
    if array is None:
        raise InvalidInput(
            f"column {name!r} is of type {kind} in the release, which cannot be compared with {expected}, its type in"
            " the original table: convert it"
        )
    return encode_like(pa.table([array], names=[name]), original)


def _expected(kind: pa.DataType, original: Encoded) -> pa.DataType:
    """The type that a released column must have to be compared as it is."""
    if not isinstance(original, Continuous):
        return original.categories.type
    if pa.types.is_temporal(kind) or pa.types.is_temporal(original.type):
        return original.type
    if not original.whole and pa.types.is_integer(kind):  # means that happen to be whole
        return pa.float64()
    return kind


def _decoded(array: pa.Array) -> pa.Array:
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _cast(array: pa.Array, kind: pa.DataType) -> pa.Array | None:
    """The column in a type, or nothing where Arrow refuses, whose sentence may quote a value."""
    with suppress(pa.ArrowException):
        return array.cast(kind)
    return None
