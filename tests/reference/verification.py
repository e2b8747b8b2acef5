"""The least combinations of columns that are at fault, by looking at all."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    Places = tuple[int, ...]


def fault(records: Sequence[tuple[object, ...]], places: Sequence[int], k: int) -> tuple[int, int]:
    """How many records are in groups of fewer than k, and the size of the smallest group."""
    sizes = Counter(tuple(record[j] for j in places) for record in records).values()
    return sum(size for size in sizes if size < k), min(sizes)


def culprits(records: Sequence[tuple[object, ...]], k: int) -> dict[Places, tuple[int, int]]:
    """Each combination at fault no part of which is."""
    d = len(records[0])
    every = [places for size in range(1, d + 1) for places in combinations(range(d), size)]
    guilty = {places: fault(records, places, k) for places in every if fault(records, places, k)[0]}
    return {places: found for places, found in guilty.items() if not any(set(other) < set(places) for other in guilty)}
