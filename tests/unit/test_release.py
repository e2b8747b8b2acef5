"""From any frame to a release and back: what is published, and what stays as it was."""

from __future__ import annotations

import decimal
import json
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import MDAV, GuaranteeError, InvalidInput, Schema
from covey.frames import arrow_table, read_frame

N = 60
RNG = np.random.default_rng(2026)
WHOLE = RNG.integers(0, 100, N)
DATES = pd.Timestamp("2020-01-01") + pd.to_timedelta(WHOLE, "D")
TEXTS = [f"s{x % 4}" for x in WHOLE]
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def release(table: Any, quasi: list[str], k: int = 4, **options: Any) -> covey.Release:
    """Everything else is `other`, so that records can be followed."""
    given = {name: options.pop(name) for name in ("ordinal", "nominal", "decimals") if name in options}
    names = [name for name in read_frame(table).columns if name not in quasi]
    return covey.anonymize(table, Schema.of(quasi, other=names, table=table, **given), k, **options)


def plain(table: Any) -> dict[str, list[Any]]:
    return arrow_table(read_frame(table)).to_pydict()


PANDAS = {
    "int64": pd.Series(WHOLE),
    "int8": pd.Series(WHOLE, dtype="int8"),
    "uint64": pd.Series(WHOLE.astype("uint64") + np.uint64(2**63)),
    "Int64": pd.Series(WHOLE, dtype="Int64"),
    "float64": pd.Series(WHOLE / 7),
    "float32": pd.Series(WHOLE / 7, dtype="float32"),
    "Float64": pd.Series(WHOLE / 7, dtype="Float64"),
    "int64[pyarrow]": pd.Series(WHOLE, dtype="int64[pyarrow]"),
    "decimal": pd.Series([decimal.Decimal(int(x)) / 4 for x in WHOLE], dtype=pd.ArrowDtype(pa.decimal128(9, 2))),
    "decimal objects": pd.Series([decimal.Decimal(int(x)) / 4 for x in WHOLE], dtype=object),
    "date objects": pd.Series(DATES.date, dtype=object),
    "date32": pd.Series(DATES.date, dtype=pd.ArrowDtype(pa.date32())),
    "datetime ns": pd.Series(DATES.as_unit("ns")),
    "datetime s": pd.Series(DATES.as_unit("s")),
    "datetime tz": pd.Series(DATES).dt.tz_localize("Europe/Madrid"),
    "timedelta": pd.Series(pd.to_timedelta(WHOLE, "h")),
    "bool": pd.Series(WHOLE % 2 == 0),
    "boolean": pd.Series(WHOLE % 2 == 0, dtype="boolean"),
    "str": pd.Series(TEXTS),
    "string": pd.Series(TEXTS, dtype="string"),
    "object": pd.Series(TEXTS, dtype=object),
    "category": pd.Series(pd.Categorical(TEXTS, ["s3", "s2", "s1", "s0"])),
    "ordered": pd.Series(pd.Categorical(TEXTS, ["unused", "s3", "s2", "s1", "s0"], ordered=True)),
    "category of ints": pd.Series(pd.Categorical(WHOLE % 4)),
}
POLARS = {
    "Int8": pl.Series(WHOLE.astype("int8")),
    "Float32": pl.Series(WHOLE.astype("float32") / 7),
    "Decimal": pl.Series([decimal.Decimal(int(x)) / 4 for x in WHOLE], dtype=pl.Decimal(9, 2)),
    "Date": pl.Series(DATES.date.tolist(), dtype=pl.Date),
    "Datetime": pl.Series(DATES.to_pydatetime().tolist(), dtype=pl.Datetime("ns", "UTC")),
    "Duration": pl.Series(WHOLE).cast(pl.Duration("ms")),
    "Time": pl.Series(WHOLE * 10**9).cast(pl.Time),
    "Boolean": pl.Series(WHOLE % 2 == 0),
    "String": pl.Series(TEXTS),
    "Categorical": pl.Series(TEXTS, dtype=pl.Categorical),
    "Enum": pl.Series(TEXTS, dtype=pl.Enum(["unused", "s3", "s2", "s1", "s0"])),
}
NUMBERS = WHOLE.tolist()
ARROW = [
    pa.array(NUMBERS, pa.int8()),
    pa.array(NUMBERS, pa.uint64()),
    pa.array(WHOLE.astype("float16")),
    pa.array(NUMBERS, pa.float32()),
    pa.array([decimal.Decimal(x) for x in NUMBERS], pa.decimal256(40, 2)),
    pa.array([decimal.Decimal(x) for x in NUMBERS], pa.decimal32(6, 2)),
    pa.array(NUMBERS, pa.int32()).cast(pa.date32()),
    pa.array(NUMBERS, pa.int32()).cast(pa.date32()).cast(pa.date64()),
    pa.array(NUMBERS, pa.timestamp("ns")),
    pa.array(NUMBERS, pa.timestamp("us", "Europe/Madrid")),
    pa.array(NUMBERS, pa.duration("s")),
    pa.array(NUMBERS, pa.time32("s")),
    pa.array(WHOLE * 10**9, pa.time64("ns")),
    pa.array(WHOLE % 2 == 0),
    pa.array(TEXTS),
    pa.array(TEXTS, pa.large_string()),
    pa.array(TEXTS, pa.string_view()),
    pa.array(TEXTS).dictionary_encode(),
    pa.DictionaryArray.from_arrays(pa.array(WHOLE % 4, pa.uint8()), ["z", "y", "x", "w", "unused"], ordered=True),
]


