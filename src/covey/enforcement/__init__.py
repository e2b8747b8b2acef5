"""Partitions made to meet criteria stronger than k-anonymity, with little more distortion."""

from covey.enforcement.enforce import Enforced, enforce, recount, refuse_infeasible
from covey.enforcement.requirement import Requirement, require

__all__ = ["Enforced", "Requirement", "enforce", "recount", "refuse_infeasible", "require"]
