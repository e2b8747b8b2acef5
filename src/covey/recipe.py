"""How a release was made, as plain JSON values."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from covey.frames import arrow_table
from covey.partition.base import Estimator
from covey.schema import Column, Role, Schema

if TYPE_CHECKING:
    from covey.frames import Frame
    from covey.methods import Method


def describe(frame: Frame, schema: Schema, method: Method, options: dict[str, Any]) -> dict[str, Any]:
    """The recipe: version, digest of the input, schema, method and options."""
    return {
        "covey": version("covey"),
        "input": {"records": len(frame), "columns": len(frame.columns), "sha256": digest(arrow_table(frame))},
        "schema": [_plain(column) for column in schema.columns],
        "method": _parameters(method),
        **options,
    }


def _parameters(method: Estimator) -> dict[str, Any]:
    own = method.get_params(deep=False)
    return {"name": type(method).__name__} | {
        name: _parameters(value) if isinstance(value, Estimator) else _number(value) for name, value in own.items()
    }


def _plain(column: Column) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": column.name, "role": column.role.value, "kind": column.kind.value}
    if column.categories and column.role is Role.QUASI:
        plain["categories"] = list(column.categories)
    if column.decimals is not None:
        plain["decimals"] = column.decimals
    return plain


def _number(value: Any) -> Any:
    """NumPy's numbers as Python's, others as they are."""
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
