"""Any eager data frame in, the same kind out: columns as Arrow arrays, and back as the type they had."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from covey.errors import InvalidInput
from covey.words import columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Frame = nw.DataFrame[Any]

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
        The column mixes types.
    """
    column: Any = None
    if not (frame.implementation.is_polars() and frame.schema[name] == nw.Object):  # whose Arrow form is pointers
        with suppress(pa.ArrowException, TypeError, ValueError, OverflowError):
            column = frame.get_column(name).to_arrow()
    if column is None:
        raise InvalidInput(
            f"column {name!r} mixes types, or is of a type that covey does not know: expected numbers, texts or dates"
            " only"
        )
    return _plain(combined(column) if isinstance(column, pa.ChunkedArray) else column)


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


def combined(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    whole = column.unify_dictionaries().combine_chunks()
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


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
    frame: Frame, names: Sequence[str], rows: NDArray[np.intp], replaced: Mapping[str, pa.Array]
) -> tuple[Any, pa.Table]:
    """A native table of the columns `names` and records `rows`, some columns replaced; and the same as Arrow.

    Nothing of the original's index or metadata is in it. A replaced column has the type it had, unless the type
    is of whole numbers and the new values are not.
    """
    native = nw.to_native(frame)
    kept = [name for name in names if name not in replaced]
    if frame.implementation.is_pandas():
        output = _assemble_pandas(native, names, kept, rows, replaced)
    elif frame.implementation.is_polars():
        output = _assemble_polars(native, names, kept, rows, replaced)
    else:
        output = _assemble_arrow(native, names, kept, rows, replaced)
    return output, arrow_table(nw.from_native(output, eager_only=True))


def _assemble_pandas(
    native: Any,
    names: Sequence[str],
    kept: list[str],
    rows: NDArray[np.intp],
    replaced: Mapping[str, pa.Array],
) -> Any:
    import pandas as pd  # noqa: PLC0415 (it is there: the input is of its kind)

    output = native[kept].iloc[rows].reset_index(drop=True)
    columns = {name: output[name] for name in kept}
    for name, array in replaced.items():
        series = pd.Series(array, dtype=pd.ArrowDtype(array.type))
        before = native[name].dtype
        if isinstance(before, pd.CategoricalDtype):
            columns[name] = series.astype(_extended(before, array))
        elif pd.api.types.is_object_dtype(before):
            columns[name] = series.astype(object).where(series.notna(), None)
        elif pa.types.is_floating(array.type) and pd.api.types.is_integer_dtype(before):
            columns[name] = series.astype("float64")
        else:
            columns[name] = series.astype(before)
    return pd.DataFrame({name: columns[name] for name in names})


def _extended(kind: Any, array: pa.Array) -> Any:
    """A pandas type of categories, with those that were declared and published though it lacks them."""
    import pandas as pd  # noqa: PLC0415 (it is there: the input is of its kind)

    new = _new_values(array, kind.categories)
    return pd.CategoricalDtype([*kind.categories, *new], ordered=kind.ordered) if new else kind


def _new_values(array: pa.Array, categories: Any) -> list[Any]:
    return [value for value in array.unique().to_pylist() if value is not None and value not in categories]


def _assemble_polars(
    native: Any,
    names: Sequence[str],
    kept: list[str],
    rows: NDArray[np.intp],
    replaced: Mapping[str, pa.Array],
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
    return pl.DataFrame({name: columns[name] for name in names})


def _assemble_arrow(
    native: pa.Table,
    names: Sequence[str],
    kept: list[str],
    rows: NDArray[np.intp],
    replaced: Mapping[str, pa.Array],
) -> pa.Table:
    places = pa.array(rows)
    columns = {name: _taken(native[name], places) for name in kept}
    for name, array in replaced.items():
        before = native.schema.field(name).type
        fractional = pa.types.is_floating(array.type) and pa.types.is_integer(before)
        columns[name] = array if fractional else _as_type(array, before, native[name])
    return pa.table([columns[name] for name in names], names=list(names))


def _taken(column: pa.ChunkedArray, rows: pa.Array) -> pa.ChunkedArray:
    """Some values of a column; Arrow takes from views only by way of their plain siblings."""
    plain = _plain_type(column.type)
    return column.take(rows) if plain == column.type else column.cast(plain).take(rows).cast(column.type)


def _as_type(array: pa.Array, kind: pa.DataType, original: pa.ChunkedArray) -> pa.Array:
    if not pa.types.is_dictionary(kind):
        return array.cast(kind)
    levels = combined(original).dictionary.cast(array.type)
    new = array.unique().drop_null()
    new = new.filter(pc.invert(pc.is_in(new, levels)))
    levels = pa.concat_arrays([levels, new])  # declared and published, though the dictionary lacks them
    codes = pc.index_in(array, levels).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(codes, levels.cast(kind.value_type), ordered=kind.ordered)
