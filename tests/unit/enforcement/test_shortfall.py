"""What cells fall short of, and what they would after an exchange, against counting anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from covey import Close, Diverse, PSensitive, Schema
from covey.criteria import to_demands
from covey.enforcement.requirement import Requirement, require
from covey.frames import read_frame
from tests.reference import criteria as slow

CRITERIA: list[Any] = [
    PSensitive(2),
    PSensitive(4),
    Diverse(3),
    Diverse(1.7, "entropy"),
    Diverse(3, "entropy"),
    Diverse(1, "recursive", 0.5),
    Diverse(2, "recursive", 1.0),
    Diverse(3, "recursive", 2.5),
    Close(0.1, "equal"),
    Close(0.3, "equal"),
    Close(0.1, "ordered"),
    Close(0.3, "numeric"),
    Close(0.0, "ordered"),
]
VALUES = st.lists(st.integers(0, 30) | st.integers(0, 3), min_size=4, max_size=24)


def required(criterion: Any, values: list[int]) -> Requirement:
    """The requirement of a column of such values."""
    table = pa.table({"q": [0.0] * len(values), "y": values})
    schema = Schema.of(["q"], confidential=["y"])
    option = {PSensitive: "p_sensitive", Diverse: "l_diverse", Close: "t_close"}[type(criterion)]
    return require(read_frame(table), schema, to_demands(schema, **{option: criterion}))[0]


def whole(requirement: Requirement, rows: list[int]) -> float:
    """The shortfall of one cell."""
    return requirement.shortfall(np.arange(len(requirement.codes))).whole(np.array(rows))


@settings(max_examples=25)
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@given(values=VALUES, end=st.integers(1, 24))
def test_nothing_is_lacking_where_the_criterion_is_met(criterion: Any, values: list[int], end: int) -> None:
    """A shortfall is 0 if and only if the definition holds, and what is attained says the same."""
    cell = list(range(min(end, len(values))))
    requirement = required(criterion, values)
    expected = slow.meets(criterion, [values[i] for i in cell], values)
    assert (whole(requirement, cell) == 0) == expected
    attained = requirement.attained(np.zeros(len(cell), dtype=np.int64), np.array(cell))
    assert bool(criterion.meets(attained)[0]) == expected


@settings(max_examples=25)
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@given(values=VALUES, cut=st.integers(1, 23))
def test_an_exchange_is_counted_as_if_anew(criterion: Any, values: list[int], cut: int) -> None:
    """Every exchange, coming and leaving gives the shortfall that counting anew gives."""
    cut = min(cut, len(values) - 1)
    requirement = required(criterion, values)
    shortfall, codes = requirement.shortfall(np.arange(len(values))), requirement.codes.tolist()
    cell, others = list(range(cut)), list(range(cut, len(values)))
    records = np.array(cell)
    for a in cell:
        left = [r for r in cell if r != a]
        if left:
            assert shortfall.changed(records, codes[a], -1) == pytest.approx(whole(requirement, left), abs=1e-8)
        for b in others:
            expected = whole(requirement, [*left, b])
            assert shortfall.changed(records, codes[a], codes[b]) == pytest.approx(expected, abs=1e-8)
    for b in others:
        assert shortfall.changed(records, -1, codes[b]) == pytest.approx(whole(requirement, [*cell, b]), abs=1e-8)


@settings(max_examples=25)
@pytest.mark.parametrize("criterion", CRITERIA, ids=repr)
@given(values=VALUES, cut=st.integers(1, 23))
def test_merging_mends(criterion: Any, values: list[int], cut: int) -> None:
    """Two cells together fall short of no more than the worse one, and of less than both if either falls short."""
    cut = min(cut, len(values) - 1)
    requirement = required(criterion, values)
    parts = [whole(requirement, list(range(cut))), whole(requirement, list(range(cut, len(values))))]
    merged = whole(requirement, list(range(len(values))))
    assert merged <= max(parts) + 1e-9
    assert merged < sum(parts) or not any(parts)
