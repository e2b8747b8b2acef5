"""No value of a cell escapes: not in a message, a repr, a note, a log or a traceback."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import covey
from covey import MDAV, Close, CoveyError, Diverse, Schema
from covey.io import read_table, write_table

TEXT = "CANARYx7"
NUMBER = 918273645.125
SIGNS = (TEXT, "918273645", "9.18273645", "9.182736e", "918.273.645", "918,273,645")
N = 12


def texts(*others: Any) -> list[Any]:
    return [*(f"{TEXT} {i}" for i in range(N - len(others))), *others]


def numbers(*others: Any) -> list[Any]:
    return [*(NUMBER + i for i in range(N - len(others))), *others]


def spoken(error: BaseException) -> str:
    """All that Python would print of an error, its causes and contexts included, and its arguments."""
    chain, said = error, ["".join(traceback.format_exception(error))]
    while chain is not None:
        said += [repr(chain), repr(chain.args)]
        chain = chain.__cause__ or chain.__context__
    return "\n".join(said)


def revealed(said: str) -> list[str]:
    return [sign for sign in SIGNS if sign in said]


def release(data: dict[str, Any], make: Callable[..., Any] = pd.DataFrame, k: Any = 3, **options: Any) -> covey.Release:
    given = {name: options.pop(name) for name in ("ordinal", "nominal", "decimals") if name in options}
    return covey.anonymize(make(data), Schema.of(list(data), **given), k, **options)


def beside(before: dict[str, Any], after: dict[str, Any], **kinds: Any) -> covey.Linkage:
    plain = {"q": [0] * N}
    schema = Schema.of(["q"], other=["y"] if "y" in before else [], **kinds)
    return covey.linkage(pa.table(plain | before), pa.table(plain | after), schema)


def confidential(values: list[Any], **options: Any) -> covey.Release:
    table = pa.table({"q": numbers(), "secret": values})
    return covey.anonymize(table, Schema.of(["q"], confidential=["secret"]), 3, **options)


TIMES = [pd.Timestamp("2020-01-01"), *pd.to_datetime(np.arange(N - 1), unit="D")]
FAILURES: dict[str, Callable[[], Any]] = {
    "tables that do not correspond": lambda: beside({"y": texts()}, {"y": texts()[::-1]}),
    "released types that do not compare": lambda: beside({"q": numbers()}, {"q": texts()}),
    "released dates that are none": lambda: beside({"q": TIMES}, {"q": texts()}),
    "released numbers that are none": lambda: beside({"q": [1] * N}, {"q": texts()}, nominal=["q"]),
    "released categories that are none": lambda: beside({"q": ["a"] * N}, {"q": texts()}, nominal=["q"]),
    "verified lists": lambda: covey.verify(pa.table({"q": [texts()] * 3}), ["q"], 2),
    "text in a continuous column": lambda: release({"q": texts("1")}),
    "numbers as text": lambda: release({"q": [str(NUMBER)] * N}),
    "mixed types": lambda: release({"q": [TEXT, NUMBER, None, True] * 3}),
    "mixed numbers": lambda: release({"q": [NUMBER, 2**80, 1j] * 4}),
    "huge numbers": lambda: release({"q": [int(NUMBER) * 10**30] * N}),
    "infinite": lambda: release({"q": numbers(float("inf"))}),
    "NaN": lambda: release({"q": numbers(float("nan"))}, pl.DataFrame),
    "NaN categories": lambda: release({"q": numbers(float("nan"))}, pl.DataFrame, nominal=["q"]),
    "missing": lambda: release({"q": numbers(None), "t": texts(None)}, nominal=["t"]),
    "no pattern large enough": lambda: release({"q": numbers(None)}, k=12, missing="own-cells"),
    "outside the order": lambda: release({"q": texts()}, ordinal={"q": ["low", "high"]}),
    "outside the categories": lambda: release({"q": texts()}, pa.table, nominal={"q": ["low"]}),
    "categories of another type": lambda: release({"q": numbers()}, ordinal={"q": [TEXT]}),
    "categories not of the type": lambda: release({"q": [1] * N}, ordinal={"q": [NUMBER, 1]}),
    "no order": lambda: release({"q": texts()}, pl.DataFrame, ordinal={"q": []}),
    "dates with decimals": lambda: release({"q": TIMES}, decimals={"q": 2}),
    "fewer than k": lambda: release({"q": numbers(), "t": texts()}, nominal=["t"], k=50),
    "bad k": lambda: release({"q": numbers()}, k=TEXT),
    "bad number for k": lambda: release({"q": numbers()}, k=NUMBER),
    "bad strata": lambda: release({"q": numbers(), "t": texts()}, strata="t", nominal=["t"]),
    "lists": lambda: release({"q": [[TEXT, str(NUMBER)]] * N}, pa.table),
    "structures": lambda: release({"q": [{TEXT: NUMBER}] * N}, pl.DataFrame, nominal=["q"]),
    "bytes": lambda: release({"q": [TEXT.encode()] * N}),
    "intervals": lambda: release({"q": pd.cut(numbers(), 3)}, nominal=["q"]),
    "objects": lambda: release({"q": pl.Series([Path(TEXT)] * N, dtype=pl.Object)}, pl.DataFrame, nominal=["q"]),
    "weights of text": lambda: covey.anonymize(
        pa.table({"q": numbers(), "w": texts()}), Schema.of(["q"], other=["w"]), 3, weights="w"
    ),
    "negative weights": lambda: covey.anonymize(
        pa.table({"q": numbers(), "w": [-NUMBER] * N}), Schema.of(["q"], other=["w"]), 3, weights="w"
    ),
    "univariate of text": lambda: release({"q": texts()}, nominal=["q"], method="univariate"),
    "range of the type": lambda: release(
        {"q": pa.array([0] * 3 + [int(NUMBER)] * 3 + [2**31 - 1] * 6, pa.int32())}, pa.table, 6, preserve_variance=True
    ),
    "narrow decimals": lambda: release(
        {
            "q": pa.array([0] * 3 + [int(NUMBER)] * 3 + [999999999] * 6, pa.int64())
            .cast(pa.decimal128(19, 0))
            .cast(pa.decimal128(9, 0))
        },
        pa.table,
        6,
        preserve_variance=True,
    ),
    "series": lambda: covey.anonymize(pd.Series(texts()), Schema.of(["q"]), 3),
    "array": lambda: covey.anonymize(np.array([numbers()]), Schema.of(["q"]), 3),
    "list": lambda: covey.anonymize([texts(), numbers()], Schema.of(["q"]), 3),
    "confidential mixed types": lambda: covey.anonymize(
        pd.DataFrame({"q": numbers(), "m": [TEXT, NUMBER] * (N // 2)}), Schema.of(["q"], confidential=["m"]), 3
    ),
    "more values than there are": lambda: confidential(texts(), p_sensitive=50),
    "no order for closeness": lambda: confidential(texts(), t_close=Close(0.1, "ordered")),
    "gaps without a place": lambda: confidential(numbers(None), t_close=Close(0.1, "numeric")),
    "criteria of what is no column": lambda: confidential(texts(), l_diverse={TEXT: 2}),
    "a criterion of text": lambda: confidential(texts(), p_sensitive=TEXT),
    "an unknown kind of diversity": lambda: Diverse(2, TEXT),  # type: ignore[arg-type]
    "closeness beyond 1": lambda: Close(NUMBER),
    "a table for a schema": lambda: covey.anonymize(pa.table({"q": numbers()}), pd.DataFrame({"q": texts()}), 3),
    "a data file for a schema": lambda: Schema.from_toml(f"name,age\n{TEXT},{NUMBER}\n"),
    "a line of data for a schema": lambda: Schema.from_toml(f'"{TEXT}" {NUMBER}'),
    "a value as a key": lambda: Schema.from_toml(f'"{TEXT}" = {NUMBER}'),
    "an estimator of text": lambda: MDAV(3).fit(np.array([texts(), texts()])),
    "an estimator of NaN": lambda: MDAV(3).fit([[NUMBER, float("nan")]] * 5),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_failures_reveal_nothing(
    failure: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes wrong with a table, nothing that Python says of it holds a value."""
    caplog.set_level(logging.DEBUG)
    with pytest.raises(CoveyError) as caught:
        FAILURES[failure]()
    assert revealed(spoken(caught.value) + caplog.text + "".join(capfd.readouterr())) == []
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


