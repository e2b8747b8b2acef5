"""MDAV's kernels against the textbook, to the last record."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import covey
from covey import _core
from covey.matrix import Matrix, Space
from tests.reference import partitions, vectorised
from tests.unit.partition.strategies import Case, cases, mixed_cases, mixed_records, scales_of

SEARCHES = (_core.Search.tree, _core.Search.flat)
TAILS = {"split": _core.Tail.split, "adjoin": _core.Tail.adjoin}
SANITIZED = bool(os.environ.get("COVEY_SANITIZED"))
EIA = ["UTILITYID", "RESREVENUE", "RESSALES", "COMREVENUE", "COMSALES", "INDREVENUE", "INDSALES", "OTHREVENUE"]
EIA += ["OTHRSALES", "TOTREVENUE", "TOTSALES"]
GOLDEN = {
    "census": (5.6922, 7.4947, 9.0884, 14.1559),
    "tarragona": (16.9326, 19.5460, 22.4619, 33.1929),
    "eia": (0.4829, 0.6713, 1.6667, 3.8397),
}


def kernel(space: Space, k: int, tail: str, search: _core.Search, threads: int = 1) -> list[int]:
    return _core.mdav(space.values, space.averages, space.levels, k, TAILS[tail], search, threads).tolist()


def assert_textbook(case: Case, tail: str, ordinal_average: str = "median") -> None:
    space = case.space(ordinal_average)
    expected = partitions.mdav(space.values, case.k, scales_of(space), tail).tolist()
    for search in SEARCHES:
        for threads in (1, 2, 7):
            assert kernel(space, case.k, tail, search, threads) == expected


def table(path: Path, columns: slice | list[str]) -> np.ndarray:
    """Standardised columns of a data set."""
    with path.open() as file:
        rows = list(csv.DictReader(file))
    names = list(rows[0])[columns] if isinstance(columns, slice) else columns
    return standardised(np.array([[float(row[name]) for name in names] for row in rows]))


def standardised(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.mark.parametrize("tail", TAILS)
@given(cases())
def test_continuous_records(tail: str, case: Case) -> None:
    """Either search, with any number of threads, gives the textbook's labels."""
    assert_textbook(case, tail)


@pytest.mark.parametrize("tail", TAILS)
@given(cases(most_columns=12, most_records=60))
def test_many_columns(tail: str, case: Case) -> None:
    """So it does in up to twelve columns, where the tree bounds by distances from the centre, too."""
    assert_textbook(case, tail)


@pytest.mark.parametrize("ordinal_average", ["median", "convex"])
@given(mixed_cases(), st.sampled_from(sorted(TAILS)))
def test_mixed_records(ordinal_average: str, case: Case, tail: str) -> None:
    """So it does for ordinal and nominal columns, whatever the average of the ordinal ones."""
    assert_textbook(case, tail, ordinal_average)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("n", [399, 400, 401])
def test_some_hundred_records(n: int, tail: str) -> None:
    """So it does when there are hundreds of cells."""
    X = np.random.default_rng(n).normal(size=(n, 3)).round(1)
    assert_textbook(Case(Matrix.of(X), 3), tail)


def drawn(shape: str, n: int, d: int) -> np.ndarray:
    rng = np.random.default_rng(d)
    X = rng.normal(size=(n, d))
    return {
        "normal": X,
        "grid": rng.integers(0, 3, size=(n, d)).astype(float),
        "offset": X + 1e9,
        "uneven": X * 10.0 ** rng.integers(-8, 8, size=(n, d)),
        "clusters": X * 1e-6 + rng.integers(0, 4, size=(n, 1)),
        "on a sphere": X / np.linalg.norm(X, axis=1, keepdims=True),
        "nearly lost": np.column_stack([np.ones(n), np.exp(X[:, 1:]) * 2e-161]),
    }[shape]