def check_release(result: covey.Release, table: Any, k: int = 4) -> None:
    """The column q is k-anonymous, changed, and of values like those before; others are as they were."""
    before, after = plain(table), plain(result.table)
    assert min(Counter(map(repr, after["q"])).values()) >= k
    assert after["q"] != before["q"]
    assert after["row"] == before["row"]
    assert result.measures.smallest_cell >= k


@pytest.mark.parametrize("name", PANDAS)
def test_pandas_types_are_kept(name: str) -> None:
    """pandas in, pandas out, each column of the dtype it had, categories and their order included."""
    table = pd.DataFrame({"q": PANDAS[name], "row": range(N), "p": RNG.normal(size=N)})
    result = release(table, ["q", "p"], keep_order=True)
    assert type(result.table) is pd.DataFrame
    assert result.table.dtypes.to_dict() == table.dtypes.to_dict()
    check_release(result, table)


@pytest.mark.parametrize("name", POLARS)
def test_polars_types_are_kept(name: str) -> None:
    """polars in, polars out, each column of the type it had."""
    table = pl.DataFrame({"q": POLARS[name], "row": range(N), "p": RNG.normal(size=N)})
    result = release(table, ["q", "p"], keep_order=True)
    assert type(result.table) is pl.DataFrame
    assert result.table.schema == table.schema
    check_release(result, table)


@pytest.mark.parametrize("array", ARROW, ids=lambda array: str(array.type))
def test_arrow_types_are_kept(array: pa.Array) -> None:
    """pyarrow in, pyarrow out, each column of the type it had."""
    table = pa.table({"q": array, "row": range(N), "p": RNG.normal(size=N)})
    result = release(table, ["q", "p"], keep_order=True)
    assert type(result.table) is pa.Table
    assert result.table.schema == table.schema
    check_release(result, table)


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_the_frame_does_not_matter(make: Any) -> None:
    """The same records in any frame have the same labels and the same release."""
    data = {"a": NUMBERS, "b": RNG.normal(size=N).tolist(), "c": TEXTS, "row": list(range(N))}
    data["b"] = [x / 7 for x in NUMBERS[::-1]]
    expected = release(pa.table(data), ["a", "b", "c"], keep_order=True)
    found = release(make(data), ["a", "b", "c"], keep_order=True)
    assert found.labels.tolist() == expected.labels.tolist()
    assert plain(found.table) == plain(expected.table)
    assert found.measures == expected.measures


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_decimals_make_whole_columns_fractional(make: Any) -> None:
    """Whole columns stay whole unless decimals are asked for; then they are float64 with as many."""
    table = make({"a": NUMBERS, "row": range(N)})
    whole = plain(release(table, ["a"]).table)["a"]
    assert {type(value) for value in whole} == {int}
    fractions = plain(release(table, ["a"], decimals={"a": 2}).table)["a"]
    assert {type(value) for value in fractions} == {float}
    assert fractions == [round(value, 2) for value in fractions]
    assert np.mean(fractions) == pytest.approx(np.mean(NUMBERS), abs=0.005)


