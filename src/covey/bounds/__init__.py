"""How far from the least SSE of all a partition can still be."""

from covey.bounds.shares import gap, lower_bound

__all__ = ["gap", "lower_bound"]
