"""Columns of a table as numbers, and numbers back as columns.

A continuous column is held as differences from one of its own values, so that neither a large offset nor whole
numbers beyond 2**53 cost digits; a categorical one as codes into its categories.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from covey.errors import InvalidInput
from covey.frames import arrow_column, combined, ordered_categories
from covey.matrix import Matrix
from covey.schema import Category, Column, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.frames import Frame
    from covey.matrix import Floats, Labels, Mask, Rows


EXACT = 2.0**53  # from here on float64 skips whole numbers


@dataclass(frozen=True, slots=True, eq=False)
class Continuous:
    """A column of numbers, dates or times.

    Attributes
    ----------
    column : Column
        Its schema.
    type : pyarrow.DataType
        What it was.
    origin : int or float
        What has been taken off `values`.
    values : ndarray of shape (n,)
        Numbers (of the unit of a date or time), less the origin; 0 where missing.
    missing : ndarray of bool of shape (n,)
        Where there is no value.
    """

    column: Column
    type: pa.DataType
    origin: int | float
    values: Floats
    missing: Mask

    @property
    def whole(self) -> bool:
        """Whether the type holds whole numbers only, as those of dates and times do."""
        return isinstance(self.origin, int)

    def standardised(self) -> Floats | None:
        """Values of mean 0 and population variance 1 where not missing; None for a constant column."""
        known = self.values[~self.missing]
        # Scaled by a power of two, which costs nothing, so that squares neither overflow nor vanish.
        exponent = -math.frexp(float(np.max(np.abs(known))))[1] if known.size else 0
        known = np.ldexp(known, exponent)
        first = float(np.mean(known))
        mean = first + float(np.mean(known - first))
        deviation = float(np.sqrt(np.mean(np.square(known - mean))))
        if deviation == 0.0 or not known.size or known.min() == known.max():
            return None
        standardised = (np.ldexp(self.values, exponent) - mean) / deviation
        standardised[self.missing] = 0.0
        return standardised

    def take(self, rows: Rows) -> Continuous:
        """The column of some of the records."""
        return replace(self, values=self.values[rows], missing=self.missing[rows])

    def decode(self, values: Floats, missing: Mask) -> pa.Array:
        """Published values, less the origin, as a column: of the type it had, or with the decimals asked for."""
        decimals = self.column.decimals
        if self.whole and not decimals:
            numbers = np.rint(values).astype(np.int64) + int(self.origin)
            return _whole_as(numbers, missing, self.type)
        published = values + self.origin
        if decimals is not None:
            published = _rounded(published, decimals)
        array = pa.array(published, mask=missing)
        return array if self.whole else array.cast(self.type, safe=False)


@dataclass(frozen=True, slots=True, eq=False)
class Categorical:
    """A column of categories.

    Attributes
    ----------
    column : Column
        Its schema.
    categories : pyarrow.Array
        Ordered ones from the lowest to the highest, others sorted.
    codes : ndarray of shape (n,)
        Places in `categories`; −1 where missing.
    """

    column: Column
    categories: pa.Array
    codes: Labels

    @property
    def missing(self) -> Mask:
        """Where there is no value."""
        missing: Mask = self.codes < 0
        return missing

    @property
    def levels(self) -> int:
        """The number of categories."""
        return len(self.categories)

    def take(self, rows: Rows) -> Categorical:
        """The column of some of the records."""
        return replace(self, codes=self.codes[rows])

    def decode(self, codes: Labels, missing: Mask) -> pa.Array:
        """Published codes as a column of categories."""
        return self.categories.take(pa.array(codes, mask=missing))


Encoded = Continuous | Categorical
"""A column as numbers."""


def encode(frame: Frame, columns: Sequence[Column]) -> list[Encoded]:
    """Columns of a frame as numbers.

    Raises
    ------
    InvalidInput
        A column does not hold what its schema says; the sentence names it and counts.
    """
    return [encode_column(frame, column) for column in columns]


def encode_column(frame: Frame, column: Column) -> Encoded:
    """One column of a frame as numbers."""
    array = arrow_column(frame, column.name)
    if pa.types.is_null(array.type):
        raise InvalidInput(f"column {column.name!r} has no value at all: every record is missing it")
    if column.kind is Kind.CONTINUOUS:
        return _continuous(column, array)
    if pa.types.is_nested(array.type):
        raise InvalidInput(f"column {column.name!r} holds lists or structures, which have no average")
    categories = _categories(frame, column, array)
    return Categorical(column, categories, _codes(column, array, categories))


def encode_like(table: pa.Table, original: Encoded) -> Encoded:
    """A column of a released table, in the terms of the column that it came from."""
    array = combined(table.column(original.column.name))
    if isinstance(original, Continuous):
        return _continuous(original.column, array)
    return replace(original, codes=_codes(original.column, array, original.categories))


def to_matrix(encoded: Sequence[Encoded]) -> tuple[Matrix, list[int]]:
    """Matrix of the columns that vary, continuous ones standardised, and their places in `encoded`.

    Values that are missing are 0 there: whoever uses a record's row leaves out the columns it is missing.
    """
    parts = [part.standardised() if isinstance(part, Continuous) else _varying(part) for part in encoded]
    places = [i for i, values in enumerate(parts) if values is not None]
    stacked = np.empty((len(encoded[0].missing), len(places)))
    for j, i in enumerate(places):
        stacked[:, j] = parts[i]
    kinds = tuple(encoded[i].column.kind for i in places)
    levels = tuple(part.levels if isinstance(part := encoded[i], Categorical) else 0 for i in places)
    return Matrix(stacked, kinds, levels), places


# Continuous columns


def _continuous(column: Column, array: pa.Array) -> Continuous:
    kind = array.type
    missing = np.asarray(array.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    if pa.types.is_integer(kind) or pa.types.is_temporal(kind):
        whole = _whole(array)
        if whole is not None:
            return _continuous_whole(column, kind, whole, missing)
    if not (pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_integer(kind)):
        raise InvalidInput(_not_numbers(column.name, array))
    values = np.array(array.cast(pa.float64(), safe=False).fill_null(0.0).to_numpy(zero_copy_only=False))
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        raise InvalidInput(
            f"column {column.name!r} has {bad} NaN or infinite values: expected finite numbers"
            " (a missing value is null, not NaN)"
        )
    origin = float(values[~missing][0]) if not missing.all() else 0.0
    with np.errstate(over="ignore"):
        differences = values - origin
    if not np.isfinite(differences).all():
        origin, differences = 0.0, values
    differences[missing] = 0.0
    return Continuous(column, kind, origin, differences, missing)


def _whole(array: pa.Array) -> NDArray[np.int64] | None:
    """The column as 64-bit integers, if they hold it."""
    bits = {pa.date32(): pa.int32(), pa.time32("s"): pa.int32(), pa.time32("ms"): pa.int32()}
    with suppress(pa.ArrowException):
        if array.type in bits:
            array = array.cast(bits[array.type])
        return np.asarray(array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False))
    return None


def _continuous_whole(column: Column, kind: pa.DataType, whole: NDArray[np.int64], missing: Mask) -> Continuous:
    if column.decimals and pa.types.is_temporal(kind):
        raise InvalidInput(f"column {column.name!r} holds dates or times, which have no decimals")
    origin = int(whole[~missing][0]) if not missing.all() else 0
    spread = int(whole[~missing].max()) - int(whole[~missing].min()) if not missing.all() else 0
    if spread > 2**62:
        origin = 0
    differences = (whole - origin).astype(np.float64)
    differences[missing] = 0.0
    return Continuous(column, kind, origin, differences, missing)


def _whole_as(numbers: NDArray[np.int64], missing: Mask, kind: pa.DataType) -> pa.Array:
    array = pa.array(numbers, mask=missing)
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        array = array.cast(pa.int32())
    if pa.types.is_date64(kind):
        array = array.cast(pa.timestamp("ms"))
    return array.cast(kind)


def _not_numbers(name: str, array: pa.Array) -> str:
    if pa.types.is_boolean(array.type):
        return f"column {name!r} holds booleans: declare it nominal, or ordinal"
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if not _is_text(kind):
        return f"column {name!r} holds {kind}, which covey cannot average: expected numbers, dates or times"
    texts = array.cast(pa.string()).drop_null()
    numbers = pc.sum(pc.match_substring_regex(texts, r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$")).as_py() or 0
    if numbers == len(texts):
        return f"column {name!r} is continuous but holds numbers as text: convert it, or declare it nominal or ordinal"
    return (
        f"column {name!r} is continuous but holds text: {len(texts) - numbers} of {len(texts)} values are not numbers"
    )


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _rounded(values: Floats, decimals: int) -> Floats:
    """Rounded where that means anything: larger numbers have no such digits."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.abs(values) * 10.0**decimals < EXACT, np.round(values, decimals), values)


