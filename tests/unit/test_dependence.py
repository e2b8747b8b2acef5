"""Cells by (X, β·Y): what the paper claims of them, with every partition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv

import covey
from covey import Dependence, InvalidInput, Schema
from covey.dependence import Extension, beta
from covey.encoding import encode, to_matrix
from covey.frames import read_frame
from tests.reference import dependence as slow

RNG = np.random.default_rng(42)
N = 90
TABLE = pa.table(
    {
        "age": RNG.integers(20, 80, N),
        "mass": RNG.normal(70, 9, N),
        "region": RNG.choice(["N", "S", "W"], N),
        "income": RNG.lognormal(size=N),
        "tsh": RNG.normal(size=N),
        "flu": RNG.choice(["yes", "no", "maybe"], N),
        "grade": RNG.choice(["low", "middle", "high"], N),
    }
)
KINDS: dict[str, Any] = {"nominal": ["region", "flu"], "ordinal": {"grade": ["low", "middle", "high"]}}


def schema(quasi: list[str], confidential: list[str]) -> Schema:
    """All else is `other`."""
    other = [name for name in TABLE.column_names if name not in (*quasi, *confidential)]
    continuous = [name for name in ("age", "mass", "income", "tsh") if name not in quasi]
    return Schema.of(quasi, confidential=confidential, other=other, continuous=continuous, **KINDS)


def numbers(*names: str, table: pa.Table = TABLE) -> np.ndarray:
    return np.column_stack([table[name].to_numpy() for name in names]).astype(float)


REST = ["mass", "region", "flu", "grade"]
NUMERIC = schema(["age", "mass"], ["income", "tsh"])


@pytest.mark.parametrize("weight", [0, 0.25, 0.5, 0.9, 1])
@pytest.mark.parametrize(
    "method", [covey.MDAV(4), covey.VMDAV(4), covey.PCL(4), covey.Refine(covey.MDAV(4), steps=30), covey.MST(4)]
)
def test_every_partition_is_given_the_extended_records(weight, method):
    """The cells are those that the partition itself makes of (X, β·Y), of X for λ = 0 and of Y for λ = 1."""
    release = covey.anonymize(TABLE, NUMERIC, method=method, dependence=weight)
    X, Y = numbers("age", "mass"), numbers("income", "tsh")
    points = slow.extended(X, Y, weight)
    same = method.copied().fit_predict(points)
    assert slow.distortion(points, same) == pytest.approx(slow.distortion(points, release.labels), rel=1e-9)
    if not isinstance(method, covey.Refine):
        assert np.array_equal(release.labels, same)
    assert release.measures.smallest_cell >= 4


@given(weight=st.floats(0.01, 0.99), seed=st.integers(0, 10**6), cells=st.integers(1, 12))
@settings(max_examples=60)
def test_the_extended_distortion_is_the_lagrangian(weight, seed, cells):
    """m_X/(1−λ)·D of any labels is the mean squared distance of the extended records from their centroids."""
    labels = np.random.default_rng(seed).integers(0, cells, N)
    X, Y = numbers("age", "mass"), numbers("income", "tsh")
    frame = read_frame(TABLE)
    extension = Extension(encode(frame, NUMERIC.confidential), Dependence(weight))
    matrix, _ = extension.of(encode(frame, NUMERIC.quasi))
    squares = np.sum((matrix.values - slow.centroids(matrix.values, labels)) ** 2) / N
    assert squares == pytest.approx(2 / (1 - weight) * slow.lagrangian(X, Y, labels, weight), rel=1e-9)


@given(
    weight=st.floats(0.01, 0.99),
    seed=st.integers(0, 10**6),
    quasi=st.sampled_from([["age"], ["region"], ["age", "region"], ["mass", "age", "region"]]),
)
@settings(max_examples=40)
def test_squared_distances_add_up(weight, seed, quasi):
    """Of mixed kinds: that of the quasi-identifiers, and β² for each nominal column that differs."""
    declared = schema(quasi, ["flu", "income"])
    frame = read_frame(TABLE)
    originals = encode(frame, declared.quasi)
    matrix, places = Extension(encode(frame, declared.confidential), Dependence(weight)).of(originals)
    X, own = to_matrix(originals)
    assert places == [*own, *[-1] * (matrix.d - X.d)]
    i, j = np.random.default_rng(seed).integers(0, N, 2)
    scale = beta(weight, sum(map(spread_of, originals)), 2)
    flu, income = TABLE["flu"].to_pylist(), slow.standardised(numbers("income"))[:, 0]
    expected = scale**2 * ((flu[i] != flu[j]) + (income[i] - income[j]) ** 2)
    assert np.sum((matrix.values[i, X.d :] - matrix.values[j, X.d :]) ** 2) == pytest.approx(expected, abs=1e-9)


def spread_of(part: Any) -> float:
    """SST/n: 1 of a number, the share of all but the mode of a category."""
    if part.column.name != "region":
        return 1.0
    return 1 - np.bincount(part.codes).max() / N


@pytest.mark.parametrize("confidential", [["income"], ["flu"], ["grade"], ["income", "flu", "grade", "tsh"]])
@pytest.mark.parametrize("weight", [0, 0.5, 1])
def test_predictability_loss_is_the_papers(confidential, weight):
    """D_Y is the mean over the columns of SSE/SST, of ranks where ordered, and P(Y ≠ Ŷ) where nominal."""
    declared = schema(["age", "mass", "region"], confidential)
    release = covey.anonymize(TABLE, declared, 5, dependence=weight)
    ranks = pc.index_in(TABLE["grade"], pa.array(KINDS["ordinal"]["grade"])).to_numpy().astype(float)
    losses = {
        "income": slow.distortion(numbers("income"), release.labels),
        "tsh": slow.distortion(numbers("tsh"), release.labels),
        "flu": slow.error_probability(TABLE["flu"].to_pylist(), release.labels),
        "grade": slow.distortion(ranks[:, None], release.labels),
    }
    found = release.measures.predictability
    assert found is not None
    assert {column.name: column.loss for column in found.columns} == pytest.approx(
        {column.name: losses[column.name] for column in declared.confidential}, abs=1e-12
    )
    assert found.loss == pytest.approx(np.mean([losses[name] for name in confidential]), abs=1e-12)
    assert covey.predictability(release.table, declared) == found


@pytest.mark.parametrize("confidential", [["income"], ["flu"], ["grade"], ["income", "flu", "grade"]])
@pytest.mark.parametrize("method", ["mdav", "vmdav", "pcl"])
def test_the_weight_trades_one_for_the_other(confidential, method):
    """λ near 1 predicts better than λ = 0, at the price of the quasi-identifiers; k holds all the same."""
    declared = schema(["age", "mass"], confidential)
    usual, extreme = (covey.anonymize(TABLE, declared, 5, method=method, dependence=x).measures for x in (0, 0.95))
    assert extreme.predictability.loss < usual.predictability.loss
    assert extreme.distortion > usual.distortion
    assert min(usual.smallest_cell, extreme.smallest_cell) >= 5


def test_without_weight_it_is_as_usual():
    """λ = 0 makes the cells that no dependence makes, and says D_Y besides."""
    usual = covey.anonymize(TABLE, NUMERIC, 4)
    zero = covey.anonymize(TABLE, NUMERIC, 4, dependence=0)
    assert np.array_equal(usual.labels, zero.labels)
    assert usual.measures.predictability is None
    assert usual.recipe["dependence"] is None
    assert zero.recipe["dependence"] == {"lambda": 0.0, "expected": None}
    assert zero.to_dict()["measures"]["predictability"]["loss"] == zero.measures.predictability.loss


def test_the_xor_of_the_paper_is_predicted():
    """X uniform on −2, −1, 1, 2 and Y = ±1 by |X| are uncorrelated, yet cells by λ = ½ predict Y without error."""
    x = np.repeat([-2.0, -1.0, 1.0, 2.0], 5)
    table = pa.table({"x": x, "y": np.where(np.abs(x) == 1, 1.0, -1.0)})
    assert np.corrcoef(table["x"], table["y"])[0, 1] == pytest.approx(0, abs=1e-12)
    declared = Schema.of(["x"], confidential=["y"], continuous=["y"])
    assert covey.anonymize(table, declared, 5, dependence=0.5).measures.predictability.loss == 0


@pytest.mark.parametrize("expected", ["linear", "neighbours"])
def test_cells_by_expectation_are_a_function_of_x(expected):
    """Records alike in X have the same estimate of E[Y|X] to the last bit, whatever their Y."""
    x = RNG.integers(0, 12, 200).astype(float)
    table = pa.table({"x": x, "z": x % 3, "y": 3 * x + RNG.normal(size=200)})
    declared = Schema.of(["x", "z"], confidential=["y"], continuous=["y"])
    frame = read_frame(table)
    matrix, _ = Extension(encode(frame, declared.confidential), Dependence(0.5, expected)).of(
        encode(frame, declared.quasi)
    )
    for value in np.unique(x):
        assert len(np.unique(matrix.values[x == value], axis=0)) == 1
    release = covey.anonymize(table, declared, 5, dependence=Dependence(0.5, expected))
    assert release.recipe["dependence"] == {"lambda": 0.5, "expected": expected}


def test_the_linear_estimate_is_the_least_squares_fit():
    """On a linear relation without noise the estimate is Y itself, and so are the cells."""
    x = RNG.normal(size=(100, 2))
    table = pa.table({"a": x[:, 0], "b": x[:, 1], "y": 2 * x[:, 0] - x[:, 1] + 7})
    declared = Schema.of(["a", "b"], confidential=["y"], continuous=["y"])
    direct = covey.anonymize(table, declared, 4, dependence=0.4)
    linear = covey.anonymize(table, declared, 4, dependence=Dependence(0.4, "linear"))
    assert linear.measures.predictability.loss == pytest.approx(direct.measures.predictability.loss, rel=0.05)


def test_the_neighbours_estimate_is_their_mean():
    """Against the obvious version: the mean of Y over the 50 nearest records, where no distances tie."""
    x = RNG.normal(size=(300, 2))
    y = np.sin(x[:, 0]) + x[:, 1] ** 2
    table = pa.table({"a": x[:, 0], "b": x[:, 1], "y": y})
    declared = Schema.of(["a", "b"], confidential=["y"], continuous=["y"])
    frame = read_frame(table)
    matrix, _ = Extension(encode(frame, declared.confidential), Dependence(1, "neighbours")).of(
        encode(frame, declared.quasi)
    )
    points, heights = slow.standardised(x), slow.standardised(y[:, None])[:, 0]
    distances = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    nearest = np.argsort(distances, axis=1)[:, :50]
    assert matrix.values[:, 0] == pytest.approx(heights[nearest].mean(axis=1), abs=1e-9)


@pytest.mark.parametrize("expected", ["linear", "neighbours"])
@pytest.mark.parametrize("weight", [0.5, 1])
def test_constant_quasi_identifiers_tell_nothing(expected, weight):
    """Where all records are alike in X, E[Y|X] is the same for all, and they are one cell."""
    table = pa.table({"x": [1.0] * 20, "y": np.arange(20.0)})
    declared = Schema.of(["x"], confidential=["y"], continuous=["y"])
    assert covey.anonymize(table, declared, 3, dependence=Dependence(weight, expected)).measures.cells == 1


@pytest.mark.parametrize("expected", ["linear", "neighbours"])
def test_too_many_categories_are_refused_by_estimators(expected):
    """A nominal quasi-identifier of many values would be as many columns, for the estimators only."""
    table = pa.table({"zip": [f"secret {i}" for i in range(300)], "y": np.arange(300.0)})
    declared = Schema.of(["zip"], confidential=["y"], continuous=["y"], nominal=["zip"])
    assert covey.anonymize(table, declared, 3, dependence=0.5).measures.smallest_cell == 3
    with pytest.raises(InvalidInput, match="nominal column 'zip' of more than 256 values") as caught:
        covey.anonymize(table, declared, 3, dependence=Dependence(0.5, expected))
    assert "secret" not in str(caught.value)


def test_the_release_warns_of_what_it_is_no_evidence_for():
    """A note says that cells formed by Y predict Y in any case; cells by E[Y|X], and λ = 0, need none."""
    told = {
        dependence: any("no evidence of dependence" in note for note in notes)
        for dependence in (0, 0.1, Dependence(0.1, "linear"))
        for notes in [covey.anonymize(TABLE, NUMERIC, 4, dependence=dependence).notes]
    }
    assert list(told.values()) == [False, True, False]


def test_missing_confidential_values():
    """A missing number counts as the mean, which is noted; a missing category is a category."""
    y = [None if i % 9 == 0 else float(i) for i in range(N)]
    flu = [None if i % 5 == 0 else "x" for i in range(N)]
    table = pa.table({"mass": TABLE["mass"], "y": y, "flu": flu})
    declared = Schema.of(["mass"], confidential=["y", "flu"], continuous=["y"], nominal=["flu"])
    release = covey.anonymize(table, declared, 4, dependence=0.5)
    assert any("column 'y' is missing" in note for note in release.notes)
    codes = [value or "none" for value in flu]
    loss = {column.name: column.loss for column in release.measures.predictability.columns}
    assert loss["flu"] == pytest.approx(slow.error_probability(codes, release.labels), abs=1e-12)


def test_strata_missing_patterns_and_mixed_kinds_go_together():
    """Own cells for records that lack a quasi-identifier, strata, and confidential columns that count."""
    age = pa.array([None if i % 6 == 0 else i for i in range(N)])
    table = TABLE.set_column(0, "age", age)
    declared = schema(["age", "mass"], ["flu", "income"])
    release = covey.anonymize(table, declared, 4, dependence=0.7, missing="own-cells", strata="region")
    cells = {}
    for label, missing, region in zip(
        release.labels, age.is_null().to_pylist(), TABLE["region"].to_pylist(), strict=True
    ):
        if label >= 0:
            assert cells.setdefault(label, (missing, region)) == (missing, region)
    assert release.measures.smallest_cell >= 4


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_scales_do_not_matter(scale):
    """Confidential values of 1e±300 make the cells that they make at 1."""
    y = RNG.normal(size=N)
    declared = Schema.of(["age"], confidential=["y"], continuous=["y"])
    labels = [
        covey.anonymize(pa.table({"age": TABLE["age"], "y": y * by}), declared, 4, dependence=0.5).labels
        for by in (1.0, 2.0 ** round(np.log2(scale)))
    ]
    assert np.array_equal(*labels)


@pytest.mark.parametrize("weight", [-0.1, 1.0001, float("nan"), float("inf"), "0.5", True, [0.1]])
def test_weights_outside_are_refused(weight):
    """λ is a number from 0 to 1."""
    with pytest.raises(InvalidInput, match="dependence must be λ, a number from 0"):
        covey.anonymize(TABLE, NUMERIC, 4, dependence=weight)


def test_what_cannot_be_predicted_is_refused():
    """No confidential column, constant ones, too many categories, columns treated alone, unknown estimators."""
    with pytest.raises(InvalidInput, match=r"dependence is 0\.5 but the schema has no confidential column"):
        covey.anonymize(TABLE, schema(["age"], []), 4, dependence=0.5)
    flat = TABLE.set_column(3, "income", pa.array([1.0] * N))
    with pytest.raises(InvalidInput, match="column 'income' holds a single value"):
        covey.anonymize(flat, schema(["age"], ["income"]), 4, dependence=0.5)
    release = covey.anonymize(flat, schema(["age"], ["income", "tsh"]), 4, dependence=0.5)
    assert any("column 'income' holds a single value" in note for note in release.notes)
    many = pa.table({"age": range(300), "code": [f"c{i}" for i in range(300)]})
    with pytest.raises(InvalidInput, match="column 'code' is nominal with more than 256 values"):
        covey.anonymize(many, Schema.of(["age"], confidential=["code"]), 4, dependence=0.5)
    with pytest.raises(InvalidInput, match="columns 'income', 'tsh' are nominal but hold fractions"):
        covey.anonymize(TABLE, Schema.of(["age"], confidential=["income", "tsh"], other=REST), 4, dependence=0.5)
    with pytest.raises(InvalidInput, match="individual-ranking treats each column alone"):
        covey.anonymize(TABLE, NUMERIC, 4, method="individual-ranking", dependence=0.5)
    with pytest.raises(InvalidInput, match="unknown estimator of"):
        Dependence(0.5, "magic")
    with pytest.raises(InvalidInput, match="expected has no effect where dependence is 0"):
        Dependence(0, "linear")
    with pytest.raises(InvalidInput, match="there is nothing to predict"):
        covey.predictability(TABLE, schema(["age"], []))


def test_whole_numbers_without_a_kind_are_noted():
    """Many of them that count as nominal, because nobody said otherwise, are noted."""
    table = pa.table({"age": TABLE["age"], "visits": list(range(N))})
    release = covey.anonymize(table, Schema.of(["age"], confidential=["visits"]), 4, dependence=0.5)
    assert any("column 'visits' holds many whole numbers" in note for note in release.notes)


def test_constant_quasi_identifiers_leave_the_confidential_ones():
    """Where all quasi-identifiers are constant the cells are those of Y alone."""
    table = pa.table({"age": [1] * N, "income": TABLE["income"]})
    declared = Schema.of(["age"], confidential=["income"], continuous=["income"])
    release = covey.anonymize(table, declared, 4, dependence=0.1)
    assert release.measures.predictability.loss == pytest.approx(1.0)  # one published combination
    assert np.bincount(release.labels).min() >= 4
    assert len(np.unique(release.labels)) > 1


def test_the_data_sets_of_the_paper(covey_data):
    """Census, first six columns against the other seven: D_X ≤ D_Y for λ = 0, and the converse for λ = 1."""
    table = csv.read_csv(covey_data / "census.csv")
    names = table.column_names
    declared = Schema.of(names[:6], confidential=names[6:], table=table)
    for k in (5, 50):
        usual, extreme = (covey.anonymize(table, declared, k, dependence=x).measures for x in (0, 1))
        assert usual.distortion <= usual.predictability.loss
        assert extreme.predictability.loss <= extreme.distortion
