"""Publish microdata in which nobody stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.errors import CoveyError, FileError, GuaranteeError, InvalidInput
    from covey.partition import MD, MDAV, VMDAV, IndividualRanking, Matrix, Refine, Univariate
    from covey.release import Release, anonymize
    from covey.schema import Column, Kind, Role, Schema, infer

# Where each public name lives: it is imported when first asked for, so that `import covey` stays light.
HOMES = {
    "CoveyError": "covey.errors",
    "FileError": "covey.errors",
    "GuaranteeError": "covey.errors",
    "InvalidInput": "covey.errors",
    "MD": "covey.partition",
    "MDAV": "covey.partition",
    "VMDAV": "covey.partition",
    "IndividualRanking": "covey.partition",
    "Matrix": "covey.partition",
    "Refine": "covey.partition",
    "Univariate": "covey.partition",
    "Release": "covey.release",
    "anonymize": "covey.release",
    "Column": "covey.schema",
    "Kind": "covey.schema",
    "Role": "covey.schema",
    "Schema": "covey.schema",
    "infer": "covey.schema",
}

__all__ = [
    "MD",
    "MDAV",
    "VMDAV",
    "Column",
    "CoveyError",
    "FileError",
    "GuaranteeError",
    "IndividualRanking",
    "InvalidInput",
    "Kind",
    "Matrix",
    "Refine",
    "Release",
    "Role",
    "Schema",
    "Univariate",
    "anonymize",
    "infer",
]


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'covey' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (light imports)

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
