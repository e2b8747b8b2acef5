"""Arrow arrays in one piece, and dictionaries with no more levels than may be told."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

WIDE = 32  # bits of an index that has room for every level


def combined(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece; the index of a dictionary is widened where all levels together need it."""
    if pa.types.is_dictionary(column.type) and column.num_chunks > 1 and column.type.index_type.bit_width < WIDE:
        column = _narrowed(_widened(column), column.type)
    whole = column.unify_dictionaries().combine_chunks()
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


def _widened(column: pa.ChunkedArray) -> pa.ChunkedArray:
    chunks = [_with_index(chunk, pa.int32()) for chunk in column.chunks]
    return pa.chunked_array(chunks).unify_dictionaries()


def _narrowed(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """The column with its former index, if there are few enough levels."""
    greatest = 2 ** (kind.index_type.bit_width - (not pa.types.is_unsigned_integer(kind.index_type))) - 1
    if max(len(chunk.dictionary) for chunk in column.chunks) > greatest:
        return column
    return pa.chunked_array([_with_index(chunk, kind.index_type) for chunk in column.chunks])


def _with_index(chunk: pa.DictionaryArray, index: pa.DataType) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(chunk.indices.cast(index), chunk.dictionary, ordered=chunk.type.ordered)


def without_unused_levels(column: pa.Array, declared: Collection[object] = ()) -> pa.Array:
    """The column with the levels that it uses or that are declared, and no others; sorted, unless the type orders them.

    A level that no record has may be the value of a record that was left out, and levels in the order in which they
    occurred tell the order of the records.
    """
    kind = column.type
    if not pa.types.is_dictionary(kind):
        return _nested_without_unused_levels(column) if _holds_dictionaries(kind) else column
    used = np.zeros(len(column.dictionary) + 1, dtype=bool)  # the last place is of missing values
    indices = np.asarray(column.indices.cast(pa.int64()).fill_null(len(column.dictionary)))
    used[indices] = True
    for place in np.flatnonzero(~used[:-1]):
        used[place] = column.dictionary[int(place)].as_py() in declared if declared else False
    kept = np.flatnonzero(used[:-1])
    if not kind.ordered:
        kept = kept[_sorted_places(_some(column.dictionary, kept), indices, kept)]
    if np.array_equal(kept, np.arange(len(column.dictionary))):
        return column
    places = np.zeros(len(used), dtype=np.int64)
    places[kept] = np.arange(len(kept))
    codes = pa.array(places[indices], mask=indices == len(column.dictionary)).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(codes, _some(column.dictionary, kept), ordered=kind.ordered)


def _sorted_places(levels: pa.Array, indices: NDArray[np.int64], kept: NDArray[np.intp]) -> NDArray[np.intp]:
    """The places of levels in their order; where they have none, in that in which published records have them."""
    with suppress(pa.ArrowException):
        return np.asarray(pc.array_sort_indices(levels.cast(_plain_level(levels.type))), dtype=np.intp)
    first = np.full(int(max(kept, default=0)) + 1, len(indices))
    known = indices <= int(max(kept, default=0))
    np.minimum.at(first, indices[known], np.flatnonzero(known))
    return np.argsort(first[kept], kind="stable")


def _some(levels: pa.Array, places: Any) -> pa.Array:
    """Some of the levels; Arrow takes from views only by way of their plain siblings."""
    return levels.cast(_plain_level(levels.type)).take(pa.array(places)).cast(levels.type)


def _plain_level(kind: pa.DataType) -> pa.DataType:
    siblings = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return siblings.get(kind, kind)


def _holds_dictionaries(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return True
    return any(_holds_dictionaries(kind.field(i).type) for i in range(kind.num_fields))


def _nested_without_unused_levels(column: pa.Array) -> pa.Array:
    """Lists or structures of categories with new dictionaries; as plain values, where Arrow cannot make such."""
    plain = column.cast(_plain(column.type))
    with suppress(pa.ArrowException):
        return plain.cast(column.type)
    return plain


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type with plain values in the place of dictionaries."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([_plain_field(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_plain(kind.key_type), _plain(kind.item_type), keys_sorted=kind.keys_sorted)
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_plain_field(kind.value_field), kind.list_size)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return (pa.list_ if pa.types.is_list(kind) else pa.large_list)(_plain_field(kind.value_field))
    return kind


def _plain_field(field: pa.Field) -> pa.Field:
    return field.with_type(_plain(field.type))
