"""The measures that pyCANON has too, and where it understands them differently."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import Schema, diversity, p_sensitivity
from covey.frames import arrow_table, read_frame
from covey.measures import combination_sizes
from tests.reference import diversity as slow

pycanon: Any = pytest.importorskip("pycanon.anonymity", reason="`make test` installs pyCANON without what it pins")

QUASI = ["x", "z"]
SCHEMA = Schema.of(QUASI, confidential=["text", "number"], nominal=["text"], continuous=["number"])
RECORDS = st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from("abcd"), st.sampled_from([0, 1, 2, 5, 50]))
FRAMES = st.lists(RECORDS, min_size=2, max_size=40).map(
    lambda records: pd.DataFrame(records, columns=["x", "z", "text", "number"])
)


@settings(max_examples=40)
@given(FRAMES)
def test_k_and_distinct_values(frame: pd.DataFrame) -> None:
    """k, and the ℓ of distinct diversity, of each column and of all: p-sensitivity."""
    assert combination_sizes(arrow_table(read_frame(frame)), QUASI).min() == pycanon.k_anonymity(frame, QUASI)
    found = diversity(frame, SCHEMA)
    for one in found:
        assert one.distinct == pycanon.l_diversity(frame, QUASI, [one.name])
    assert p_sensitivity(found) == pycanon.l_diversity(frame, QUASI, ["text", "number"])


@settings(max_examples=40)
@given(FRAMES)
def test_entropy(frame: pd.DataFrame) -> None:
    """Its ℓ of entropy diversity is ours rounded down, but for its last digit: three even values may be 2 there."""
    for one in diversity(frame, SCHEMA):
        theirs = pycanon.entropy_l_diversity(frame, QUASI, [one.name])
        assert theirs in (math.floor(one.entropy + 1e-9), math.floor(one.entropy - 1e-9))


@settings(max_examples=40)
@given(FRAMES)
def test_closeness(frame: pd.DataFrame) -> None:
    """Its t of texts is by equal distance, of numbers by order: their size does not count, as in our numeric one."""
    text, number = diversity(frame, SCHEMA)
    assert text.closeness.t == pytest.approx(pycanon.t_closeness(frame, QUASI, ["text"]), abs=1e-12)
    if number.values > 1:  # pyCANON divides by 0 where all are the same
        assert number.closeness.ordered == pytest.approx(pycanon.t_closeness(frame, QUASI, ["number"]), abs=1e-12)


@settings(max_examples=40)
@given(FRAMES)
def test_delta(frame: pd.DataFrame) -> None:
    """Its δ leaves out the values that a cell lacks, as ours does unless it is strict."""
    for one in diversity(frame, SCHEMA):
        assert one.delta == pytest.approx(pycanon.delta_disclosure(frame, QUASI, [one.name]), abs=1e-12)


def test_recursive() -> None:
    """The constants agree where all values of each cell are as frequent: pyCANON's c is the next whole number."""
    frame = pd.DataFrame({"x": [0, 0, 0, 1, 1, 1, 1], "z": 0, "text": list("abcabcd"), "number": [1, 2, 3, 4, 5, 6, 7]})
    c, l = pycanon.recursive_c_l_diversity(frame, QUASI, ["text"])  # noqa: E741
    (text,) = diversity(frame, SCHEMA, sensitive="text", l=l)
    assert (l, text.recursive.constant) == (3, 1.0)
    assert c == math.floor(text.recursive.constant) + 1


def test_recursive_elsewhere() -> None:
    """Where values differ in frequency pyCANON takes the rarest for the most frequent, and we keep to the papers."""
    frame = pd.DataFrame({"x": 0, "z": 0, "text": list("aaab"), "number": np.arange(4)})
    assert pycanon.recursive_c_l_diversity(frame, QUASI, ["text"]) == (1, 2)
    (text,) = diversity(frame, SCHEMA, sensitive="text", l=2, c=1.0)
    assert text.recursive.constant == slow.recursive_constant(list("aaab"), 2) == 3.0
    assert text.recursive.level == 1
