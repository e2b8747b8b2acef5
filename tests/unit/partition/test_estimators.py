"""What every estimator promises."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.base
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils import estimator_checks

import covey
from covey.matrix import Matrix, Space
from covey.schema import Kind
from tests.unit.partition.strategies import Case, cases, mixed_cases

PARTITIONS: dict[str, Any] = {
    "mdav": covey.MDAV(3),
    "mdav, adjoin": covey.MDAV(3, tail="adjoin"),
    "md": covey.MD(3),
    "vmdav": covey.VMDAV(3),
    "vmdav, best": covey.VMDAV(3, gamma="best"),
    "mst": covey.MST(3),
    "mst, none": covey.MST(3, split="none"),
    "tfrp": covey.TFRP(3),
    "mu-approx": covey.MuApprox(3),
    "univariate": covey.Univariate(3),
    "refine": covey.Refine(k=3, steps=5000),
}
RANKINGS = {f"ranking, {cells}": covey.IndividualRanking(3, cells=cells) for cells in ("optimal", "fixed", "mdav")}
ESTIMATORS = PARTITIONS | RANKINGS
CANARIES = ("canary-4f1d", "987654321.125", "987654321", "-31415926.5", "31415926")
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
every_partition = pytest.mark.parametrize("estimator", PARTITIONS.values(), ids=PARTITIONS)


def fresh(estimator: Any, **changes: Any) -> Any:
    return type(estimator)(**(estimator.get_params() | changes))


def records(estimator: Any, n: int = 40) -> np.ndarray:
    X = np.random.default_rng(7).normal(size=(n, 3)).round(1)
    return X[:, :1] if isinstance(estimator, covey.Univariate) else X


def assert_partition(fit: Any, matrix: Matrix, k: int) -> None:
    m = len(fit.sizes_)
    assert fit.labels_.dtype == fit.sizes_.dtype == np.int64
    assert fit.labels_.shape == (matrix.n,)
    assert sorted(set(fit.labels_.tolist())) == list(range(m))
    assert fit.sizes_.tolist() == [int(np.sum(fit.labels_ == cell)) for cell in range(m)]
    assert fit.sizes_.min() >= k
    assert fit.centroids_.shape == (m, matrix.d)


@every_partition
@given(case=cases())
@settings(max_examples=40)
def test_each_record_is_in_one_cell_of_at_least_k(estimator: Any, case: Case) -> None:
    """Labels are 0 … m − 1, one for each record; sizes are theirs and at least k; centroids are means."""
    X = case.matrix.values[:, :1] if isinstance(estimator, covey.Univariate) else case.matrix.values
    fit = fresh(estimator, k=case.k).fit(X)
    assert_partition(fit, Matrix.of(X), case.k)
    for cell, centroid in enumerate(fit.centroids_):
        members = X[fit.labels_ == cell]
        spread = np.max(np.abs(members), axis=0)
        np.testing.assert_array_less(np.abs(centroid / 64 - np.mean(members / 64, axis=0)), spread * 1e-15 + 1e-323)


@pytest.mark.parametrize("name", [name for name, estimator in PARTITIONS.items() if estimator.mixed])
@given(case=mixed_cases(), ordinal_average=st.sampled_from(["median", "convex"]))
@settings(max_examples=40)
def test_cells_of_mixed_records(name: str, case: Case, ordinal_average: str) -> None:
    """So it is for columns of every kind; the SSE is that of the centroids in the space of the kernels."""
    fit = fresh(PARTITIONS[name], k=case.k, ordinal_average=ordinal_average).fit(case.matrix)
    assert_partition(fit, case.matrix, case.k)
    space = Space.of(case.matrix, ordinal_average)
    squares = space.squared_distances(space.encode(fit.centroids_, case.matrix)[fit.labels_])
    assert fit.sse_ == pytest.approx(float(np.sum(squares)))


@pytest.mark.parametrize("estimator", [PARTITIONS[name] for name in PARTITIONS if name != "refine"])
def test_labels_are_numbered_in_order_of_creation(estimator: Any) -> None:
    """The first cell is that of the record farthest from the others, Univariate's that of the lowest value.

    Where cells are parts of a tree, they are numbered by their lowest rows; MD's of a large one follow each other.
    """
    X = records(estimator)
    X[0 if isinstance(estimator, covey.MST | covey.MuApprox) else 13] = -50.0
    assert fresh(estimator).fit(X).labels_[np.argmin(X[:, 0])] == 0


@every_estimator
def test_sse_is_the_sum_of_squared_errors(estimator: Any) -> None:
    """`sse_` is Σ (x − its cell's centroid)² over all columns."""
    X = records(estimator)
    fit = fresh(estimator).fit(X)
    if X.shape[1] > 1 and fit.labels_.ndim == 2:
        published = np.column_stack([fit.centroids_[j][fit.labels_[:, j]] for j in range(X.shape[1])])
    else:
        published = fit.centroids_[fit.labels_]
    assert fit.sse_ == pytest.approx(np.sum((X - published) ** 2))


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@every_estimator
def test_the_contract_of_scikit_learn(estimator: Any) -> None:
    """scikit-learn's own checks pass; of an estimator for one column it checks little."""
    results = estimator_checks.check_estimator(fresh(estimator, k=2), on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    passed = sum(result["status"] == "passed" for result in results)
    assert passed > 30 or isinstance(estimator, covey.Univariate)


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_parameters_default_constructible,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_set_params,
        estimator_checks.check_estimator_repr,
        estimator_checks.check_estimator_tags_renamed,
    ],
)
def test_the_contract_of_scikit_learn_for_one_column(check: Any) -> None:
    """Its checks that need no data of many columns pass for Univariate, which has no others."""
    check("Univariate", covey.Univariate())