@pytest.mark.parametrize("d", [1, 3, 4, 12])
@pytest.mark.parametrize("shape", ["normal", "grid", "offset", "uneven", "clusters", "on a sphere", "nearly lost"])
def test_trees_of_two_levels(shape: str, d: int) -> None:
    """In a tree of several levels that is built anew on the way, boxes exclude nobody who belongs in a cell."""
    n = 1200 if SANITIZED else 2500
    space = Space.of(Matrix.of(drawn(shape, n, d)))
    expected = vectorised.mdav(space.values, 5, scales_of(space)).tolist()
    assert kernel(space, 5, "split", _core.Search.tree) == expected
    assert kernel(space, 5, "split", _core.Search.flat, threads=2) == expected


@pytest.mark.parametrize("ordinal_average", ["median", "convex"])
def test_trees_of_mixed_records(ordinal_average: str) -> None:
    """Masks of categories that are folded together exclude nobody either."""
    space = Space.of(mixed_records(1500, seed=1), ordinal_average)
    expected = vectorised.mdav(space.values, 4, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, 4, "split", search, threads=2) == expected


@pytest.mark.parametrize("categories", [64, 65])
def test_masks_of_just_enough_bits(categories: int) -> None:
    """The last category that has a bit of its own, and the first that has not, are kept apart."""
    rng = np.random.default_rng(categories)
    codes = rng.integers(0, categories, size=(1300, 2))
    space = Space.of(Matrix.of(codes, ["nominal", "nominal"], [categories, categories]))
    expected = vectorised.mdav(space.values, 3, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, 3, "split", search) == expected


