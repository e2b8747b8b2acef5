"""Any eager data frame in, the same kind out: columns as Arrow arrays, and back as the type they had."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from covey.arrays import combined, without_unused_levels
from covey.errors import InvalidInput
from covey.words import columns

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    Frame = nw.DataFrame[Any]
    Levels = Mapping[str, Collection[object]]

SUPPORTED = "a pandas or polars data frame or a pyarrow table"


def read_frame(table: object) -> Frame:
    """The table behind one interface.

    Raises
    ------
    InvalidInput
        It is not a data frame covey knows, has no records, or its column names are not distinct texts.
    """
    if isinstance(table, pa.Table):
        _check_names(table.column_names)
    elif type(table).__module__.partition(".")[0] == "pandas" and hasattr(table, "columns"):
        _check_names(list(table.columns))
    frame: Any = None
    with suppress(TypeError, ValueError):
        frame = nw.from_native(cast("Any", table), eager_only=True)
    if frame is None:
        lazy = hasattr(table, "collect")
        raise InvalidInput(
            f"expected {SUPPORTED}, found {type(table).__name__}" + (": collect it first" if lazy else "")
        )
    if not (frame.implementation.is_pandas() or frame.implementation.is_polars() or frame.implementation.is_pyarrow()):
        raise InvalidInput(f"expected {SUPPORTED}, found one of {frame.implementation}")
    _check_names(_native_names(frame))
    _refuse_run_ends(frame)
    if len(frame) == 0:
        raise InvalidInput("the table has no records")
    return cast("Frame", frame)


def _native_names(frame: Frame) -> list[object]:
    native = nw.to_native(frame)
    return list(native.column_names if isinstance(native, pa.Table) else native.columns)


def _refuse_run_ends(frame: Frame) -> None:
    native = nw.to_native(frame)
    fields = native.schema if isinstance(native, pa.Table) else []
    encoded = [field.name for field in fields if pa.types.is_run_end_encoded(field.type)]
    if encoded:
        raise InvalidInput(f"run-end encoding is not supported: decode {columns(encoded)} first")


def _check_names(names: list[object]) -> None:
    if not names:
        raise InvalidInput("the table has no columns")
    odd = sum(not isinstance(name, str) for name in names)
    if odd:
        raise InvalidInput(f"{odd} column names are not texts: rename the columns")
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InvalidInput(f"the table has more than one column named {', '.join(map(repr, twice))}: rename them")


def arrow_column(frame: Frame, name: str) -> pa.Array:
    """A column as one Arrow array, missing values as nulls; categories stay dictionaries.

    Types that Arrow can store but hardly compute with, such as string views, become their plain siblings.

    Raises
    ------
    InvalidInput
        The column mixes types, or Arrow has no such type.
    """
    column = readable_column(frame, name)
    if column is None:
        raise InvalidInput(f"column {name!r} {_why_unreadable(frame, name)}: convert it to numbers, texts or dates")
    return column


def readable_column(frame: Frame, name: str) -> pa.Array | None:
    """`arrow_column`, or nothing where that refuses."""
    if frame.implementation.is_polars() and frame.schema[name] == nw.Object:  # whose Arrow form is pointers
        return None
    native = nw.to_native(frame)
    with suppress(pa.ArrowException, TypeError, ValueError, OverflowError):
        column = native[name] if isinstance(native, pa.Table) else frame.get_column(name).to_arrow()
        return _plain(combined(column) if isinstance(column, pa.ChunkedArray) else column)
    return None


def _why_unreadable(frame: Frame, name: str) -> str:
    """The reason, from the type alone: its parameters may be values, such as the one that a sparse column omits."""
    kind = nw.to_native(frame)[name].dtype
    word = str(kind) if type(kind).__module__.startswith(("numpy", "polars")) else type(kind).__name__
    if word in ("object", "CategoricalDtype"):
        return "mixes types, or holds objects that covey does not know"
    return f"is of the type {word.partition('(')[0]}, which covey does not know"


def _plain(column: pa.Array) -> pa.Array:
    kind = column.type
    if not pa.types.is_dictionary(kind):
        plain = _plain_type(kind)
        return column if plain == kind else column.cast(plain)
    if isinstance(column.dictionary.type, pa.BaseExtensionType):
        return column
    levels = _plain(column.dictionary)
    if levels.null_count or len(levels.unique()) < len(levels):
        distinct = levels.drop_null().unique()
        return pa.DictionaryArray.from_arrays(
            pc.index_in(levels, distinct).take(column.indices), distinct, ordered=kind.ordered
        )
    return (
        column
        if levels.type == kind.value_type
        else pa.DictionaryArray.from_arrays(column.indices, levels, ordered=kind.ordered)
    )


def _plain_type(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_decimal32(kind) or pa.types.is_decimal64(kind):
        return pa.decimal128(kind.precision, kind.scale)
    siblings = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary(), pa.float16(): pa.float32()}
    return siblings.get(kind, kind)


def value_codes(column: pa.Array) -> NDArray[np.int64]:
    """A number for each value, the same for equal ones; missing ones have their own.

    −0.0 is not 0.0, because it does not look the same; all NaN are one value.
    """
    encoded = pc.dictionary_encode(column, null_encoding="encode")
    codes: NDArray[np.int64] = np.asarray(encoded.indices.cast(pa.int64()).fill_null(-1)) + 1
    return codes


def arrow_table(frame: Frame) -> pa.Table:
    """The whole table as Arrow, column by column."""
    names = frame.columns
    return pa.table([arrow_column(frame, name) for name in names], names=names)


def ordered_categories(frame: Frame, name: str) -> pa.Array | None:
    """The categories of a column whose type orders them, from the lowest to the highest."""
    kind = frame.schema[name]
    if isinstance(kind, nw.Enum):
        return pa.array(list(kind.categories))
    column = arrow_column(frame, name)
    if pa.types.is_dictionary(column.type) and column.type.ordered:
        return column.dictionary
    return None


def assemble(
    frame: Frame,
    names: Sequence[str],
    rows: NDArray[np.intp],
    replaced: Mapping[str, pa.Array],
    declared: Levels | None = None,
) -> tuple[Any, pa.Table]:
    """A native table of the columns `names` and records `rows`, some columns replaced; and the same as Arrow.

    Nothing of the original's index or metadata is in it, nor a level of a categorical type that no record of it has,
    unless `declared` names it among those of the column. A replaced column has the type it had, unless the type is of
    whole numbers and the new values are not.
    """
    native = nw.to_native(frame)
    kept = [name for name in names if name not in replaced]
    levels = {name: (declared or {}).get(name, ()) for name in names}
    if frame.implementation.is_pandas():
        output = _assemble_pandas(native, kept, rows, replaced, levels)
    elif frame.implementation.is_polars():
        output = _assemble_polars(native, kept, rows, replaced, levels)
    else:
        output = _assemble_arrow(native, kept, rows, replaced, levels)
    return output, arrow_table(nw.from_native(output, eager_only=True))


def _assemble_pandas(
    native: Any, kept: list[str], rows: NDArray[np.intp], replaced: Mapping[str, pa.Array], levels: Levels
) -> Any:
    import pandas as pd  # noqa: PLC0415 (it is there: the input is of its kind)

    output = native[kept].iloc[rows].reset_index(drop=True)
    columns = {name: output[name] for name in kept}
    columns |= {name: _pandas_like(array, native[name].dtype) for name, array in replaced.items()}
    return pd.DataFrame({name: _without_unused_pandas(columns[name], declared) for name, declared in levels.items()})


def _pandas_like(array: pa.Array, before: Any) -> Any:
    """New values as a pandas column of the type that the old ones had."""
    import pandas as pd  # noqa: PLC0415 (it is there: the input is of its kind)

    series = pd.Series(array, dtype=pd.ArrowDtype(array.type))
    if isinstance(before, pd.CategoricalDtype):
        return series.astype(_extended(before, array))
    if pd.api.types.is_object_dtype(before):
        return series.astype(object).where(series.notna(), None)
    if pa.types.is_floating(array.type) and pd.api.types.is_integer_dtype(before):
        return series.astype("float64")
    return series.astype(before)


def _extended(kind: Any, array: pa.Array) -> Any:
    """A pandas type of categories, with those that were declared and published though it lacks them."""
    import pandas as pd  # noqa: PLC0415 (it is there: the input is of its kind)

    new = _new_values(array, kind.categories)
    return pd.CategoricalDtype([*kind.categories, *new], ordered=kind.ordered) if new else kind


def _without_unused_pandas(series: Any, declared: Collection[object]) -> Any:
    import pandas as pd  # noqa: PLC0415 (it is there: the input is of its kind)

    if isinstance(series.dtype, pd.CategoricalDtype):
        used = set(np.unique(series.cat.codes))
        unused = [x for i, x in enumerate(series.cat.categories) if i not in used and x not in declared]
        told = series.cat.remove_categories(unused)
        return told if told.cat.ordered else told.cat.set_categories(_sorted(told))
    if not isinstance(series.dtype, pd.ArrowDtype):
        return series
    column = without_unused_levels(combined(pa.chunked_array(series.array.__arrow_array__())), declared)
    return pd.Series(column, dtype=pd.ArrowDtype(column.type))


def _sorted(series: Any) -> list[Any]:
    """The categories sorted; where they have no order, as published records have them and the others behind."""
    categories = list(series.cat.categories)
    with suppress(TypeError):
        return sorted(categories)
    first = {category: i for i, category in enumerate(series.drop_duplicates())}
    return sorted(categories, key=lambda category: first.get(category, len(first)))


def _new_values(array: pa.Array, categories: Any) -> list[Any]:
    return [value for value in array.unique().to_pylist() if value is not None and value not in categories]


def _assemble_polars(
    native: Any, kept: list[str], rows: NDArray[np.intp], replaced: Mapping[str, pa.Array], levels: Levels
) -> Any:
    import polars as pl  # noqa: PLC0415 (it is there: the input is of its kind)

    columns = {name: native[name].gather(rows) for name in kept}
    for name, array in replaced.items():
        series = pl.Series(name, array)
        before = native[name].dtype
        if isinstance(before, pl.Enum):
            before = pl.Enum([*before.categories, *_new_values(array, before.categories.to_list())])
        fractional = pa.types.is_floating(array.type) and before.is_integer()
        columns[name] = series if fractional else series.cast(before)
    return pl.DataFrame({name: _without_unused_polars(columns[name], declared) for name, declared in levels.items()})


def _without_unused_polars(series: Any, declared: Collection[object]) -> Any:
    """The levels of an Enum belong to its type; a Categorical tells those that it uses only."""
    import polars as pl  # noqa: PLC0415 (it is there: the input is of its kind)

    if not isinstance(series.dtype, pl.Enum):
        return series
    told = set(series.unique().drop_nulls().to_list()).union(declared)
    return series.cast(pl.Enum([level for level in series.dtype.categories if level in told]))


def _assemble_arrow(
    native: pa.Table, kept: list[str], rows: NDArray[np.intp], replaced: Mapping[str, pa.Array], levels: Levels
) -> pa.Table:
    places = pa.array(rows)
    columns = {name: _taken(native[name], places) for name in kept}
    for name, array in replaced.items():
        before = native.schema.field(name).type
        fractional = pa.types.is_floating(array.type) and pa.types.is_integer(before)
        columns[name] = array if fractional else _as_type(array, before, native[name])
    told = [without_unused_levels(columns[name], declared) for name, declared in levels.items()]
    return pa.table(told, names=list(levels))


def _taken(column: pa.ChunkedArray, rows: pa.Array) -> pa.Array:
    """Some values of a column; Arrow takes from views only by way of their plain siblings."""
    plain = _plain_type(column.type)
    if plain == column.type:
        return combined(column).take(rows)
    return combined(column.cast(plain)).take(rows).cast(column.type)


def _as_type(array: pa.Array, kind: pa.DataType, original: pa.ChunkedArray) -> pa.Array:
    if not pa.types.is_dictionary(kind):
        return array.cast(kind)
    whole = combined(original)
    levels = whole.dictionary.cast(array.type)
    new = array.unique().drop_null()
    new = new.filter(pc.invert(pc.is_in(new, levels)))
    levels = pa.concat_arrays([levels, new])  # declared and published, though the dictionary lacks them
    codes = pc.index_in(array, levels).cast(whole.type.index_type)
    return pa.DictionaryArray.from_arrays(codes, levels.cast(kind.value_type), ordered=kind.ordered)