def test_nothing_of_index_and_metadata_survives() -> None:
    """Neither a pandas index nor Arrow metadata comes out."""
    frame = pd.DataFrame({"a": WHOLE}, index=pd.Index([f"CANARYx7 {i}" for i in range(N)], name="who"))
    frame.attrs["who"] = "CANARYx7"
    output = release(frame, ["a"]).table
    assert (output.index.equals(pd.RangeIndex(N)), output.index.name, output.attrs) == (True, None, {})
    table = pa.Table.from_pandas(frame).drop_columns(["who"])
    assert b"CANARY" in table.schema.metadata[b"pandas"] or table.schema.metadata
    assert release(table, ["a"]).table.schema.metadata is None


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_other_columns_stay_with_their_records(make: Any) -> None:
    """Shuffled or not, confidential and other values stay on the records that they belong to; identifiers go."""
    data = {"name": [f"n{i}" for i in range(N)], "a": NUMBERS, "secret": RNG.normal(size=N).tolist(), "row": range(N)}
    schema = Schema.of(["a"], identifiers=["name"], confidential=["secret"], other=["row"])
    result = covey.anonymize(make(data), schema, 5, seed=1)
    output = plain(result.table)
    assert list(output) == ["a", "secret", "row"]
    assert output["row"] != list(range(N))
    assert sorted(output["row"]) == list(range(N))
    assert [data["secret"][row] for row in output["row"]] == output["secret"]
    means = {label: np.rint(np.mean(WHOLE[result.labels == label])) for label in set(result.labels)}
    assert output["a"] == [means[result.labels[row]] for row in output["row"]]


def test_the_lot_changes_the_order_alone() -> None:
    """Published averages and D are the same to the last digit whatever the shuffle, with weights and rescaled, too."""
    rng = np.random.default_rng(0)
    table = pa.table({"x": rng.normal(size=210), "y": rng.normal(70, 9, 210), "w": rng.uniform(1, 3, 210)})
    for options in ({}, {"weights": "w"}, {"preserve_variance": True}):
        seeds = [release(table, ["x", "y"], 7, seed=seed, **options) for seed in range(4)]
        assert len({tuple(sorted(zip(*plain(found.table).values(), strict=True))) for found in seeds}) == 1
        assert len({found.measures.distortion for found in seeds}) == 1


def test_order_and_seed() -> None:
    """keep_order keeps it; a seed repeats the shuffle; without one it differs; the seed is not in the recipe."""
    table = pa.table({"a": NUMBERS, "row": range(N)})
    orders = [plain(release(table, ["a"], seed=seed).table)["row"] for seed in (7, 7, 8, None, None)]
    assert orders[0] == orders[1]
    assert len(set(map(tuple, orders))) == 4
    kept = release(table, ["a"], keep_order=True)
    assert plain(kept.table)["row"] == list(range(N))
    assert (kept.recipe["shuffled"], "seed" in json.dumps(release(table, ["a"], seed=7).recipe)) == (False, False)


def test_means_are_preserved() -> None:
    """Means of fractional columns are preserved to the last digits, those of whole ones to half a unit."""
    columns = {f"x{j}": RNG.normal(10.0**j, 3, 500) for j in range(-3, 9, 3)} | {"w": RNG.integers(0, 10**6, 500)}
    output = release(pa.table(columns), list(columns), 7).table
    for name, values in columns.items():
        tolerance = 0.5 if name == "w" else 1e-13 * np.abs(values).max()
        assert np.mean(output[name].to_numpy()) == pytest.approx(np.mean(values), abs=tolerance)