@every_estimator
def test_clones_pickles_and_parameters(estimator: Any) -> None:
    """clone, get_params, set_params and repr give the parameters back, and a pickle the fit."""
    clone = sklearn.base.clone(estimator)
    assert clone.get_params() == estimator.get_params()
    assert eval(repr(estimator), vars(covey.partition)).get_params() == estimator.get_params()
    assert clone.set_params(k=4) is clone
    assert clone.get_params()["k"] == clone.k == 4
    fit = clone.fit(records(estimator))
    back = pickle.loads(pickle.dumps(fit))
    assert back.labels_.tolist() == fit.labels_.tolist()
    assert clone.fit_predict(records(estimator)).tolist() == fit.labels_.tolist()
    with pytest.raises(covey.InvalidInput, match="no parameter 'spin'"):
        clone.set_params(spin=1)


@every_estimator
def test_names_of_columns(estimator: Any) -> None:
    """The columns of a data frame are remembered by name, and forgotten when an array is fitted next."""
    X = records(estimator)
    names = ["age", "height", "mass"][: X.shape[1]]
    fit = fresh(estimator).fit(pd.DataFrame(X, columns=names))
    assert fit.feature_names_in_.tolist() == names
    assert fit.n_features_in_ == len(names)
    assert fit.labels_.tolist() == fresh(estimator).fit(X).labels_.tolist()
    assert not hasattr(fit.fit(X), "feature_names_in_")


@every_estimator
def test_numbers_of_any_type(estimator: Any) -> None:
    """Whole numbers, float32, lists and arrays in any order of memory are the same records."""
    X = (records(estimator) * 10).round()
    expected = fresh(estimator).fit(X).labels_.tolist()
    for same in (X.astype(np.int16), X.astype(np.float32), X.tolist(), np.asfortranarray(X), X.astype(object)):
        assert fresh(estimator, k=np.int64(3)).fit(same).labels_.tolist() == expected


@pytest.mark.parametrize("estimator", [covey.MDAV, covey.MD])
def test_any_number_of_threads(estimator: Any) -> None:
    """Threads are as many as help, however many are asked for, and change no label."""
    X = np.random.default_rng(9).normal(size=(300, 2)).round(1)
    fits = [estimator(3, threads=threads).fit_predict(X).tolist() for threads in (None, 1, np.int32(2), 10**12)]
    assert all(labels == fits[0] for labels in fits)