# Categorical columns


def _categories(frame: Frame, column: Column, array: pa.Array) -> pa.Array:
    """The categories that codes number: declared, of the type, or found and sorted."""
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if column.categories:
        return _declared(column, kind)
    ordered = ordered_categories(frame, column.name)
    if ordered is not None:
        return ordered.cast(kind)
    if column.kind is Kind.ORDINAL and _is_text(kind):
        raise InvalidInput(
            f"column {column.name!r} is ordinal but neither its schema nor its type orders its texts:"
            " declare its categories from the lowest to the highest"
        )
    found = array.dictionary if pa.types.is_dictionary(array.type) else pc.unique(array)
    found = found.drop_null()
    if pa.types.is_floating(kind) and pc.any(pc.invert(pc.is_finite(found))).as_py():
        raise InvalidInput(f"column {column.name!r} has NaN or infinite values, which are no categories")
    return found.take(pc.sort_indices(found))


def _declared(column: Column, kind: pa.DataType) -> pa.Array:
    fits = {str: _is_text, bool: pa.types.is_boolean, int: _is_number, float: _is_number}
    wrong = sum(not fits[type(category)](kind) for category in column.categories)
    categories: Any = None
    if not wrong:
        with suppress(pa.ArrowException, OverflowError, TypeError):
            categories = pa.array(column.categories).cast(kind)
    if categories is None:
        raise InvalidInput(
            f"the categories of column {column.name!r} are not of its type, {_plain_type(kind)}:"
            " write them as the table has them"
        )
    return categories


def _codes(column: Column, array: pa.Array, categories: pa.Array) -> Labels:
    codes = pc.index_in(array.dictionary if pa.types.is_dictionary(array.type) else array, categories)
    if pa.types.is_dictionary(array.type):
        codes = codes.take(array.indices)
    unknown = codes.null_count - array.null_count
    if unknown > 0:
        raise InvalidInput(
            f"column {column.name!r} has {unknown} values outside its {len(categories)} declared categories:"
            " declare them too, or mend the values"
        )
    return np.asarray(codes.fill_null(-1).to_numpy(zero_copy_only=False)).astype(np.int64)


def _varying(part: Categorical) -> Floats | None:
    known = part.codes[part.codes >= 0]
    if not known.size or known.min() == known.max():
        return None
    return np.maximum(part.codes, 0).astype(np.float64)


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _plain_type(kind: pa.DataType) -> str:
    """The type in a user's words."""
    if _is_text(kind):
        return "text"
    return "numbers" if _is_number(kind) else str(kind)


def category_values(categories: pa.Array) -> tuple[Category, ...]:
    """The categories as Python values."""
    return tuple(categories.to_pylist())
