"""A released table as cells and confidential values: what measures of diversity are made from."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from covey.encoding import Continuous, encode_column, require_comparable
from covey.errors import InvalidInput
from covey.frames import arrow_column, read_frame, value_codes
from covey.measures.anonymity import combination_labels
from covey.schema import Kind, Schema
from covey.words import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.frames import Frame
    from covey.matrix import Floats, Labels, Mask
    from covey.schema import Column


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A confidential column as codes of the values that occur.

    Attributes
    ----------
    column : Column
        Its schema.
    codes : ndarray of shape (n,)
        In the order of the values, where they have one; that of a missing value is behind them.
    missing : ndarray of bool of shape (n,)
        Where a value that has an order is missing.
    classes : ndarray of shape (n,)
        What counts as similar: the codes, or of a continuous column those of its intervals.
    numbers : ndarray, optional
        What the codes of a continuous column stand for, less some origin.
    """

    column: Column
    codes: Labels
    missing: Mask
    classes: Labels
    numbers: Floats | None = field(default=None, repr=False)


def read_cells(
    table: Any, schema: Schema, sensitive: str | Sequence[str] | None, width: float
) -> tuple[Labels, list[Values]]:
    """The cell of each record, numbered from 0, and the confidential columns or those asked about.

    Raises
    ------
    InvalidInput
        The table, the schema or the width is not usable.
    """
    check_positive(width, "width")
    frame = read_frame(table)
    names = check_names(frame, schema, sensitive)
    return cell_labels(frame, schema), [_values(frame, schema[name], width) for name in names]


def cell_labels(frame: Frame, schema: Schema) -> Labels:
    """The cell of each record, numbered from 0.

    Raises
    ------
    InvalidInput
        Values of a quasi-identifier cannot be told apart.
    """
    published = {column.name: arrow_column(frame, column.name) for column in schema.quasi}
    for name, array in published.items():
        if not pa.types.is_null(array.type):
            require_comparable(array, name)
    return combination_labels(pa.table(published), list(published))


def _values(frame: Frame, column: Column, width: float) -> Values:
    array = arrow_column(frame, column.name)
    if array.null_count == len(array):
        codes = np.zeros(len(array), dtype=np.int64)
    elif column.kind is Kind.NOMINAL:
        require_comparable(array, column.name)
        codes = value_codes(array)
    else:
        return values_of(encode_column(frame, column), width)
    return Values(column, codes, np.zeros(len(array), dtype=bool), codes)


def values_of(encoded: Encoded, width: float) -> Values:
    """The values of an encoded column; intervals are `width` standard deviations wide, one begins at the mean."""
    missing = encoded.missing
    if not isinstance(encoded, Continuous):
        codes, _ = _coded(encoded.codes, missing)
        return Values(encoded.column, codes, missing, codes)
    codes, numbers = _coded(encoded.values, missing)
    standardised = encoded.standardised()
    with np.errstate(over="ignore"):
        places = np.zeros(len(codes)) if standardised is None else np.floor(standardised / width)
    return Values(encoded.column, codes, missing, _coded(places, missing)[0], numbers)


def _coded(values: Floats | Labels, missing: Mask) -> tuple[Labels, Floats]:
    """Each value's place among the different ones, and these; missing ones have the place behind."""
    known, places = np.unique(values[~missing], return_inverse=True)
    codes = np.full(len(values), len(known), dtype=np.int64)
    codes[~missing] = places
    return codes, known.astype(np.float64)


# Whether it can be measured


def check_names(frame: Frame, schema: object, sensitive: str | Sequence[str] | None) -> list[str]:
    """The names of the columns asked about, when table and schema have what is needed."""
    if not isinstance(schema, Schema):
        raise InvalidInput(f"schema must be a covey.Schema, not {type(schema).__name__}: see Schema.of and infer")
    if not schema.quasi:
        raise InvalidInput("the schema has no quasi-identifier: there are no cells to look into")
    quasi = [column.name for column in schema.quasi]
    names = [column.name for column in schema.confidential] if sensitive is None else _listed(sensitive)
    if not names:
        raise InvalidInput("no column is confidential: declare one in the schema, or name some as sensitive")
    unknown = [name for name in names if name not in schema]
    if unknown:
        raise InvalidInput(f"sensitive names {columns(unknown)} that the schema does not have")
    both = [name for name in names if name in quasi]
    if both:
        raise InvalidInput(f"sensitive names {columns(both)} among the quasi-identifiers, which the cells are made of")
    absent = [name for name in (*quasi, *names) if name not in frame.columns]
    if absent:
        raise InvalidInput(f"the schema names {columns(absent)} that the table does not have")
    return list(dict.fromkeys(names))


def _listed(sensitive: object) -> list[str]:
    if isinstance(sensitive, str):
        return [sensitive]
    given = list(sensitive) if isinstance(sensitive, Iterable) else [sensitive]
    names = [name for name in given if isinstance(name, str)]
    if len(names) < len(given):
        raise InvalidInput("sensitive must be the name of a column or a list of names")
    return names


def check_whole(value: object, name: str) -> None:
    """Refuse what is no whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise InvalidInput(f"{name} must be a whole number of at least 1")


def check_positive(value: object, name: str) -> None:
    """Refuse what is no finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) < math.inf:
        raise InvalidInput(f"{name} must be a positive number")