@every_estimator
def test_the_input_is_left_alone(estimator: Any) -> None:
    """A fit writes into no array that it is given."""
    X, weights, strata = records(estimator), np.ones(40), np.arange(40) % 2
    for array in (X, weights, strata):
        array.setflags(write=False)
    fresh(estimator).fit(X, weights=weights, strata=strata)


BAD_PARAMETERS: list[tuple[dict[str, Any], str]] = [
    *(({"k": k}, "k must be") for k in (0, -1, 2.5, "five", True, None, float("nan"), [3], np.float64(3), 2**40)),
    *(({"threads": threads}, "threads must be") for threads in (0, -1, 1.5, "two", True)),
    *(({"split": split}, "unknown split") for split in ("mdav", None, ["md"], True)),
    *(({"tail": tail}, "unknown tail") for tail in ("merge", None, ["split"], 1)),
    *(({"gamma": gamma}, "gamma must be") for gamma in (-0.1, np.nan, np.inf, "worst", None, True, 10**400, [1.0])),
    *(({"cells": cells}, "unknown cells") for cells in ("best", None, ["fixed"], 1)),
    *(({"ordinal_average": average}, "unknown ordinal_average") for average in ("mean", None, ["median"])),
]


@pytest.mark.parametrize(
    ("estimator", "parameter", "sentence"),
    [(e, *bad) for e in ESTIMATORS.values() for bad in BAD_PARAMETERS if bad[0].keys() <= e.get_params().keys()],
)
def test_bad_parameters(estimator: Any, parameter: dict[str, Any], sentence: str) -> None:
    """A parameter that cannot be used is refused by `fit`, in a sentence that names it."""
    with pytest.raises(covey.InvalidInput, match=sentence):
        fresh(estimator, **parameter).fit(records(estimator))


def with_one(X: np.ndarray, value: Any) -> np.ndarray:
    planted = X.astype(object if not isinstance(value, float) else np.float64)
    planted[1, 0] = value
    return planted


def by_hand(X: Any) -> Matrix:
    return Matrix(X, (Kind.CONTINUOUS,) * X.shape[1], (0,) * X.shape[1])


BAD_RECORDS: list[tuple[str, Any, str]] = [
    ("NaN", lambda X: with_one(X, np.nan), "1 values are NaN or inf"),
    ("inf", lambda X: with_one(X, -np.inf), "1 values are NaN or inf"),
    ("None", lambda X: with_one(X, None), "1 values are NaN or inf"),
    ("masked", lambda X: np.ma.masked_equal(X, X[0, 0]), "values are masked"),
    ("a text", lambda X: with_one(X, "canary-4f1d"), "expected numbers"),
    ("a number in a text", lambda X: with_one(X, "31415926"), "expected numbers"),
    ("bytes", lambda X: with_one(X, b"canary-4f1d"), "expected numbers"),
    ("texts", lambda X: X.astype(str), "expected numbers"),
    ("dates", lambda X: X.astype("M8[s]"), "expected numbers"),
    ("an object", lambda X: with_one(X, {"canary-4f1d": 987654321}), "argument must be a string or a real number"),
    ("pandas' NA", lambda X: with_one(X, pd.NA), "argument must be a string or a real number"),
    ("a number too large", lambda X: with_one(X, 10**400), "argument must be a string or a real number"),
    ("complex numbers", lambda X: X + 1j, "Complex data not supported"),
    ("three dimensions", lambda X: X[:, :, None], "Expected 2D array, got 3D"),
    ("a number", lambda X: 987654321.125, "Expected 2D array, got 0D"),
    ("ragged rows", lambda X: [[987654321.125], [1.0, 2.0]], "different lengths"),
    ("no rows", lambda X: X[:0], "0 sample"),
    ("no columns", lambda X: X[:, :0], "0 feature"),
    ("too few", lambda X: X[:2], "n_samples=2 records are fewer than k=3"),
    ("NaN in a matrix made by hand", lambda X: by_hand(with_one(X, np.nan)), "1 values are NaN or inf"),
    ("texts in a matrix made by hand", lambda X: by_hand(X.astype(str)), "expected numbers"),
]


