"""How a release was made, as plain JSON values."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from covey.errors import InvalidInput
from covey.frames import readable_column
from covey.partition.base import Estimator
from covey.schema import Column, Role, Schema

if TYPE_CHECKING:
    from covey.frames import Frame
    from covey.methods import Method


def describe(frame: Frame, schema: Schema, method: Method, options: dict[str, Any]) -> dict[str, Any]:
    """The recipe: version, digest of the input, schema, method and options."""
    return {
        "covey": version("covey"),
        "input": _input(frame),
        "schema": [_plain(column) for column in schema.columns],
        "method": _described(method),
        **options,
    }


def schema_of(recipe: dict[str, Any]) -> Schema:
    """The schema that a recipe tells; of columns that are not quasi-identifiers it tells no categories.

    Raises
    ------
    InvalidInput
        It tells none.
    """
    plain = recipe.get("schema")
    if not (isinstance(plain, list) and plain and all(_tells_column(column) for column in plain)):
        raise InvalidInput("the recipe tells no schema: give the JSON that covey anonymize --recipe wrote")
    return Schema(
        tuple(
            Column(
                column["name"],
                column["role"],
                column["kind"],
                tuple(column.get("categories", ())),
                column.get("decimals"),
            )
            for column in plain
        )
    )


def _tells_column(plain: object) -> bool:
    return (
        isinstance(plain, dict)
        and all(isinstance(plain.get(key), str) for key in ("name", "role", "kind"))
        and isinstance(plain.get("categories", []), list)
        and all(isinstance(category, str | int | float) for category in plain.get("categories", []))
    )


def is_input(frame: Frame, recipe: dict[str, Any]) -> bool:
    """Whether a table is, value by value and in the same order, the one that the recipe was applied to."""
    return bool(_input(frame) == recipe["input"])


def _input(frame: Frame) -> dict[str, Any]:
    """Size and digest of the input; identifiers of types that Arrow does not know are named as not digested."""
    columns = {name: readable_column(frame, name) for name in frame.columns}
    known = {name: column for name, column in columns.items() if column is not None}
    plain = {"records": len(frame), "columns": len(columns), "sha256": digest(pa.table(known))}
    unknown = [name for name in columns if name not in known]
    return {**plain, "undigested": unknown} if unknown else plain


def _plain(column: Column) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": column.name, "role": column.role.value, "kind": column.kind.value}
    if column.categories and column.role is Role.QUASI:
        plain["categories"] = list(column.categories)
    if column.decimals is not None:
        plain["decimals"] = column.decimals
    return plain


def _described(estimator: Estimator) -> dict[str, Any]:
    """The name of an estimator and its parameters, of which some may be estimators."""
    return {
        "name": type(estimator).__name__,
        **{name: _value(x) for name, x in estimator.get_params(deep=False).items()},
    }


def _value(value: Any) -> Any:
    """NumPy's numbers as Python's, estimators as their descriptions, others as they are."""
    if isinstance(value, Estimator):
        return _described(value)
    return value.item() if hasattr(value, "item") else value


class _Digest:
    """A file that keeps nothing but the SHA-256 of what is written to it."""

    closed = False

    def __init__(self) -> None:
        self.sha256 = hashlib.sha256()

    def write(self, data: Any) -> int:
        self.sha256.update(data)
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""


def digest(table: pa.Table) -> str:
    """SHA-256 of the table, without its metadata, as an Arrow stream of one batch."""
    whole = table.replace_schema_metadata(None).combine_chunks()
    sink = _Digest()
    with pa.PythonFile(sink, mode="w") as file, pa.ipc.new_stream(file, whole.schema) as stream:
        stream.write_table(whole)
    return sink.sha256.hexdigest()