ROW = f"{TEXT},{NUMBER}"
FILES = {
    "ragged.csv": f"a,b\n{ROW}\n{ROW},{TEXT}\n",
    "quotes.csv": f'a,b\n"{ROW}\n{ROW}\n',
    "text after a quote.csv": f'a,b\n"{TEXT}"{TEXT},{NUMBER}\n',
    "nul.csv": f"a,b\n{ROW}\0\n",
    "latin.csv": f"a,b\n{ROW}".encode() + b"\xe9\n",
    "utf16.csv": f"a,b\n{ROW}\n".encode("utf-16"),
    "semicolons.csv": f"a;b\n{TEXT};{NUMBER}\n",
    "long.csv": f'a,b\n"{TEXT * 20_000}",{NUMBER}\n',
    "longer.csv": f"a,b\n{TEXT * 400_000},{NUMBER}\n",
    "text.parquet": f"a,b\n{ROW}\n",
    "text.arrow": f"a,b\n{ROW}\n",
    "suffix.xlsx": f"a,b\n{ROW}\n",
}


@pytest.mark.parametrize("name", FILES)
def test_unusable_files_reveal_nothing(tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever is wrong with a file, nothing that Python says of it holds a value."""
    data = FILES[name]
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(CoveyError) as caught:
        read_table(tmp_path / name)
    assert revealed(spoken(caught.value) + "".join(capfd.readouterr())) == []


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_damaged_files_reveal_nothing(tmp_path: Path, kind: str) -> None:
    """A file cut short anywhere is refused without a word of its content."""
    path = tmp_path / f"t.{kind}"
    write_table(pa.table({"a": texts(), "b": numbers()}), path)
    data = path.read_bytes()
    for length in range(8, len(data) - 1, len(data) // 25):
        path.write_bytes(data[:length])
        with pytest.raises(CoveyError) as caught:
            read_table(path)
        assert revealed(spoken(caught.value)) == []


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_release_reveals_nothing_but_its_table(make: Callable[..., Any], caplog: pytest.LogCaptureFixture) -> None:
    """The repr, notes, recipe, statement and measures of a release hold no value of a cell."""
    caplog.set_level(logging.DEBUG)
    data = {
        "name": texts(),
        "q": numbers(None),
        "constant": [NUMBER] * N,
        "t": texts(None, f"{TEXT} 0", f"{TEXT} 0"),
        "g": [TEXT] * N,
        "secret": texts(),
        "o": numbers(),
    }
    schema = Schema.of(
        ["q", "constant", "t", "g"], identifiers=["name"], confidential=["secret"], other=["o"], nominal=["t", "g"]
    )
    several: list[dict[str, Any]] = [{"missing": "own-cells"}, {"missing": "drop", "strata": "g"}]
    several += [{"missing": "drop", "weights": "o"}, {"missing": "drop", "p_sensitive": 4, "t_close": 0.6}]
    for options in several:
        result = covey.anonymize(make(data), schema, 3, **options)
        said = [repr(result), str(result), result.to_json(), repr(result.measures), repr(schema), caplog.text]
        assert revealed("\n".join(said)) == []
        assert result.notes


def test_declared_categories_are_in_the_recipe_only() -> None:
    """Categories that the schema itself declares are in the recipe, and nowhere else."""
    schema = Schema.of(["q"], nominal={"q": [TEXT, "other"]})
    result = covey.anonymize(pa.table({"q": [TEXT] * 6 + ["other"] * 6}), schema, 3)
    assert result.recipe["schema"][0]["categories"] == [TEXT, "other"]
    assert revealed(repr(result) + repr(schema) + repr(result.notes) + repr(result.statement)) == []
