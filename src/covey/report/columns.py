"""Columns as pictures show them: places on an axis, or categories and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from covey.arrays import combined
from covey.encoding import UNITS
from covey.report.page import figure
from covey.schema import Kind

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels
    from covey.schema import Column

DAY = 86_400.0


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A continuous column.

    Attributes
    ----------
    column : Column
        Its schema.
    time : {"", "date", "clock"}
        Whether the numbers are seconds since 1970, or of a day, or just numbers.
    after : ndarray of shape (n,)
        The published values; NaN where missing.
    before : ndarray of shape (n,) or None
        The original ones in the same order, where they may be shown.
    """

    column: Column
    time: str
    after: Floats
    before: Floats | None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    def said(self, value: float, digits: int = 4) -> str:
        """A value as words."""
        return said(value, self.time, digits)


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """An ordinal or nominal column.

    Attributes
    ----------
    column : Column
        Its schema.
    levels : tuple of str
        The categories that occur: ordered ones from the lowest to the highest, others sorted.
    after, before : ndarray of shape (n,)
        Places in `levels`; −1 where missing. `before` is None where it may not be shown.
    """

    column: Column
    levels: tuple[str, ...]
    after: Labels
    before: Labels | None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    def counts(self, codes: Labels) -> Labels:
        """How often each category occurs."""
        return np.bincount(codes[codes >= 0], minlength=len(self.levels)).astype(np.int64)


Shown = Numbers | Categories
"""A column as pictures show it."""


def shown(column: Column, released: pa.ChunkedArray, original: pa.ChunkedArray | None) -> Shown:
    """A quasi-identifier as published and, where it is given, as it was."""
    after = combined(released)
    before = None if original is None else combined(original)
    if column.kind is Kind.CONTINUOUS:
        found, time = numbers(after)
        earlier = None if before is None else numbers(before)[0]
        if found is not None and (before is None or earlier is not None):
            return Numbers(column, time, found, earlier)
    return _categories(column, after, before)


def numbers(array: pa.Array) -> tuple[Floats | None, str]:
    """The values as numbers, times in seconds, NaN where there is no finite one; nothing if they are not numbers."""
    kind = array.type
    if pa.types.is_dictionary(kind) or pa.types.is_boolean(kind):
        return None, ""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return _floats(array.cast(pa.float64(), safe=False)), ""
    if pa.types.is_date(kind):
        return _floats(array.cast(pa.date32()).cast(pa.int32()).cast(pa.float64())) * DAY, "date"
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        whole = array.cast(pa.int32() if pa.types.is_time32(kind) else pa.int64())
        time = "date" if pa.types.is_timestamp(kind) else "clock" if pa.types.is_time(kind) else ""
        return _floats(whole.cast(pa.float64(), safe=False)) / UNITS[kind.unit], time
    return None, ""


def _floats(array: pa.Array) -> Floats:
    values = np.array(array.fill_null(float("nan")).to_numpy(zero_copy_only=False), dtype=np.float64)
    values[~np.isfinite(values)] = np.nan
    return values


def said(value: float, time: str = "", digits: int = 4) -> str:
    """A number, a date or a time of day as words."""
    if time == "date":
        return str(np.datetime64(round(value), "s").astype("datetime64[D]"))
    if time == "clock":
        return str(np.datetime64(round(value), "s"))[11:16]
    return figure(value, digits)


def _categories(column: Column, after: pa.Array, before: pa.Array | None) -> Categories:
    parts = [_coded(after)] + ([] if before is None else [_coded(before)])
    present = {value for values, _ in parts for value in values}
    levels = _in_order(column, present, after if before is None else before)
    places = {level: i for i, level in enumerate(levels)}
    codes = [np.array([*(places[value] for value in values), -1], dtype=np.int64)[code] for values, code in parts]
    return Categories(column, tuple(map(text_of, levels)), codes[0], codes[1] if before is not None else None)


def _coded(array: pa.Array) -> tuple[list[Any], Labels]:
    """The different values, and of each record the place of its own among them; −1 where missing."""
    encoded = array if pa.types.is_dictionary(array.type) else pc.dictionary_encode(array)
    codes = np.asarray(encoded.indices.cast(pa.int64()).fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)
    used = np.unique(codes[codes >= 0])
    values = encoded.dictionary.take(pa.array(used)).to_pylist()
    return values, np.where(codes < 0, -1, np.searchsorted(used, codes))


def _in_order(column: Column, present: set[Any], array: pa.Array) -> list[Any]:
    """The categories that occur, in the order of the schema or of the type, or sorted."""
    declared = list(column.categories)
    if not declared and pa.types.is_dictionary(array.type) and array.type.ordered:
        declared = array.dictionary.to_pylist()
    known = [value for value in declared if value in present]
    rest = present.difference(known)
    numeric = all(isinstance(value, int | float) for value in rest)
    return [*known, *sorted(rest, key=None if numeric else text_of)]


def text_of(value: object) -> str:
    """A value as it is read."""
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, bytes):
        return value.hex()
    return figure(value, 6) if isinstance(value, float) else str(value)
