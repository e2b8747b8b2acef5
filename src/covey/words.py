"""Names of columns in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def columns(names: Sequence[str]) -> str:
    """`column 'a'` or `columns 'a', 'b'`."""
    return f"column{'s' if len(names) > 1 else ''} {', '.join(map(repr, names))}"


def verb(names: Sequence[str], one: str, several: str) -> str:
    """The form of a verb whose subject they are."""
    return several if len(names) > 1 else one
