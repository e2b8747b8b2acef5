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

from covey.arrays import combined
from covey.errors import InvalidInput
from covey.frames import arrow_column, ordered_categories
from covey.matrix import Matrix
from covey.schema import Category, Column, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from covey.frames import Frame
    from covey.matrix import Floats, Labels, Mask, Rows


NUMBER = r"^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
EXACT = 2.0**53  # from here on float64 skips whole numbers
UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second


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
        if not known.size:
            return None
        # Scaled by a power of two, which costs nothing, so that squares neither overflow nor vanish.
        exponent = -math.frexp(float(np.max(np.abs(known))))[1]
        known = np.ldexp(known, exponent)
        first = float(np.mean(known))
        mean = first + float(np.mean(known - first))
        deviation = float(np.sqrt(np.mean(np.square(known - mean))))
        if deviation == 0.0 or known.min() == known.max():
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
            return self._decode_whole(np.rint(values), missing)
        with np.errstate(over="ignore"):
            published = values + float(self.origin)
        if decimals is not None:
            published = _rounded(published, decimals)
        array = pa.array(published, mask=missing)
        if not self.whole:
            self._require_in_range(np.abs(published) > _greatest(self.type))
            array = array.cast(self.type, safe=False)
        return array

    def _decode_whole(self, values: Floats, missing: Mask) -> pa.Array:
        lowest, highest = _limits(self.type)
        origin = int(self.origin)
        below, above = max(lowest - origin, -(2**63)), min(highest - origin, 2**63)
        self._require_in_range((values < float(below)) | (values > float(above)))
        # The float below 2**63 is the greatest that int64 holds.
        numbers = np.minimum(values, np.nextafter(2.0**63, 0.0)).astype(np.int64)
        # As unsigned numbers both may wrap around, and their sum is right again.
        whole = numbers.view(np.uint64) + np.uint64(origin % 2**64)
        return _whole_as(whole, missing, self.type)

    def _require_in_range(self, outside: Mask) -> None:
        count = int(np.count_nonzero(outside))
        if count:
            raise InvalidInput(
                f"column {self.column.name!r}: {count} rescaled values are outside the range of its type, {self.type}:"
                " widen the type, or do not preserve the variance"
            )


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
    if array.null_count == len(array):
        raise InvalidInput(f"column {column.name!r} has no value at all: every record is missing it")
    if column.kind is Kind.CONTINUOUS:
        return _continuous(column, array)
    require_comparable(array, column.name)
    categories = _categories(frame, column, array)
    return Categorical(column, categories, _codes(column, array, categories))


def encode_weights(frame: Frame, name: str) -> Floats:
    """The weights of the records.

    Raises
    ------
    InvalidInput
        The column does not hold a finite positive number for each record.
    """
    column = arrow_column(frame, name)
    if not _is_number(column.type):
        raise InvalidInput(f"column {name!r} holds the weights but no numbers")
    if column.null_count:
        raise InvalidInput(f"column {name!r} holds the weights but misses {column.null_count} of them")
    weights: Floats = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    bad = int(np.count_nonzero(~(np.isfinite(weights) & (weights > 0))))
    if bad:
        raise InvalidInput(f"column {name!r} holds {bad} weights that are not finite and positive")
    return weights


def encode_like(table: pa.Table, original: Encoded) -> Encoded:
    """A column of a released table, in the terms of the column that it came from."""
    array = combined(table.column(original.column.name))
    if isinstance(original, Continuous):
        return _continuous(original.column, array, original.origin)
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


def _continuous(column: Column, array: pa.Array, origin: float | None = None) -> Continuous:
    """The column as differences from the origin, by default from its own first value."""
    kind = array.type
    missing = np.asarray(array.is_null().to_numpy(zero_copy_only=False), dtype=bool)
    if _is_whole(kind):
        return _continuous_whole(column, array, missing, origin)
    if not (pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise InvalidInput(_not_numbers(column.name, array))
    if pa.types.is_decimal(kind) and (column.decimals or 0) > kind.scale:
        raise InvalidInput(f"column {column.name!r} is of type {kind}, which has no {column.decimals} decimals")
    values = np.array(array.cast(pa.float64(), safe=False).fill_null(0.0).to_numpy(zero_copy_only=False))
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        raise InvalidInput(
            f"column {column.name!r} has {bad} NaN or infinite values: expected finite numbers"
            " (a missing value is null, not NaN)"
        )
    if origin is None:
        origin = float(values[~missing][0]) if not missing.all() else 0.0
    with np.errstate(over="ignore"):
        differences = values - float(origin)
    if not np.isfinite(differences[~missing]).all():
        origin, differences = 0.0, values
    differences[missing] = 0.0
    return Continuous(column, kind, origin, differences, missing)


def _is_whole(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or (pa.types.is_temporal(kind) and not pa.types.is_interval(kind)))


def _continuous_whole(column: Column, array: pa.Array, missing: Mask, origin: float | None) -> Continuous:
    kind = array.type
    if column.decimals and pa.types.is_temporal(kind):
        raise InvalidInput(f"column {column.name!r} holds dates or times, which have no decimals")
    whole, shift = _whole(array)
    if origin is None:
        known = whole[~missing]
        near = known.size and int(known.max()) - int(known.min()) <= 2**62
        origin = shift + (int(known[0]) if near else 0)
    differences = np.where(missing, 0, whole - (int(origin) - shift)).astype(np.float64)
    return Continuous(column, kind, origin, differences, missing)


def _whole(array: pa.Array) -> tuple[NDArray[np.int64], int]:
    """The column as 64-bit integers, and what has been taken off them."""
    kind = array.type
    if pa.types.is_uint64(kind):
        unsigned = np.asarray(array.fill_null(0).to_numpy(zero_copy_only=False))
        return (unsigned ^ np.uint64(2**63)).view(np.int64), 2**63
    if pa.types.is_date64(kind):
        array = array.cast(pa.date32())
    if pa.types.is_date(kind) or pa.types.is_time32(kind):
        array = array.cast(pa.int32())
    return np.asarray(array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)), 0