@pytest.mark.parametrize("method", ["mdav", "md", "vmdav", "univariate", "individual-ranking"])
def test_variances_are_preserved(method: str) -> None:
    """On request variances are preserved with the means, and cells of k stay cells of k."""
    values = RNG.normal(5, 2, 300)
    result = release(pa.table({"x": values}), ["x"], 10, method=method, preserve_variance=True)
    output = result.table["x"].to_numpy()
    assert (output.mean(), output.var()) == pytest.approx((values.mean(), values.var()), rel=1e-12)
    assert min(Counter(output.tolist()).values()) >= 10
    assert result.measures.columns[0].variance_ratio == pytest.approx(1, rel=1e-12)


def test_weighted_means_and_variances_are_preserved() -> None:
    """With weights it is the weighted mean and variance that are preserved."""
    values, weights = RNG.normal(5, 2, 300), RNG.uniform(0.5, 4, 300)
    table = pa.table({"x": values, "w": weights})
    output = release(table, ["x"], 10, weights="w", preserve_variance=True).table
    published, masses = output["x"].to_numpy(), output["w"].to_numpy()
    mean = np.average(values, weights=weights)
    assert np.average(published, weights=masses) == pytest.approx(mean, rel=1e-12)
    spread = np.average((published - mean) ** 2, weights=masses)
    assert spread == pytest.approx(np.average((values - mean) ** 2, weights=weights), rel=1e-12)


def test_a_single_published_value_has_no_variance_to_rescale() -> None:
    """Where all records share a value its variance cannot be restored, and a note says so."""
    result = release(pa.table({"x": [1.0, 2.0, 4.0]}), ["x"], 2, preserve_variance=True)
    assert any("no variance to rescale" in note for note in result.notes)


def test_variance_of_types_that_are_too_narrow() -> None:
    """A rescaled value that its type does not hold is refused with the column and the count."""
    values = np.r_[np.linspace(0, 120, 20), [127] * 20].astype("int8")
    with pytest.raises(InvalidInput, match="column 'q': 20 rescaled values are outside the range of its type, int8"):
        release(pd.DataFrame({"q": values}), ["q"], 20, preserve_variance=True)


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_strata_are_never_mixed(make: Any) -> None:
    """No cell holds records of two strata; a quasi-identifier among them is published as it is, and counts."""
    data = {"a": NUMBERS, "s": [f"g{i % 3}" for i in range(N)], "t": [i % 2 for i in range(N)], "row": range(N)}
    schema = Schema.of(["a", "s"], other=["t", "row"], nominal=["s"])
    result = covey.anonymize(make(data), schema, 4, strata=["s", "t"], keep_order=True)
    assert plain(result.table)["s"] == data["s"]
    by_cell: dict[int, set[tuple[str, int]]] = {}
    for label, s, t in zip(result.labels, data["s"], data["t"], strict=True):
        by_cell.setdefault(label, set()).add((s, t))
    assert {len(found) for found in by_cell.values()} == {1}
    output = plain(result.table)
    assert min(Counter(zip(output["a"], output["s"], strict=True)).values()) >= 4


def test_weights_are_in_the_averages() -> None:
    """Means, medians and modes weigh the records; the weights stay in the table."""
    table = pa.table({"x": [1.0, 2.0, 6.0], "o": ["lo", "mid", "hi"], "n": ["p", "p", "q"], "w": [1, 1, 4]})
    schema = Schema.of(["x", "o", "n"], other=["w"], ordinal={"o": ["lo", "mid", "hi"]}, nominal=["n"])
    weighted = covey.anonymize(table, schema, 3, weights="w", keep_order=True).table.to_pydict()
    assert weighted == {"x": [4.5] * 3, "o": ["hi"] * 3, "n": ["q"] * 3, "w": [1, 1, 4]}
    equal = covey.anonymize(table, schema, 3, keep_order=True).table.to_pydict()
    assert equal == {"x": [3.0] * 3, "o": ["mid"] * 3, "n": ["p"] * 3, "w": [1, 1, 4]}


