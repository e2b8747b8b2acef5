"""The references themselves, on cases worked by hand, and against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import partitions, vectorised
from tests.reference.records import Scale
from tests.unit.partition.strategies import Case, cases, mixed_cases, scales_of

MEAN = [Scale("mean")]
SIX = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]])
SEVEN = np.array([[0.0], [1.0], [2.0], [3.0], [20.0], [21.0], [40.0]])


def test_mdav_by_hand() -> None:
    """Average 6: x_r = 0 (12 is as far, but a higher row) with 1; x_s = 12 with 11; 2 and 10 are left."""
    assert partitions.mdav(SIX, 2, MEAN).tolist() == [0, 0, 2, 2, 1, 1]


def test_mdav_splits_the_rest() -> None:
    """Average 87/7: x_r = 40 with 21; x_s = 0 with 1; of 2, 3, 20 left, 20 is farthest from 25/3 and takes 3."""
    labels = partitions.mdav(SEVEN, 2, MEAN)
    assert labels.tolist() == [1, 1, 2, 2, 2, 0, 0]
    assert partitions.mdav(SEVEN, 3, MEAN).tolist() == [1, 1, 1, 1, 0, 0, 0]


def test_mdav_adjoins_the_rest() -> None:
    """Pairs of cells while 2k = 4 are left; 2, 3 and 20 then make a cell; of 5 records with k = 2, 1 joins the last."""
    assert partitions.mdav(SEVEN, 2, MEAN, "adjoin").tolist() == [1, 1, 2, 2, 2, 0, 0]
    assert partitions.mdav(SIX[:5], 2, MEAN, "adjoin").tolist() == [1, 1, 1, 0, 0]


def test_md_by_hand() -> None:
    """0 and 12 are farthest apart; 2 and 10 are left."""
    assert partitions.md(SIX, 2, MEAN).tolist() == [0, 0, 2, 2, 1, 1]


def test_md_joins_the_rest_to_the_nearest_average() -> None:
    """0 and 40 seed cells with 1 and 21; 2 and 20 with 3; nothing is left but … 20, whose cell takes what it must."""
    assert partitions.md(SEVEN[:5], 2, MEAN).tolist() == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("gamma", "labels"), [(0.0, [0, 0, 2, 2, 1, 1]), (1.0, [0, 0, 0, 1, 1, 1])])
def test_vmdav_by_hand(gamma: float, labels: list[int]) -> None:
    """2 is 1 from the cell of 0 and 1, and 8 from the next record left: it joins for γ = 1."""
    assert partitions.vmdav(SIX, 2, gamma, MEAN).tolist() == labels


@given(st.one_of(cases(), mixed_cases()), st.sampled_from(["split", "adjoin"]))
def test_mdav_a_column_at_a_time(case: Case, tail: str) -> None:
    """The vectorised reference gives the labels of the obvious one."""
    space = case.space()
    expected = partitions.mdav(space.values, case.k, scales_of(space), tail).tolist()
    assert vectorised.mdav(space.values, case.k, scales_of(space), tail).tolist() == expected


@given(st.one_of(cases(most_records=20), mixed_cases(most_records=20)))
def test_md_a_column_at_a_time(case: Case) -> None:
    """So it does for MD."""
    space = case.space()
    expected = partitions.md(space.values, case.k, scales_of(space)).tolist()
    assert vectorised.md(space.values, case.k, scales_of(space)).tolist() == expected


@given(st.one_of(cases(), mixed_cases()), st.sampled_from([0.0, 0.3, 1.1, 5.0]))
def test_vmdav_a_column_at_a_time(case: Case, gamma: float) -> None:
    """So it does for V-MDAV."""
    space = case.space()
    expected = partitions.vmdav(space.values, case.k, gamma, scales_of(space)).tolist()
    assert vectorised.vmdav(space.values, case.k, gamma, scales_of(space)).tolist() == expected


def test_only_the_first_cells() -> None:
    """Asked for some cells only, the vectorised MDAV forms those, in pairs."""
    X = np.arange(20.0).reshape(-1, 1) ** 2
    whole, part = vectorised.mdav(X, 2, MEAN), vectorised.mdav(X, 2, MEAN, cells=4)
    assert np.where(whole < 4, whole, -1).tolist() == part.tolist()
