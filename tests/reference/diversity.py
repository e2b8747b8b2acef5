"""How diverse a confidential column is within cells, as the papers define it: one cell and one value after another."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction


def shares(values: Sequence[Hashable]) -> dict[Hashable, Fraction]:
    """Of each value, the share of the records that have it."""
    return {value: Fraction(count, len(values)) for value, count in Counter(values).items()}


def entropy(values: Sequence[Hashable]) -> float:
    """In bits."""
    return math.fsum(-float(p) * math.log2(p) for p in shares(values).values())


def recursive_holds(values: Sequence[Hashable], c: Fraction, l: int) -> bool:  # noqa: E741 (the papers' ℓ)
    """Whether r₁ < c·(r_ℓ + … + r_m)."""
    r = sorted(Counter(values).values(), reverse=True)
    return r[0] < c * sum(r[l - 1 :])


def recursive_constant(values: Sequence[Hashable], l: int) -> float:  # noqa: E741 (the papers' ℓ)
    """What c must exceed."""
    r = sorted(Counter(values).values(), reverse=True)
    return r[0] / sum(r[l - 1 :]) if len(r) >= l else math.inf


def recursive_level(values: Sequence[Hashable], c: Fraction) -> int:
    """The greatest ℓ for which (c, ℓ)-diversity holds, or 0."""
    return max((m for m in range(1, len(set(values)) + 1) if recursive_holds(values, c, m)), default=0)


def equal_distance(cell: Sequence[Hashable], everybody: Sequence[Hashable]) -> float:
    """Half the sum of the differences of shares."""
    p, q = shares(cell), shares(everybody)
    return float(sum(abs(p.get(value, Fraction(0)) - q[value]) for value in q) / 2)


def ordered_distance(cell: Sequence[int], everybody: Sequence[int], levels: int) -> float:
    """The sum of the differences of cumulative shares over all but one of the levels 0 … levels − 1."""
    if levels < 2:
        return 0.0
    p, q = shares(cell), shares(everybody)
    total = carried = Fraction(0)
    for level in range(levels):
        carried += p.get(level, Fraction(0)) - q.get(level, Fraction(0))
        total += abs(carried)
    return float(total / (levels - 1))


def numeric_distance(cell: Sequence[float], everybody: Sequence[float]) -> float:
    """The least earth to move from one to the other, records cut in pieces, over the range of all values."""
    spread = Fraction(max(everybody)) - Fraction(min(everybody))
    if not spread:
        return 0.0
    one = sorted(list(cell) * len(everybody))
    other = sorted(list(everybody) * len(cell))
    moved = sum(abs(Fraction(x) - Fraction(y)) for x, y in zip(one, other, strict=True))
    return float(moved / len(one) / spread)


def log_ratio(cell: Sequence[Hashable], everybody: Sequence[Hashable], *, strict: bool = False) -> float:
    """The greatest |ln(p/q)|; of values that the cell lacks, infinite if strict and left out if not."""
    p, q = shares(cell), shares(everybody)
    if strict and set(q) - set(p):
        return math.inf
    return max(abs(math.log(p[value] / q[value])) for value in p)


def divergence(cell: Sequence[Hashable], everybody: Sequence[Hashable]) -> float:
    """Kullback-Leibler in bits."""
    p, q = shares(cell), shares(everybody)
    return math.fsum(float(share) * math.log2(share / q[value]) for value, share in p.items())


def mutual_information(cells: Sequence[Hashable], values: Sequence[Hashable]) -> float:
    """H(Y) + H(Q) − H(Q, Y) in bits."""
    return entropy(values) + entropy(cells) - entropy(list(zip(cells, values, strict=True)))