def test_ordinal_averages() -> None:
    """The convex median may be a category that does not occur, in a type that has it or not."""
    values = ["a"] * 4 + ["e"] * 5
    order = ["a", "b", "c", "d", "e"]
    for column in (values, pd.Categorical(values, order, ordered=True), pd.Categorical(values)):
        table = pd.DataFrame({"o": column})
        schema = Schema.of(["o"], ordinal={"o": order})
        found = [
            covey.anonymize(table, schema, 9, ordinal_average=average).table["o"].tolist()
            for average in ("median", "convex")
        ]
        assert found == [["e"] * 9, ["c"] * 9]


def test_labels_are_of_the_input() -> None:
    """Labels follow the rows of the input whatever the shuffle; records that are withheld have −1."""
    values = [1.0, 2.0, None, 30.0, 31.0, None, 3.0]
    table = pd.DataFrame({"a": values, "b": [1.0, 2, 3, 4, 5, 6, 7]})
    dropped = release(table, ["a", "b"], 2, missing="drop", seed=5)
    assert (dropped.labels >= 0).tolist() == [True, True, False, True, True, False, True]
    assert (dropped.measures.records, dropped.measures.withheld) == (5, 2)
    kept = release(table, ["a", "b"], 2, missing="own-cells", seed=5)
    assert kept.labels[2] == kept.labels[5]
    assert kept.measures.withheld == 0
    assert sorted(plain(kept.table)["b"]) == sorted([*plain(dropped.table)["b"], 4.5, 4.5])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_own_cells(make: Any) -> None:
    """Missing values stay missing, cells keep to their pattern, and patterns of fewer than k are withheld and noted."""
    a = [None if i % 4 == 0 else float(x) for i, x in enumerate(NUMBERS)]
    c = [None if i in (1, 2) else text for i, text in enumerate(TEXTS)]
    table = make({"a": a, "c": c, "row": range(N)})
    result = release(table, ["a", "c"], missing="own-cells")
    output = plain(result.table)
    assert sorted(output["row"]) == [row for row in range(N) if row not in (1, 2)]
    assert all((a[row] is None) == (value is None) for row, value in zip(output["row"], output["a"], strict=True))
    assert min(Counter(zip(output["a"], output["c"], strict=True)).values()) >= 4
    assert any(note.startswith("2 records were withheld") for note in result.notes)
    assert result.measures.withheld == 2


def test_constant_columns_are_kept_and_noted() -> None:
    """A constant column is published as it is, has no weight in the distances, and is in the notes."""
    values = RNG.normal(size=N)
    both = release(pa.table({"x": values, "c": [7] * N, "t": ["same"] * N}), ["x", "c", "t"])
    assert both.labels.tolist() == release(pa.table({"x": values}), ["x"]).labels.tolist()
    assert (set(plain(both.table)["c"]), set(plain(both.table)["t"])) == ({7}, {"same"})
    assert any("'c', 't' hold a single value" in note for note in both.notes)


@pytest.mark.parametrize("k", [2, 5, 30])
def test_tables_with_few_values(k: int) -> None:
    """Tables of one value or two are released with their cells and change no value needlessly."""
    same = release(pa.table({"x": [3.5] * N, "y": ["a"] * N}), ["x", "y"], k)
    assert plain(same.table) == {"x": [3.5] * N, "y": ["a"] * N}
    assert same.measures.distortion == 0
    two = release(pa.table({"x": [0, 1] * 30}), ["x"], k)
    assert sorted(plain(two.table)["x"]) == sorted([0, 1] * 30)


@pytest.mark.parametrize("missing", ["error", "own-cells"])
def test_minus_999_is_a_value_like_any_other(missing: str) -> None:
    """−999 is averaged with its neighbours."""
    output = plain(release(pa.table({"x": [-999.0, -997.0, 5.0, 7.0]}), ["x"], 2, missing=missing).table)
    assert sorted(output["x"]) == [-998, -998, 6, 6]


GAUSS = RNG.integers(-(2**20), 2**20, (400, 2)) / 2.0**18


def distortion(columns: np.ndarray) -> float:
    names = ["x", "y"]
    return release(pa.table(list(columns.T), names=names), names, 5).measures.distortion


