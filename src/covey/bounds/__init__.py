"""How far from the least SSE of all a partition can still be."""

from covey.bounds.certificate import Certificate, certify
from covey.bounds.shares import gap, lower_bound

__all__ = ["Certificate", "certify", "gap", "lower_bound"]