def _whole_as(whole: NDArray[np.uint64], missing: Mask, kind: pa.DataType) -> pa.Array:
    """Whole numbers, as bits, in their type."""
    if pa.types.is_uint64(kind):
        return pa.array(whole, mask=missing)
    array = pa.array(np.where(missing, 0, whole.view(np.int64)), mask=missing)
    if pa.types.is_date(kind) or pa.types.is_time32(kind):
        array = array.cast(pa.int32())
    return array.cast(pa.date32()).cast(kind) if pa.types.is_date64(kind) else array.cast(kind)


def _limits(kind: pa.DataType) -> tuple[int, int]:
    """The least and the greatest whole number of a type."""
    if pa.types.is_time(kind):
        return 0, 86_400 * UNITS[kind.unit] - 1
    if pa.types.is_date(kind):
        return -(2**31), 2**31 - 1
    bits = kind.bit_width
    return (0, 2**bits - 1) if pa.types.is_unsigned_integer(kind) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _greatest(kind: pa.DataType) -> float:
    """A number that a type which holds fractions still rounds to its greatest one."""
    if pa.types.is_decimal(kind):
        return float(10.0 ** (kind.precision - kind.scale) - 0.5 * 10.0**-kind.scale)
    limits = np.finfo(kind.to_pandas_dtype())
    return float(limits.max) * (1 + float(limits.eps) / 4)


def _not_numbers(name: str, array: pa.Array) -> str:
    kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
    if pa.types.is_boolean(kind):
        return f"column {name!r} holds booleans: declare it nominal, or ordinal"
    if kind != array.type and not is_text(kind):
        return f"column {name!r} is continuous but holds categories: convert it, or declare it nominal or ordinal"
    if not is_text(kind):
        found = _type_in_words(kind)
        return f"column {name!r} holds {found}, which covey cannot average: expected numbers, dates or times"
    numbers, texts = count_numbers(array)
    if numbers == texts:
        return f"column {name!r} is continuous but holds numbers as text: convert it, or declare it nominal or ordinal"
    return f"column {name!r} is continuous but holds text: {texts - numbers} of {texts} values are not numbers"


def count_numbers(array: pa.Array) -> tuple[int, int]:
    """How many of a column's texts are written like numbers, and how many texts there are."""
    texts = array.cast(pa.string()).drop_null()
    return pc.sum(pc.match_substring_regex(texts, NUMBER)).as_py() or 0, len(texts)


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is of texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


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
    if column.kind is Kind.ORDINAL and is_text(kind):
        raise InvalidInput(
            f"column {column.name!r} is ordinal but neither its schema nor its type orders its texts:"
            " declare its categories from the lowest to the highest"
        )
    found = array.dictionary if pa.types.is_dictionary(array.type) else pc.unique(array)
    found = found.drop_null()
    if pa.types.is_floating(kind):
        _refuse_infinite(column.name, array)
    return found.take(pc.sort_indices(found))


def require_comparable(array: pa.Array, name: str) -> None:
    """Refuse a column whose values covey cannot tell apart.

    Raises
    ------
    InvalidInput
        It holds lists, structures, intervals or types of somebody's own.
    """
    if not is_comparable(array.type):
        kind = array.type.value_type if pa.types.is_dictionary(array.type) else array.type
        raise InvalidInput(
            f"column {name!r} holds {_type_in_words(kind)}, which covey cannot compare: convert it to texts or numbers"
        )


def is_comparable(kind: pa.DataType) -> bool:
    """Whether values of a type can be told apart."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return is_plain(kind) or _is_bytes(kind)


def is_plain(kind: pa.DataType) -> bool:
    """Whether a type is of texts, booleans, numbers, dates or times."""
    return bool(pa.types.is_boolean(kind) or is_text(kind) or _is_number(kind) or _is_whole(kind))


def _is_bytes(kind: pa.DataType) -> bool:
    return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind))


def _refuse_infinite(name: str, array: pa.Array) -> None:
    values = array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
    bad = pc.sum(pc.invert(pc.is_finite(values))).as_py()
    if bad:
        raise InvalidInput(f"column {name!r} has {bad} NaN or infinite values, which are no categories")


def _declared(column: Column, kind: pa.DataType) -> pa.Array:
    fits = {str: is_text, bool: pa.types.is_boolean, int: _is_number, float: _is_number}
    wrong = sum(not fits[type(category)](kind) for category in column.categories)
    categories: Any = None
    if not wrong:
        with suppress(pa.ArrowException, OverflowError, TypeError):
            categories = pa.array(column.categories).cast(kind)
    if categories is None:
        raise InvalidInput(
            f"the categories of column {column.name!r} are not of its type, {_type_in_words(kind)}:"
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


def _type_in_words(kind: pa.DataType) -> str:
    """The type in a user's words; the fields of a structure may be named by its values, so they are not told."""
    if pa.types.is_nested(kind):
        return "lists or structures"
    if isinstance(kind, pa.BaseExtensionType):
        return "an extension type"
    if is_text(kind):
        return "text"
    return "numbers" if _is_number(kind) else str(kind)


def category_values(categories: pa.Array) -> tuple[Category, ...]:
    """The categories as Python values."""
    return tuple(categories.to_pylist())
