"""Any eager data frame in, the same kind out: columns as Arrow arrays, and back as the type they had."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import narwhals as nw
import pyarrow as pa
import pyarrow.compute as pc

from covey.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
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
    names = getattr(table, "columns", None)
    if type(table).__module__.partition(".")[0] == "pandas" and names is not None:
        _check_names(list(names))
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
    if len(frame) == 0:
        raise InvalidInput("the table has no records")
    return cast("Frame", frame)


def _native_names(frame: Frame) -> list[object]:
    native = nw.to_native(frame)
    return list(native.column_names if isinstance(native, pa.Table) else native.columns)


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

    Raises
    ------
    InvalidInput
        The column mixes types.
    """
    column: Any = None
    with suppress(pa.ArrowException, TypeError, ValueError, OverflowError):
        column = frame.get_column(name).to_arrow()
    if column is None:
        raise InvalidInput(f"column {name!r} mixes types: expected numbers, texts or dates only")
    return combined(column) if isinstance(column, pa.ChunkedArray) else column


def combined(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece."""
    whole = column.unify_dictionaries().combine_chunks()
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole


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
        fractional = pa.types.is_floating(array.type) and pd.api.types.is_integer_dtype(before)
        columns[name] = series.astype("float64" if fractional else before)
    return pd.DataFrame({name: columns[name] for name in names})


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
    taken = native.select(kept).take(pa.array(rows))
    columns = {name: taken[name] for name in kept}
    for name, array in replaced.items():
        before = native.schema.field(name).type
        fractional = pa.types.is_floating(array.type) and pa.types.is_integer(before)
        columns[name] = array if fractional else _as_type(array, before, native[name])
    return pa.table([columns[name] for name in names], names=list(names))


def _as_type(array: pa.Array, kind: pa.DataType, original: pa.ChunkedArray) -> pa.Array:
    if not pa.types.is_dictionary(kind):
        return array.cast(kind)
    levels = combined(original)
    codes = pc.index_in(array, levels.dictionary.cast(array.type)).cast(kind.index_type)
    return pa.DictionaryArray.from_arrays(codes, levels.dictionary, ordered=kind.ordered)
