"""Which records may share a cell."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from covey import MDAV, IndividualRanking, InvalidInput, Schema
from covey.encoding import encode
from covey.frames import read_frame
from covey.groups import Groups, form_groups, partition_groups


def groups_of(
    table: object, quasi: list[str], k: int = 2, missing: str = "error", strata: tuple[str, ...] = ()
) -> Groups:
    frame = read_frame(table)
    return form_groups(frame, encode(frame, Schema.of(quasi, table=table).quasi), strata, k, missing)


GAPS = pa.table(
    {
        "a": [1, 2, None, 4, None, 6, 7],
        "b": [1, None, 3, 4, 5, None, 7],
        "s": ["x", "x", "y", "y", "y", "x", None],
    }
)


def test_missing_values_are_an_error_by_default() -> None:
    """The error names every column and counts what it misses."""
    with pytest.raises(InvalidInput, match=r"missing in 'a' \(2\), 'b' \(2\)"):
        groups_of(GAPS, ["a", "b"])


def test_records_that_lack_a_value_are_dropped() -> None:
    """drop keeps the complete records and notes how many it left out."""
    found = groups_of(GAPS, ["a", "b"], missing="drop")
    assert [rows.tolist() for rows in found.rows] == [[0, 3, 6]]
    assert found.notes == ("4 records that lack a quasi-identifier were dropped",)


def test_each_pattern_of_missing_values_has_its_group() -> None:
    """own-cells groups the records that lack the same columns."""
    found = groups_of(GAPS, ["a", "b"], missing="own-cells")
    assert sorted(rows.tolist() for rows in found.rows) == [[0, 3, 6], [1, 5], [2, 4]]
    assert found.notes == ()


def test_small_patterns_are_withheld_and_noted() -> None:
    """Patterns of fewer than k records are withheld; the note counts the records and the patterns."""
    found = groups_of(GAPS, ["a", "b"], k=3, missing="own-cells")
    assert [rows.tolist() for rows in found.rows] == [[0, 3, 6]]
    assert len(found.notes) == 1
    assert found.notes[0].startswith("4 records were withheld: fewer than k=3")
    assert found.notes[0].endswith("(2 patterns)")


def test_nothing_left_is_an_error() -> None:
    """When no pattern has k records, or too few are complete, nothing is released."""
    with pytest.raises(InvalidInput, match="no pattern of missing values has k=4"):
        groups_of(GAPS, ["a", "b"], k=4, missing="own-cells")
    with pytest.raises(InvalidInput, match="there are 3 records, fewer than k=4"):
        groups_of(GAPS, ["a", "b"], k=4, missing="drop")


STRATA = [
    ["x", "y", "x", "y", None, None],
    [1.5, 2.5, 1.5, 2.5, None, None],
    [True, False, True, False, None, None],
]


@pytest.mark.parametrize("values", STRATA)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_strata_of_any_type(make: type, values: list[object]) -> None:
    """Strata keep their records apart, whatever holds them; a missing value is a stratum like any other."""
    table = make({"a": [1, 2, 3, 4, 5, 6], "s": values})
    found = groups_of(table, ["a"], strata=("s",))
    assert sorted(rows.tolist() for rows in found.rows) == [[0, 2], [1, 3], [4, 5]]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["x", "y", "x", "y", None, None], dtype=pl.Categorical),
        pl.Series(["x", "y", "x", "y", None, None], dtype=pl.Enum(["y", "x"])),
        pl.Series([200, 3, 200, 3, None, None], dtype=pl.UInt8),
    ],
)
def test_strata_with_unsigned_codes(column: pl.Series) -> None:
    """Categories with unsigned codes are strata too, missing values included."""
    found = groups_of(pl.DataFrame({"a": range(6), "s": column}), ["a"], strata=("s",))
    assert sorted(rows.tolist() for rows in found.rows) == [[0, 2], [1, 3], [4, 5]]


def test_strata_of_several_columns() -> None:
    """A stratum is a combination of the values of all its columns."""
    table = pa.table({"a": range(8), "s": [0, 0, 1, 1] * 2, "t": ["x", "y"] * 4})
    found = groups_of(table, ["a"], strata=("s", "t"))
    assert sorted(rows.tolist() for rows in found.rows) == [[0, 4], [1, 5], [2, 6], [3, 7]]


def test_strata_that_are_too_small() -> None:
    """Strata with fewer than k records are an error that counts them."""
    with pytest.raises(InvalidInput, match="1 of 3 strata have fewer than k=2"):
        groups_of(GAPS, ["a"], missing="own-cells", strata=("s",))


def test_strata_that_cannot_be_told_apart() -> None:
    """A stratum of lists is refused with the column's name."""
    with pytest.raises(InvalidInput, match="column 's' holds lists or structures, which covey cannot compare"):
        groups_of(pa.table({"a": [1, 2], "s": [[1], [1]]}), ["a"], strata=("s",))


def test_cells_stay_within_their_group() -> None:
    """No cell holds records of two groups, every cell has k, and records of no group have label −1."""
    rng = np.random.default_rng(1)
    a, b = (np.where(rng.random(300) < 0.3, np.nan, rng.normal(size=300)) for _ in range(2))
    frame = read_frame(pd.DataFrame({"a": a, "b": b, "s": rng.integers(0, 3, 300)}))
    columns = encode(frame, Schema.of(["a", "b"]).quasi)
    groups = form_groups(frame, columns, ("s",), 10, "own-cells")
    labels = partition_groups(MDAV(10), columns, groups)
    inside = [set(labels[rows]) for rows in groups.rows]
    assert sum(map(len, inside)) == len(set().union(*inside))
    assert min(np.bincount(labels[labels >= 0])) >= 10
    assert set(np.flatnonzero(labels < 0)) == set(range(300)) - set(np.concatenate(groups.rows))


def test_individual_ranking_has_a_label_for_each_column() -> None:
    """Individual ranking labels each column alone, within each group."""
    frame = read_frame(pa.table({"a": [1, 2, 3, 4], "b": [4, 1, 3, 2]}))
    columns = encode(frame, Schema.of(["a", "b"]).quasi)
    labels = partition_groups(IndividualRanking(2), columns, form_groups(frame, columns, (), 2, "error"))
    assert labels[:, 0].tolist() in ([0, 0, 1, 1], [1, 1, 0, 0])
    assert labels[0, 1] == labels[2, 1] != labels[1, 1] == labels[3, 1]
