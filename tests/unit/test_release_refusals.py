"""What `anonymize` refuses, each in one sentence that names the column and the count."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import MDAV, IndividualRanking, InvalidInput, Schema, Univariate

TABLE = pa.table({"a": [1, 2, 3, 4], "b": ["x", "y", "x", "y"], "w": [1.0, 2.0, 1.0, 2.0]})
SCHEMA = Schema.of(["a"], other=["b", "w"])


def refused(table: Any = TABLE, schema: Any = SCHEMA, k: Any = 2, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        covey.anonymize(table, schema, k, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "k", [0, 1, -3, 2.5, "five", True, None, float("nan"), 2.0, [3], 2**40, np.float64(3)], ids=repr
)
def test_k_is_a_whole_number_of_at_least_two(k: object) -> None:
    """Whatever else is given for k is refused in a sentence about k."""
    assert "k" in refused(k=k).replace("=", " ").split()


@pytest.mark.parametrize("k", [np.int64(2), np.uint8(2)])
def test_k_may_be_of_numpy(k: Any) -> None:
    """A whole number of numpy is a k like any other."""
    assert covey.anonymize(TABLE, SCHEMA, k).statement["k"] == 2


def test_fewer_records_than_k() -> None:
    """n < k is an error; k ≤ n < 2k is one cell, and said."""
    assert "the table has 4 records, fewer than k=5" in refused(k=5)
    result = covey.anonymize(TABLE, SCHEMA, 3)
    assert result.measures.cells == 1
    assert any("4 records are fewer than 2k" in note for note in result.notes)


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        (Schema.of([], other=["a", "b", "w"]), "no quasi-identifier"),
        (Schema.of(["a", "z"], other=["b", "w"]), "the schema names column 'z' that the table does not have"),
        (Schema.of(["a"], other=["b"]), "the table has column 'w' without a role"),
        (Schema.of(["a"]), "columns 'b', 'w' without a role"),
        ({"a": "quasi"}, "schema must be a covey.Schema, not dict"),
        (None, "schema must be a covey.Schema, not NoneType"),
        (Schema.of(["a", "b"], other=["w"]), "column 'b' is continuous but holds text: 4 of 4 values"),
        (
            Schema.of(["b"], other=["a", "w"], ordinal={"b": ["x", "z"]}),
            "column 'b' has 2 values outside its 2 declared",
        ),
        (Schema.of(["a"], other=["b", "w"], ordinal={"a": ["1", "2"]}), "categories of column 'a' are not of its type"),
    ],
)
def test_schemas_that_do_not_fit(schema: Any, sentence: str) -> None:
    """A schema that does not fit the table is refused."""
    assert sentence in refused(schema=schema)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"method": "magic"}, "unknown method: expected one of mdav"),
        ({"method": None}, "unknown method"),
        ({"method": MDAV(3)}, "k is given twice and differs: the estimator has k=3"),
        ({"method": MDAV(2), "ordinal_average": "convex"}, "ordinal_average is an option of the estimator"),
        ({"method": Univariate(2), "ordinal_average": "convex"}, "ordinal_average"),
        ({"method": "univariate", "ordinal_average": "convex"}, "method univariate has no option ordinal_average"),
        ({"ordinal_average": "mean"}, "unknown ordinal_average"),
        ({"missing": "ignore"}, "unknown missing: expected one of error, own-cells, drop"),
        ({"strata": "z"}, "no column 'z'"),
        ({"strata": ["b", "b"]}, "given twice for strata"),
        ({"strata": "a"}, "every quasi-identifier is a stratum"),
        ({"strata": "w", "k": 3}, "2 of 2 strata have fewer than k=3"),
        ({"weights": "z"}, "no column 'z'"),
        ({"weights": "a"}, "column 'a' is a quasi-identifier and so cannot hold the weights"),
        ({"weights": "b"}, "weights"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"seed": 1, "keep_order": True}, "give one of them"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], sentence: str) -> None:
    """An option takes effect or is refused with the reason."""
    assert sentence in refused(**options)


@pytest.mark.parametrize(
    "weights", [[1.0, 0.0, -1.0, 2.0], [1.0, float("inf"), float("nan"), 1.0], [1.0, None, None, 1.0], ["1"] * 4]
)
def test_weights_that_are_none(weights: list[Any]) -> None:
    """Weights are finite positive numbers, none missing."""
    message = refused(TABLE.set_column(2, "w", pa.array(weights)), weights="w")
    assert "weights" in message
    assert "'w'" in message
    assert "2" in message or "numbers" in message


def test_weights_may_be_decimals() -> None:
    """Decimals are numbers, and so may be weights."""
    weights = pa.array([decimal.Decimal(x) for x in ("1.5", "2", "1", "1")])
    result = covey.anonymize(TABLE.set_column(2, "w", weights), SCHEMA, 4, weights="w", keep_order=True)
    assert result.table["a"].to_pylist() == [2] * 4  # 12.5 / 5.5


@pytest.mark.parametrize(
    ("method", "schema"),
    [
        (IndividualRanking(2), Schema.of(["a", "b"], other=["w"], nominal=["b"])),
        (Univariate(2), Schema.of(["b"], other=["a", "w"], nominal=["b"])),
        ("univariate", Schema.of(["a", "w"], other=["b"])),
    ],
)
def test_columns_that_a_method_cannot_treat(method: Any, schema: Schema) -> None:
    """A method for continuous columns, or for one, refuses others."""
    assert "column" in refused(schema=schema, method=method)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([1.0, float("inf"), 2.0, -float("inf")], "column 'q' has 2 NaN or infinite values"),
        ([1.0, None, 2.0, None], "values are missing in 'q' (2)"),
        ([None] * 4, "every record is missing it"),
        (["1", "x", "2", "3"], "1 of 4 values are not numbers"),
        (["1", "2", "3", "4"], "numbers as text"),
    ],
)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_values_that_are_no_numbers(make: Any, values: list[Any], sentence: str) -> None:
    """Infinite, missing and other values are refused alike in every frame."""
    assert sentence in refused(make({"q": values}), Schema.of(["q"]))


@pytest.mark.parametrize("make", [pl.DataFrame, pa.table])
def test_nan_is_missing_only_in_pandas(make: Any) -> None:
    """NaN is a missing value in pandas and an error elsewhere, in continuous and nominal columns."""
    data = {"q": [1.0, float("nan"), 2.0, 3.0]}
    for missing in ("error", "own-cells", "drop"):
        assert "has 1 NaN" in refused(make(data), Schema.of(["q"]), missing=missing)
        assert "has 1 NaN" in refused(make(data), Schema.of(["q"], nominal=["q"]), missing=missing)
    assert "missing in 'q' (1)" in refused(pd.DataFrame(data), Schema.of(["q"]))


@pytest.mark.parametrize("missing", ["error", "own-cells", "drop"])
def test_columns_that_are_all_missing(missing: str) -> None:
    """A quasi-identifier without a value is refused whatever becomes of missing values."""
    table = pd.DataFrame({"q": [np.nan] * 4, "p": [1.0, 2, 3, 4]})
    assert "column 'q' has no value at all" in refused(table, Schema.of(["q", "p"]), missing=missing)


@pytest.mark.parametrize("role", ["quasi", "other", "confidential"])
def test_mixed_types(role: str) -> None:
    """A column of mixed types that would be published is refused, for no frame but pandas could hold it."""
    table = pd.DataFrame({"a": [1, 2, 3, 4], "m": [1, "CANARYx7", None, 2.5]})
    schema = Schema.of(["a", "m"]) if role == "quasi" else Schema.of(["a"], **{role: ["m"]})
    assert "column 'm' mixes types" in refused(table, schema)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (pl.LazyFrame({"a": [1]}), "collect it first"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than one column named 'a'"),
        (pa.table({"a": pa.array([], pa.int64())}), "no records"),
        ([{"a": 1}], "expected a pandas or polars data frame or a pyarrow table"),
    ],
)
def test_tables_that_are_none(table: Any, sentence: str) -> None:
    """What is no table is refused."""
    assert sentence in refused(table, Schema.of(["a"]))


def test_options_that_no_column_would_feel() -> None:
    """An option that could have no effect is refused, not ignored."""
    nominal = Schema.of(["b"], other=["a", "w"], nominal=["b"])
    assert "none is averaged" in refused(schema=nominal, preserve_variance=True)
    assert "none is averaged" in refused(ordinal_average="convex")
    idle = Schema.of(["a"], other=["b", "w"], decimals={"w": 1})
    assert "'w'" in refused(schema=idle)
    stratum = Schema.of(["a", "w"], other=["b"], decimals={"w": 1})
    assert "'w'" in refused(schema=stratum, strata="w")


@pytest.mark.parametrize(
    "options",
    [
        {"preserve_variance": "no"},
        {"keep_order": "no"},
        {"keep_order": 1},
        {"strata": None},
        {"strata": 3},
        {"strata": [["a"]]},
        {"progress": 3},
        {"seed": True},
    ],
    ids=str,
)
def test_options_of_wrong_types(options: dict[str, Any]) -> None:
    """An option of a type that it cannot have is refused by its name."""
    assert next(iter(options)) in refused(**options)


@pytest.mark.parametrize("arguments", [{"quasi": None}, {"quasi": [["a"]]}, {"quasi": ["a"], "nominal": 3}], ids=str)
def test_names_of_wrong_types(arguments: dict[str, Any]) -> None:
    """Names that are none are refused as input, not as a fault of Python."""
    with pytest.raises(InvalidInput, match=r"quasi|nominal|column name must be a string"):
        Schema.of(**arguments)


def test_whole_numbers_of_numpy() -> None:
    """NumPy's whole numbers and booleans are as good as Python's."""
    schema = Schema.of(["a"], decimals={"a": np.int64(1)})
    table = pa.table({"a": [1.0, 2, 3, 4]})
    covey.anonymize(table, schema, np.int64(2), seed=np.int64(3), preserve_variance=np.bool_(True))
    assert schema["a"].decimals == 1
    assert type(schema["a"].decimals) is int


def test_variance_beyond_all_numbers() -> None:
    """Values that rescaling takes beyond float64 are counted and refused, without a warning."""
    table = pa.table({"a": [1.75e308] * 6 + [-1.75e308] * 3 + [1.2e308, 0.0, -1.2e308]})
    assert "rescaled values are outside the range" in refused(table, Schema.of(["a"]), 3, preserve_variance=True)


def test_a_float_is_told_as_one() -> None:
    """A k of 2.0 is refused for its type, not as a 2 that would do."""
    assert "not of type float" in refused(k=2.0)
