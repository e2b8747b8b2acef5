"""Publish microdata in which nobody stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.partition import MD, MDAV, VMDAV, IndividualRanking, Matrix, Univariate

# Where each public name lives: it is imported when first asked for, so that `import covey` stays light.
HOMES = {
    "MD": "covey.partition",
    "MDAV": "covey.partition",
    "VMDAV": "covey.partition",
    "IndividualRanking": "covey.partition",
    "Matrix": "covey.partition",
    "Univariate": "covey.partition",
}

__all__ = ["MD", "MDAV", "VMDAV", "IndividualRanking", "Matrix", "Univariate"]


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'covey' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (light imports)

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
