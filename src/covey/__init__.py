"""Publish microdata in which nobody stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.bounds import Certificate, certify, gap, lower_bound
    from covey.comparison import Comparison, compare
    from covey.criteria import Close, Diverse, PSensitive
    from covey.dependence import Dependence
    from covey.errors import CoveyError, FileError, GuaranteeError, InvalidInput
    from covey.measures import Predictability, predictability
    from covey.measures.confidential import Diversity, average_diversity, diversity, exposed_cells, p_sensitivity
    from covey.measures.intervals import IntervalDisclosure, interval_disclosure
    from covey.measures.linkage import Linkage, linkage
    from covey.measures.losses import Distortion, distortion
    from covey.measures.moments import MomentsKept, moments_kept
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
    from covey.report import Report
    from covey.schema import Column, Kind, Role, Schema, infer
    from covey.sweep import Tradeoff, tradeoff
    from covey.verification import Verification, verify

# Where each public name lives: it is imported when first asked for, so that `import covey` stays light.
HOMES = {
    "Certificate": "covey.bounds",
    "Comparison": "covey.comparison",
    "compare": "covey.comparison",
    "Dependence": "covey.dependence",
    "Predictability": "covey.measures",
    "predictability": "covey.measures",
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
    "IntervalDisclosure": "covey.measures.intervals",
    "interval_disclosure": "covey.measures.intervals",
    "Distortion": "covey.measures.losses",
    "distortion": "covey.measures.losses",
    "Linkage": "covey.measures.linkage",
    "linkage": "covey.measures.linkage",
    "MomentsKept": "covey.measures.moments",
    "moments_kept": "covey.measures.moments",
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
    "Report": "covey.report",
    "anonymize": "covey.release",
    "Column": "covey.schema",
    "Kind": "covey.schema",
    "Role": "covey.schema",
    "Schema": "covey.schema",
    "certify": "covey.bounds",
    "gap": "covey.bounds",
    "infer": "covey.schema",
    "lower_bound": "covey.bounds",
    "Tradeoff": "covey.sweep",
    "tradeoff": "covey.sweep",
    "Verification": "covey.verification",
    "verify": "covey.verification",
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
    "Dependence",
    "Distortion",
    "Diverse",
    "Diversity",
    "FileError",
    "GuaranteeError",
    "IndividualRanking",
    "IntervalDisclosure",
    "InvalidInput",
    "Kind",
    "Linkage",
    "Matrix",
    "MomentsKept",
    "MuApprox",
    "PSensitive",
    "Predictability",
    "Quantizer",
    "Refine",
    "Release",
    "Report",
    "Role",
    "Schema",
    "Tradeoff",
    "Univariate",
    "Verification",
    "allocate",
    "allocate_table",
    "anonymize",
    "average_diversity",
    "certify",
    "compare",
    "distortion",
    "diversity",
    "exposed_cells",
    "gap",
    "infer",
    "interval_disclosure",
    "linkage",
    "lower_bound",
    "moments_kept",
    "p_sensitivity",
    "predictability",
    "tradeoff",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'covey' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (light imports)

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
