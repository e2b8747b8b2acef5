"""What a release guarantees, and what it does not, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_PROTECTED = (
    "attribute disclosure: records that share their quasi-identifiers may share a confidential value too",
    "whoever knows a record by columns declared confidential or other, which are published as they are",
    "joining this release with another one of the same persons",
)

BEYOND = (
    "attribute disclosure beyond the criteria asked for: a cell may still make a confidential value likely, and in"
    " columns for which nothing was asked all its records may share one"
)
EVERYWHERE = (
    "every column by which a person could be recognised is declared a quasi-identifier or an identifier",
    "each record is a different person",
)


def joint_statement(k: int, quasi: Sequence[str], smallest: int) -> dict[str, Any]:
    """k-anonymity: every combination of quasi-identifiers is shared by at least k records."""
    return {
        "property": "k-anonymity",
        "k": k,
        "holds_for": list(quasi),
        "jointly": True,
        "smallest_cell": smallest,
        "says": f"Every published combination of {_listed(quasi)} is shared by at least {k} records"
        f" (the rarest by {smallest}); counted on the released table itself.",
        "protects_against": "identity disclosure: whoever knows only a person's quasi-identifiers finds at least"
        f" {k} records that fit alike",
        "assumes": list(EVERYWHERE),
        "does_not_protect_against": list(NOT_PROTECTED),
    }


def columnwise_statement(k: int, quasi: Sequence[str], smallest: int, smallest_jointly: int) -> dict[str, Any]:
    """k-anonymity of each column alone, which individual ranking gives."""
    return {
        "property": "k-anonymity of each column alone",
        "k": k,
        "holds_for": list(quasi),
        "jointly": False,
        "smallest_cell": smallest,
        "smallest_joint_combination": smallest_jointly,
        "says": f"In each of {_listed(quasi)}, taken alone, every published value is shared by at least {k} records."
        " JOINTLY THE TABLE IS NOT k-ANONYMOUS: the rarest combination of their values is shared by"
        f" {smallest_jointly} record{'s' if smallest_jointly != 1 else ''}.",
        "protects_against": "identity disclosure by whoever knows one quasi-identifier only",
        "assumes": ["nobody knows two quasi-identifiers of the same person", *EVERYWHERE],
        "does_not_protect_against": ["identity disclosure by several quasi-identifiers", *NOT_PROTECTED],
    }


def blockwise_statement(
    k: int, blocks: Sequence[Sequence[str]], smallest: int, smallest_jointly: int
) -> dict[str, Any]:
    """k-anonymity of each block of columns alone, which prepartition of the columns gives."""
    listed = "; ".join(_listed(block) for block in blocks)
    return {
        "property": "k-anonymity of each column block alone",
        "k": k,
        "holds_for": [list(block) for block in blocks],
        "jointly": False,
        "smallest_cell": smallest,
        "smallest_joint_combination": smallest_jointly,
        "says": f"In each of the blocks ({listed}), taken alone, every published combination is shared by at least {k}"
        " records. JOINTLY THE TABLE IS NOT k-ANONYMOUS: the rarest combination of all blocks is shared by"
        f" {smallest_jointly} record{'s' if smallest_jointly != 1 else ''}.",
        "protects_against": "identity disclosure by whoever knows quasi-identifiers of one block only",
        "assumes": ["nobody knows quasi-identifiers of two blocks of the same person", *EVERYWHERE],
        "does_not_protect_against": ["identity disclosure by quasi-identifiers of several blocks", *NOT_PROTECTED],
    }


def with_criteria(statement: dict[str, Any], also: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The statement with criteria that hold beside k, and what they leave unprotected."""
    if not also:
        return statement
    left = [BEYOND if said == NOT_PROTECTED[0] else said for said in statement["does_not_protect_against"]]
    return {**statement, "does_not_protect_against": left, "also": list(also)}


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
