"""Clients to centres of given capacities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import covey
from covey import InvalidInput
from tests.reference.pcl import distances


def least(table: np.ndarray, capacities: np.ndarray) -> float:
    seats = np.repeat(np.arange(len(capacities)), capacities)
    rows, columns = linear_sum_assignment(table[:, seats])
    return float(table[rows, seats[columns]].sum())


@given(seed=st.integers(0, 10**6), spare=st.integers(0, 9), plain=st.booleans())
def test_allocations_are_optimal(seed: int, spare: int, plain: bool) -> None:
    """Within the capacities, no allocation has a lower total; nobody would be better off at distance + cost."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 40)), int(rng.integers(1, 6))
    X, centres = rng.integers(0, 9, size=(n, 2)).astype(float), rng.normal(4, 3, size=(m, 2))
    capacities = rng.multinomial(n + spare, np.full(m, 1 / m))
    found = covey.allocate(X, centres, capacities, distance="plain" if plain else "squared")
    table = np.sqrt(distances(X, centres)) if plain else distances(X, centres)
    assert np.all(found.served <= capacities)
    assert found.served.tolist() == np.bincount(found.labels, minlength=m).tolist()
    assert found.total == pytest.approx(least(table, capacities))
    paid = table[np.arange(n), found.labels]
    assert found.total == pytest.approx(paid.sum())
    assert np.all(paid + found.costs[found.labels] <= (table + found.costs).min(axis=1) + 1e-9)
    if spare:
        assert np.all(found.costs[found.served < capacities] <= 1e-12)


@given(seed=st.integers(0, 10**6))
def test_tables(seed: int) -> None:
    """Any table of distances, even of negative ones, is allocated at the least total."""
    rng = np.random.default_rng(seed)
    table = rng.integers(-5, 9, size=(12, 4)).astype(float)
    capacities = np.array([5, 2, 4, 3])
    found = covey.allocate_table(table, capacities)
    assert found.total == pytest.approx(least(table, capacities))
    assert np.all(found.served <= capacities)


def test_two_hospitals() -> None:
    """Three patients beside a hospital of two beds: the one for whom the other is the least detour goes there."""
    found = covey.allocate([[0.0], [1.0], [2.0]], [[1.0], [10.0]], [2, 5], distance="plain")
    assert found.labels.tolist() == [0, 0, 1]
    assert found.total == 9.0


def test_a_closed_centre() -> None:
    """A centre of no capacity serves nobody, whether others are filled or not."""
    for capacities in ([2, 0], [3, 0]):
        assert covey.allocate([[0.0], [9.0]], [[1.0], [9.0]], capacities).labels.tolist() == [0, 0]


BAD: dict[str, tuple[tuple[Any, ...], str]] = {
    "too little": (([[0.0], [1.0]], [[0.0]], [1]), "capacities of 1 in all cannot serve 2 clients"),
    "negative": (([[0.0], [1.0]], [[0.0], [1.0]], [3, -1]), "1 capacities are below 0"),
    "fractions": (([[0.0]], [[0.0]], [1.5]), "whole numbers"),
    "another number": (([[0.0]], [[0.0], [1.0]], [1]), "one for each of the 2 centres"),
    "NaN": (([[0.0]], [[np.nan]], [1]), "NaN or inf"),
    "columns": (([[0.0, 1.0]], [[0.0]], [1]), "clients have 2 columns, centres 1"),
}


@pytest.mark.parametrize(("parts", "match"), BAD.values(), ids=BAD)
def test_bad_parts(parts: tuple[Any, ...], match: str) -> None:
    """Each is refused in one sentence."""
    with pytest.raises(InvalidInput, match=match):
        covey.allocate(*parts)


def test_unknown_distance() -> None:
    """A distance that covey does not know is refused."""
    with pytest.raises(InvalidInput, match="unknown distance"):
        covey.allocate([[0.0]], [[0.0]], [1], distance="manhattan")  # type: ignore[arg-type]