@pytest.mark.parametrize("most", [64, 128])
@pytest.mark.parametrize("d", [1, 3])
def test_categories_that_share_a_bit(d: int, most: int) -> None:
    """A leaf of nothing but category 64 is not taken to be one of category 0, whose bit it has."""
    codes = np.random.default_rng(d).integers(0, most // 64 + 1, size=(1500, d)) * 64
    place = np.arange(1500) % 7 / 2
    levels = [0, *[most + 1] * d]
    space = Space.of(Matrix.of(np.column_stack([place, codes]), ["continuous", *["nominal"] * d], levels))
    expected = vectorised.mdav(space.values, 3, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, 3, "split", search) == expected


def test_the_running_average_is_exact() -> None:
    """What huge values leave in a running sum of floats is far more than the values that remain; here it is nothing."""
    rng = np.random.default_rng(0)
    n, k = (3000, 10) if SANITIZED else (20_000, 50)
    X = rng.normal(size=(n, 2))
    X[: n // 2] += rng.choice([-1e16, 1e16], size=(n // 2, 2)) * rng.uniform(1, 2, size=(n // 2, 2))
    order = rng.permutation(n)
    X, huge = X[order], order < n // 2
    naive = np.add.accumulate(np.concatenate([[X[:, 0].sum()], -X[huge, 0]]))[-1]
    assert abs(naive - X[~huge, 0].sum()) > n / 20  # the mean is off by a tenth of a standard deviation of those left
    space = Space.of(Matrix.of(X))
    expected = vectorised.mdav(space.values, k, scales_of(space)).tolist()
    for search in SEARCHES:
        assert kernel(space, k, "split", search) == expected


def test_a_hundred_thousand_deletions() -> None:
    """At an offset of 1e9 standard deviations the average of what is left stays the one reckoned anew."""
    n, k = (10_000, 200) if SANITIZED else (100_000, 2000)
    X = np.random.default_rng(2).normal(size=(n, 2)) + 1e9
    space = Space.of(Matrix.of(X))
    expected = vectorised.mdav(space.values, k, scales_of(space)).tolist()
    assert kernel(space, k, "split", _core.Search.tree) == expected


def test_adult_full_of_duplicates(covey_data: Path) -> None:
    """On Adult's three columns (9,953 distinct of 48,842 records) tree, brute force and textbook agree."""
    X = table(covey_data / "adult.csv", ["age", "education_num", "hours_per_week"])
    assert len(X) == 48_842
    assert len(np.unique(X, axis=0)) == 9_953
    space = Space.of(Matrix.of(X))
    labels = np.array(kernel(space, 5, "split", _core.Search.tree))
    if not SANITIZED:
        assert kernel(space, 5, "split", _core.Search.flat, threads=2) == labels.tolist()
    first = 40 if SANITIZED else 300
    expected = vectorised.mdav(space.values, 5, scales_of(space), cells=first)
    assert np.where(labels < first, labels, -1).tolist() == expected.tolist()


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_information_loss(covey_data: Path, name: str) -> None:
    """The information loss is the literature's, to four decimals."""
    X = table(covey_data / f"{name}.csv", EIA if name == "eia" else slice(None))
    losses = [100 * covey.MDAV(k).fit(X).sse_ / X.size for k in (3, 4, 5, 10)]
    assert [round(loss, 4) for loss in losses] == list(GOLDEN[name])


@pytest.mark.parametrize("shift", [1e9, -1e9])
def test_information_loss_after_a_shift(shift: float) -> None:
    """A shift by 1e9 standard deviations changes no more than the rounding of the input does."""
    X = np.random.default_rng(3).normal(size=(2000, 3))
    moved = X + shift
    rounded = moved - shift
    assert covey.MDAV(4).fit(moved).sse_ == pytest.approx(covey.MDAV(4).fit(rounded).sse_, rel=1e-9)


@pytest.mark.parametrize("scale", [1e100, 1e-100, 1e300, 1e-300, 2.0**-500])
def test_labels_at_other_scales(scale: float) -> None:
    """Scaling all columns leaves the labels, and scales the centroids."""
    X = np.random.default_rng(4).normal(size=(1000, 3))
    expected, fit = covey.MDAV(4).fit(X), covey.MDAV(4).fit(X * scale)
    assert fit.labels_.tolist() == expected.labels_.tolist()
    np.testing.assert_allclose(fit.centroids_ / scale, expected.centroids_, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("scale", [1e100, 1e-100])
@pytest.mark.parametrize("columns", [slice(None), slice(1)])
def test_information_loss_at_other_scales(scale: float, columns: slice) -> None:
    """Scaling columns that are then standardised, all or one, leaves the information loss as it was."""
    X = np.random.default_rng(4).normal(size=(1000, 3))
    scaled = X.copy()
    scaled[:, columns] *= scale
    expected, fit = covey.MDAV(4).fit(standardised(X)), covey.MDAV(4).fit(standardised(scaled))
    assert fit.sse_ == pytest.approx(expected.sse_, rel=1e-12)


@pytest.mark.parametrize(
    ("n", "k", "sizes"), [(1, 1, [1]), (2, 1, [1, 1]), (5, 3, [5]), (6, 3, [3, 3]), (8, 3, [3, 5])]
)
def test_ends(n: int, k: int, sizes: list[int]) -> None:
    """Fewer than 2k records form one cell; of 2k … 3k−1, k form the first of two."""
    assert covey.MDAV(k).fit(np.arange(n, dtype=float).reshape(-1, 1)).sizes_.tolist() == sizes


@pytest.mark.parametrize(("n", "sizes"), [(5, [5]), (6, [3, 3]), (8, [3, 5]), (9, [3, 3, 3]), (14, [3, 3, 3, 5])])
def test_adjoining_ends(n: int, sizes: list[int]) -> None:
    """With tail="adjoin", k or more left over form a cell and fewer join the last one."""
    assert covey.MDAV(3, tail="adjoin").fit(np.arange(n, dtype=float).reshape(-1, 1)).sizes_.tolist() == sizes


def test_records_all_alike_go_by_their_rows() -> None:
    """Of records all alike the lowest rows form the first cell."""
    assert covey.MDAV(2).fit(np.ones((7, 3))).labels_.tolist() == [0, 0, 1, 1, 2, 2, 2]
