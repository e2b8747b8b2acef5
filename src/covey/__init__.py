"""Publish microdata in which nobody stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.bounds import Certificate, certify, gap, lower_bound
    from covey.comparison import Comparison, compare
    from covey.criteria import Close, Diverse, PSensitive
    from covey.errors import CoveyError, FileError, GuaranteeError, InvalidInput
    from covey.measures.confidential import Diversity, average_diversity, diversity, exposed_cells, p_sensitivity
    from covey.partition import (
        MD,
        MDAV,
        MST,
        TFRP,
        VMDAV,
        Blocks,
        IndividualRanking,
        Matrix,
        MuApprox,
        Refine,
        Univariate,
    )
    from covey.release import Release, anonymize
    from covey.schema import Column, Kind, Role, Schema, infer

# Where each public name lives: it is imported when first asked for, so that `import covey` stays light.
HOMES = {
    "Certificate": "covey.bounds",
    "Comparison": "covey.comparison",
    "compare": "covey.comparison",
    "Close": "covey.criteria",
    "Diverse": "covey.criteria",
    "PSensitive": "covey.criteria",
    "CoveyError": "covey.errors",
    "FileError": "covey.errors",
    "GuaranteeError": "covey.errors",
    "InvalidInput": "covey.errors",
    "Diversity": "covey.measures.confidential",
    "average_diversity": "covey.measures.confidential",
    "diversity": "covey.measures.confidential",
    "exposed_cells": "covey.measures.confidential",
    "p_sensitivity": "covey.measures.confidential",
    "MD": "covey.partition",
    "MDAV": "covey.partition",
    "MST": "covey.partition",
    "TFRP": "covey.partition",
    "VMDAV": "covey.partition",
    "Blocks": "covey.partition",
    "IndividualRanking": "covey.partition",
    "PCL": "covey.partition",
    "Quantizer": "covey.partition",
    "Allocation": "covey.allocation",
    "allocate": "covey.allocation",
    "allocate_table": "covey.allocation",
    "Matrix": "covey.partition",
    "MuApprox": "covey.partition",
    "Refine": "covey.partition",
    "Univariate": "covey.partition",
    "Release": "covey.release",
    "anonymize": "covey.release",
    "Column": "covey.schema",
    "Kind": "covey.schema",
    "Role": "covey.schema",
    "Schema": "covey.schema",
    "certify": "covey.bounds",
    "gap": "covey.bounds",
    "infer": "covey.schema",
    "lower_bound": "covey.bounds",
}

__all__ = [
    "MD",
    "MDAV",
    "MST",
    "PCL",
    "TFRP",
    "VMDAV",
    "Allocation",
    "Blocks",
    "Certificate",
    "Close",
    "Column",
    "Comparison",
    "CoveyError",
    "Diverse",
    "Diversity",
    "FileError",
    "GuaranteeError",
    "IndividualRanking",
    "InvalidInput",
    "Kind",
    "Matrix",
    "MuApprox",
    "PSensitive",
    "Quantizer",
    "Refine",
    "Release",
    "Role",
    "Schema",
    "Univariate",
    "allocate",
    "allocate_table",
    "anonymize",
    "average_diversity",
    "certify",
    "compare",
    "diversity",
    "exposed_cells",
    "gap",
    "infer",
    "lower_bound",
    "p_sensitivity",
]


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'covey' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (light imports)

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