@pytest.mark.parametrize("factor", [1e-300, 1e-100, 1e100, 1e300])
def test_scale_changes_nothing(factor: float) -> None:
    """D does not change when a column is scaled by 1e±100 or 1e±300."""
    assert distortion(GAUSS * [factor, 1]) == pytest.approx(distortion(GAUSS), rel=1e-12)
    assert distortion(GAUSS * factor) == pytest.approx(distortion(GAUSS), rel=1e-12)


@pytest.mark.parametrize("shift", [2.0**30, -(2.0**31)])
def test_shift_changes_nothing(shift: float) -> None:
    """D does not change when a column is shifted by 1e9 of its standard deviations, where the input stays exact."""
    assert distortion(GAUSS + np.array([shift, 0])) == pytest.approx(distortion(GAUSS), rel=1e-6)


@pytest.mark.parametrize("kind", ["int64", "datetime64[ns]"])
@pytest.mark.parametrize("offset", [2**62, -(2**62), 1_600_000_000_000_000_000])
def test_large_whole_numbers_keep_precision(kind: str, offset: int) -> None:
    """Near ±2**62 each published value is still the mean of its cell to the unit."""
    steps = RNG.permutation(N) * 3
    table = pd.DataFrame({"x": (offset + steps).astype(kind), "row": range(N)})
    result = release(table, ["x"], 3, keep_order=True)
    found = result.table["x"].astype("int64").to_numpy() - offset
    means = [np.mean(steps[result.labels == label]) for label in result.labels]
    assert np.abs(found - means).max() <= 0.5
    assert found.mean() == pytest.approx(steps.mean(), abs=0.5)


def test_release_speaks_json() -> None:
    """Recipe, statement, measures and notes are plain JSON, numpy's numbers in the options included."""
    schema = Schema.of(["a", "c"], nominal=["c"])
    result = covey.anonymize(pa.table({"a": NUMBERS, "c": TEXTS}), schema, method=MDAV(np.int64(3)))
    read = json.loads(result.to_json())
    assert read["recipe"]["method"]["k"] == 3
    assert read["statement"]["smallest_cell"] == read["measures"]["smallest_cell"] >= 3
    assert read["recipe"]["input"]["records"] == N


def test_a_broken_partition_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a method makes a cell of fewer than k records the recount finds it and no table comes out."""

    def broken(self: MDAV, matrix: Any, progress: Any) -> np.ndarray:
        return np.r_[0, np.ones(matrix.n - 1)].astype(np.int64)

    monkeypatch.setattr(MDAV, "_partition", broken)
    with pytest.raises(GuaranteeError, match=r"1 groups of the output have fewer than k=4 records") as caught:
        release(pa.table({"a": [918273645.125, *map(float, range(20))]}), ["a"])
    assert "918273645" not in str(caught.value)


def test_a_broken_average_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """When an average is not the same for a whole cell the recount finds it."""
    original = covey.release.averaged_column

    def broken(column: Any, *arguments: Any, **options: Any) -> pa.Array:
        array = original(column, *arguments, **options)
        return pa.concat_arrays([pa.array([918273645.125]), array[1:]])

    monkeypatch.setattr(covey.release, "averaged_column", broken)
    with pytest.raises(GuaranteeError, match="nothing is released"):
        release(pa.table({"a": [float(x) for x in NUMBERS]}), ["a"])


def test_one_k_in_the_recipe_of_a_refined_method() -> None:
    """The recipe says the same k of the search and of the base, whichever of them it was given to."""
    table, schema = pa.table({"x": [i * i % 37 for i in range(40)]}), Schema.of(["x"])
    for estimator in (covey.Refine(covey.MDAV(3), k=5, steps=9), covey.Refine(covey.MDAV(5), steps=9)):
        method = covey.anonymize(table, schema, method=estimator).recipe["method"]
        assert (method["k"], method["base"]["k"]) == (5, 5)
    assert covey.anonymize(table, schema, method=covey.Refine(k=5, steps=9)).recipe["method"]["base"] is None
