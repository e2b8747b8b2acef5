"""Partitions within strata."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import covey
from covey.partition.strata import group_rows, strata_codes

PARTITIONS: list[Any] = [covey.MDAV, covey.MD, covey.VMDAV, covey.Univariate]
every_partition = pytest.mark.parametrize("partition", PARTITIONS)


def records(partition: Any, n: int) -> np.ndarray:
    return np.random.default_rng(5).normal(size=(n, 1 if partition is covey.Univariate else 3)).round(1)


@every_partition
@given(
    strata=arrays(np.int64, 30, elements=st.integers(0, 2)).filter(
        lambda s: min(np.unique(s, return_counts=True)[1]) > 2
    )
)
def test_each_stratum_is_partitioned_alone(partition: Any, strata: np.ndarray) -> None:
    """Labels and centroids are those of fits of the strata one by one, numbered on; so no cell spans two."""
    X = records(partition, 30)
    fit = partition(3).fit(X, strata=strata)
    cells = 0
    for stratum in np.unique(strata):
        alone = partition(3).fit(X[strata == stratum])
        assert (fit.labels_[strata == stratum] - cells).tolist() == alone.labels_.tolist()
        assert fit.centroids_[cells : cells + len(alone.sizes_)].tolist() == alone.centroids_.tolist()
        cells += len(alone.sizes_)
    assert cells == len(fit.sizes_)


def test_strata_of_each_column_of_a_ranking() -> None:
    """IndividualRanking keeps to the strata in every column."""
    X, strata = np.random.default_rng(6).normal(size=(40, 2)), np.arange(40) % 4
    labels = covey.IndividualRanking(3).fit(X, strata=strata).labels_
    for column in labels.T:
        assert all(len(set(strata[column == cell])) == 1 for cell in range(column.max() + 1))


def test_strata_of_several_columns() -> None:
    """A stratum is a combination of the columns' values, of whatever types."""
    X, first, second = np.zeros((12, 1)), np.arange(12) % 2, np.arange(12) % 3
    expected = covey.MDAV(2).fit(X, strata=first * 3 + second).labels_.tolist()
    words = np.array(["ab"[i] for i in first])
    for strata in (
        np.column_stack([first, second]),
        np.column_stack([words, second]),
        np.column_stack([words.astype(object), second]),
        pd.DataFrame({"a": words, "b": second}),
    ):
        assert covey.MDAV(2).fit(X, strata=strata).labels_.tolist() == expected


@pytest.mark.parametrize(
    ("strata", "sentence"),
    [
        (np.zeros(11), "one row for each of the 12 records"),
        (np.zeros((12, 1, 1)), "one row"),
        (np.zeros((12, 0)), "one row"),
        ([[0], [1, 2]], "different lengths"),
        (np.ma.masked_less(np.arange(12), 3), "3 values are masked"),
        ("canary-4f1d", "one row"),
        (np.r_[np.zeros(11), 987654321.125], "1 of 2 strata have fewer than k=2"),
        (np.r_[np.zeros(10), np.nan, np.nan], "2 missing values"),
        (np.array(["a"] * 11 + [None], dtype=object), "1 missing values"),
        (np.array([1.0] * 11 + [np.nan], dtype=object), "1 missing values"),
        (np.array([1.0] * 11 + [pd.NA], dtype=object), "1 missing values"),
        (np.array(["2000-01-01"] * 11 + ["NaT"], dtype="M8[D]"), "1 missing values"),
        (np.array(["canary-4f1d"] * 6 + [1] * 6, dtype=object), "mixes types"),
    ],
)
@every_partition
def test_bad_strata(partition: Any, strata: Any, sentence: str) -> None:
    """Each record has one stratum, and each stratum at least k records; no value is told."""
    with pytest.raises(covey.InvalidInput, match=sentence) as caught:
        partition(2).fit(records(partition, 12), strata=strata)
    assert not any(canary in str(caught.value) for canary in ("canary-4f1d", "987654321"))
    assert caught.value.__context__ is None


def test_strata_of_dates() -> None:
    """Any values that can be sorted tell strata apart."""
    dates = np.array([dt.date(2000, 1, 1), dt.date(2001, 1, 1)] * 3, dtype=object)
    assert covey.MDAV(3).fit(np.zeros((6, 1)), strata=dates).labels_.tolist() == [0, 1, 0, 1, 0, 1]


@given(arrays(np.int64, st.integers(1, 30), elements=st.integers(-2, 2)))
def test_groups_hold_each_row_once(codes: np.ndarray) -> None:
    """Groups come in the order of their codes, and rows within them in ascending order."""
    groups = group_rows(codes)
    assert [codes[rows].tolist() for rows in groups] == [[c] * int(np.sum(codes == c)) for c in np.unique(codes)]
    assert all(np.all(np.diff(rows) > 0) for rows in groups)
    assert sorted(np.concatenate(groups).tolist()) == list(range(len(codes)))


def test_codes_of_strata() -> None:
    """Codes follow the order of the values, the first column first."""
    assert strata_codes([[1, "b"], [0, "c"], [1, "a"], [0, "c"]], 4).tolist() == [2, 0, 1, 0]
