"""Slow, obvious versions of the algorithms, straight from the papers: the specification of the fast ones."""