@every_estimator
@pytest.mark.parametrize(("change", "sentence"), [case[1:] for case in BAD_RECORDS], ids=[c[0] for c in BAD_RECORDS])
def test_bad_records(estimator: Any, change: Any, sentence: str) -> None:
    """Records that cannot be used are refused with counts and shapes; no value is told, nor in an exception behind."""
    X = records(estimator)
    X[::2] = 987654321.125
    X[1::3] = -31415926.5
    with pytest.raises(covey.InvalidInput, match=sentence) as caught:
        fresh(estimator).fit(change(X))
    assert caught.value.__context__ is None
    assert not any(canary in str(caught.value) for canary in CANARIES)


def test_sparse_records() -> None:
    """Sparse matrices are refused."""
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(covey.InvalidInput, match="sparse"):
        covey.MDAV(2).fit(sparse.csr_matrix(np.eye(4)))


@every_estimator
@pytest.mark.parametrize(
    "weights",
    [
        np.ones(39),
        np.ones((40, 1)),
        ["canary-4f1d"] * 40,
        np.r_[np.ones(39), -31415926.5],
        np.r_[np.ones(39), 0.0],
        np.r_[np.ones(39), np.nan],
        np.r_[np.ones(39), np.inf],
        1.0,
    ],
)
def test_bad_weights(estimator: Any, weights: Any) -> None:
    """Weights are one finite positive number for each record."""
    with pytest.raises(covey.InvalidInput, match="weights") as caught:
        fresh(estimator).fit(records(estimator), weights=weights)
    assert not any(canary in str(caught.value) for canary in CANARIES)


@every_partition
def test_weights_change_nothing_but_the_centroids(estimator: Any) -> None:
    """Labels are those without weights; centroids are weighted means."""
    X = records(estimator)
    weights = np.random.default_rng(1).uniform(0.5, 20, size=40)
    plain, weighted = fresh(estimator).fit(X), fresh(estimator).fit(X, weights=weights)
    assert weighted.labels_.tolist() == plain.labels_.tolist()
    for cell, centroid in enumerate(weighted.centroids_):
        members = weighted.labels_ == cell
        np.testing.assert_allclose(centroid, np.average(X[members], axis=0, weights=weights[members]), atol=1e-14)


@every_estimator
@pytest.mark.parametrize("scale", [1e-323, 1e-300, 1e304])
def test_huge_and_tiny_weights(estimator: Any, scale: float) -> None:
    """Only the proportions of weights count, to the ends of the range of float64."""
    X = records(estimator)
    weights = np.where(np.arange(40) % 3 == 0, 1000.0, 2000.0)
    expected, scaled = (fresh(estimator).fit(X, weights=w) for w in (weights, weights * scale))
    for a, b in zip(expected.centroids_, scaled.centroids_, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-14, atol=1e-14)


def test_more_than_one_column() -> None:
    """Univariate names the estimator that takes several columns."""
    with pytest.raises(covey.InvalidInput, match="IndividualRanking"):
        covey.Univariate(2).fit(np.zeros((4, 2)))
    with pytest.raises(covey.InvalidInput, match="one column"):
        covey.Univariate(2).fit(Matrix.of(np.zeros((4, 2))))
    with pytest.raises(covey.InvalidInput, match="continuous columns only"):
        covey.Univariate(2).fit(Matrix.of([[0], [1]], ["ordinal"]))


@pytest.mark.parametrize("estimator", [covey.MDAV(2), covey.MD(2), covey.VMDAV(2), covey.MST(2), covey.MuApprox(2)])
def test_huge_values_beside_categories(estimator: Any) -> None:
    """Continuous columns whose squares would overflow beside categories are refused, not guessed at."""
    matrix = Matrix.of([[1e200, 0], [2e200, 1], [0.0, 1], [1.0, 0]], ["continuous", "nominal"])
    with pytest.raises(covey.InvalidInput, match="standardise"):
        estimator.fit(matrix)


@every_estimator
def test_nothing_maps_records_to_cells_afterwards(estimator: Any) -> None:
    """There is no `transform` and no `predict`: to give records to the nearest centroid breaks k."""
    assert not hasattr(estimator, "transform")
    assert not hasattr(estimator, "predict")
