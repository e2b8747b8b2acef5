"""Reports that tests look into: tables that are hard to show, and HTML read as strictly as it was written."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

import covey
from covey import IndividualRanking, Schema
from covey.report.page import VOID

if TYPE_CHECKING:
    from collections.abc import Callable

SECTIONS = (
    *("summary", "recipe", "guarantee", "distortion", "scatter", "correlations", "tradeoff"),
    *("cells", "linkage", "diversity", "exposed", "notes", "glossary", "reproduce"),
)
HOSTILE = "<script>alert('1')</script>\"&'\u202e אבג \u0007" + "x" * 90


class Reader(HTMLParser):
    """Elements in the order in which they open, each closed where it must be."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.faults: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        self.faults += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if len({name for name, _ in attrs}) < len(attrs):
            self.faults.append(f"{tag} has an attribute twice")
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"{tag} is closed within {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that is read or read aloud."""
        labels = [words for _, given in self.elements for name in ("aria-label", "title") if (words := given.get(name))]
        return "\n".join([*self.words, *labels])

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element of a name."""
        return [given for found, given in self.elements if found == tag]


def people(n: int = 60) -> pa.Table:
    """A table with every role and kind."""
    rng = np.random.default_rng(5)
    return pa.table(
        {
            "name": [f"person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "weight": np.round(rng.normal(70, 12, n), 1),
            "sex": rng.choice(["f", "m"], n),
            "school": rng.choice(["low", "mid", "high"], n),
            "income": rng.normal(3000, 800, n),
            "illness": rng.choice(["a", "b", "c"], n),
            "sample": rng.integers(0, 3, n),
        }
    )


def people_schema() -> Schema:
    """What its columns are."""
    return Schema.of(
        quasi=["age", "weight", "sex", "school"],
        identifiers=["name"],
        confidential=["income", "illness"],
        other=["sample"],
        ordinal={"school": ["low", "mid", "high"]},
        nominal=["sex", "illness", "sample"],
        continuous=["age", "weight", "income"],
    )


def _of(columns: dict[str, Any], k: int = 3, **options: Any) -> tuple[pa.Table, covey.Release]:
    given = {name: options.pop(name) for name in ("ordinal", "nominal", "confidential", "decimals") if name in options}
    table = pa.table(columns)
    confidential = given.pop("confidential", [])
    quasi = [name for name in table.column_names if name not in confidential]
    schema = Schema.of(quasi=quasi, confidential=confidential, **given)
    return table, covey.anonymize(table, schema, None if "method" in options else k, seed=3, **options)


def _numbers(n: int = 40, seed: int = 1) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).normal(size=n)


def _texts(n: int = 40, levels: int = 3) -> list[str]:
    return [f"level {i}" for i in np.random.default_rng(2).integers(0, levels, n)]


DAYS = [dt.date(1950, 1, 1) + dt.timedelta(days=37 * i) for i in range(40)]

HARD: dict[str, Callable[[], tuple[pa.Table, covey.Release]]] = {
    "individual ranking": lambda: _of({"a": _numbers(), "b": _numbers(seed=2)}, method=IndividualRanking(k=3)),
    "strata": lambda: _of({"a": _numbers(), "sex": ["f", "m"] * 20}, nominal=["sex"], strata="sex"),
    "missing in own cells": lambda: _of(
        {"a": [None if i % 4 == 0 else float(i) for i in range(40)], "b": _numbers()}, missing="own-cells"
    ),
    "withheld": lambda: _of({"a": [None, None, *map(float, range(38))], "b": _numbers()}, missing="drop"),
    "one quasi-identifier": lambda: _of({"a": _numbers()}),
    "nominal only": lambda: _of({"a": _texts(), "b": _texts(levels=12)}, nominal=["a", "b"]),
    "one nominal": lambda: _of({"a": _texts()}, nominal=["a"]),
    "constant": lambda: _of({"a": [7.0] * 40, "b": _numbers()}),
    "all constant": lambda: _of({"a": [7] * 40, "b": ["x"] * 40}, nominal=["b"]),
    "dates": lambda: _of({"born": DAYS, "b": _numbers()}),
    "times": lambda: _of(
        {
            "seen": pa.array(
                [1_577_836_800_000_000_000 + 3_600_000_000_000 * i for i in range(40)], pa.timestamp("ns")
            ),
            "at": pa.array([dt.time(i % 24, i) for i in range(40)], pa.time64("us")),
            "for": pa.array([dt.timedelta(minutes=i) for i in range(40)], pa.duration("s")),
        }
    ),
    "huge": lambda: _of({"a": _numbers() * 1e300, "b": np.linspace(-8e307, 8e307, 40), "c": _numbers() * 1e-300}),
    "decimals": lambda: _of({"a": pa.array([Decimal(i) / 10 for i in range(40)], pa.decimal128(9, 1))}),
    "two records": lambda: _of({"a": [1.0, 2.0], "b": ["x", "y"]}, k=2, nominal=["b"]),
    "unicode": lambda: _of({"年齢": _numbers(), "שם": _texts(), "🐦": _numbers(seed=4)}, nominal=["שם"]),
    "hostile": lambda: _of(
        {HOSTILE: [HOSTILE + "v", "&amp;</title>"] * 20, "</style>": _numbers(), "<b>": [HOSTILE, "<i>"] * 20},
        nominal=[HOSTILE],
        confidential=["<b>"],
    ),
    "booleans": lambda: _of({"a": [True, False] * 20, "b": _numbers()}, nominal=["a"]),
    "bytes": lambda: _of({"a": pa.array([b"\x00\xff", b"yes"] * 20), "b": _numbers()}, nominal=["a"]),
    "ordered type": lambda: _of(
        {"a": pa.DictionaryArray.from_arrays([0, 1, 2, 1] * 10, ["low", "mid", "high"], ordered=True)},
        ordinal={"a": []},
    ),
    "ordinal numbers": lambda: _of({"a": [1, 2, 3, 4] * 10, "b": _numbers()}, ordinal={"a": [1, 2, 3, 4]}),
    "many levels": lambda: _of({"a": [f"town {i % 25}" for i in range(100)], "b": _numbers(100)}, nominal=["a"]),
    "many columns": lambda: _of({f"column {i}": _numbers(seed=i) for i in range(200)}),
    "confidential lists": lambda: _of({"a": _numbers(), "c": pa.array([[1], [2]] * 20)}, confidential=["c"]),
    "confidential missing": lambda: _of(
        {"a": _numbers(), "c": pa.array([None] * 40, pa.string()), "d": [None, 1.0] * 20}, confidential=["c", "d"]
    ),
    "confidential strange numbers": lambda: _of(
        {"a": _numbers(), "b": _numbers(seed=2), "c": [float("nan"), float("inf")] * 20}, confidential=["c"]
    ),
    "rescaled": lambda: _of({"a": _numbers(), "b": _numbers(seed=2)}, preserve_variance=True),
    "long tail": lambda: _of({"a": [*np.arange(400.0), 1e9], "b": _numbers(401)}),
    "dependence": lambda: _of({"a": _numbers(), "c": _texts()}, confidential=["c"], nominal=["c"], dependence=0.5),
    "column blocks": lambda: _of(
        {"a": _numbers(), "b": _numbers(seed=2), "c": _texts()}, nominal=["c"], column_blocks=2, guarantee="per-block"
    ),
    "refined": lambda: _of({"a": _numbers(), "b": _numbers(seed=2)}, method=covey.Refine(covey.MDAV(k=3), steps=10)),
    "pcl": lambda: _of({"a": _numbers(), "b": _numbers(seed=2)}, method=covey.PCL(k=4)),
    "blocks": lambda: _of({"a": _numbers(), "b": _numbers(seed=2)}, method=covey.Blocks(covey.MDAV(k=3), 20)),
}
