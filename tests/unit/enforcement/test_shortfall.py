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
from covey.enforcement import requirement as requirements
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
    shortfall, codes, levels = requirement.counted(np.array(rows))
    return float(shortfall.whole(np.bincount(codes, minlength=levels)[None, :])[0])


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
@pytest.mark.parametrize("few", [0, 256], ids=["values of the cells only", "all values"])
@given(values=VALUES, cut=st.integers(1, 23))
def test_an_exchange_is_counted_as_if_anew(criterion: Any, few: int, values: list[int], cut: int) -> None:
    """Every exchange, coming and leaving between two cells gives the shortfalls that counting anew gives."""
    cut = min(cut, len(values) - 1)
    requirement = required(criterion, values)
    cells = [list(range(cut)), list(range(cut, len(values)))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(requirements, "FEW_LEVELS", few)
        shortfall, codes, levels = requirement.counted(np.arange(len(values)))
    counts = np.stack([np.bincount(codes[cell], minlength=levels) for cell in cells])
    x, y = codes[cells[0]][:, None], codes[cells[1]][None, :]
    zero, one = np.zeros((1, 1), dtype=np.int64), np.ones((1, 1), dtype=np.int64)
    both = shortfall.changed(counts, zero, x, y), shortfall.changed(counts, one, y, x)
    comes = shortfall.changed(counts, zero, None, y)[0]
    leaves = shortfall.changed(counts[:1], zero, x, None)[:, 0] if cut > 1 else np.zeros(cut)
    for i, a in enumerate(cells[0]):
        left = [r for r in cells[0] if r != a]
        if left:
            assert leaves[i] == pytest.approx(whole(requirement, left), abs=1e-8)
        for j, b in enumerate(cells[1]):
            gone = [r for r in cells[1] if r != b]
            assert both[0][i, j] == pytest.approx(whole(requirement, [*left, b]), abs=1e-8)
            assert both[1][i, j] == pytest.approx(whole(requirement, [*gone, a]), abs=1e-8)
            assert comes[j] == pytest.approx(whole(requirement, [*cells[0], b]), abs=1e-8)


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
