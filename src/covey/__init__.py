"""Publish microdata in which nobody stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from covey.bounds import Certificate, certify, gap, lower_bound
    from covey.comparison import Comparison, compare
    from covey.errors import CoveyError, FileError, GuaranteeError, InvalidInput
    from covey.measures.intervals import IntervalDisclosure, interval_disclosure
    from covey.measures.linkage import Linkage, linkage
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
    from covey.schema import Column, Kind, Role, Schema, infer
    from covey.verification import Verification, verify

# Where each public name lives: it is imported when first asked for, so that `import covey` stays light.
HOMES = {
    "Certificate": "covey.bounds",
    "Comparison": "covey.comparison",
    "compare": "covey.comparison",
    "CoveyError": "covey.errors",
    "FileError": "covey.errors",
    "GuaranteeError": "covey.errors",
    "InvalidInput": "covey.errors",
    "IntervalDisclosure": "covey.measures.intervals",
    "interval_disclosure": "covey.measures.intervals",
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
    "anonymize": "covey.release",
    "Column": "covey.schema",
    "Kind": "covey.schema",
    "Role": "covey.schema",
    "Schema": "covey.schema",
    "certify": "covey.bounds",
    "gap": "covey.bounds",
    "infer": "covey.schema",
    "lower_bound": "covey.bounds",
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
    "Column",
    "Comparison",
    "CoveyError",
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
    "Quantizer",
    "Refine",
    "Release",
    "Role",
    "Schema",
    "Univariate",
    "Verification",
    "allocate",
    "allocate_table",
    "anonymize",
    "certify",
    "compare",
    "gap",
    "infer",
    "interval_disclosure",
    "linkage",
    "lower_bound",
    "moments_kept",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module 'covey' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 (light imports)

    return getattr(import_module(HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOMES])
