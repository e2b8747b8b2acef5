"""Prepartition of the columns: k in each block, and never without being asked for by name."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

import covey
from covey import InvalidInput, Schema

RNG = np.random.default_rng(7)
N = 80
TABLE = pa.table({name: RNG.normal(size=N) for name in "abcdef"} | {"s": RNG.choice(["x", "y"], N), "z": range(N)})
SCHEMA = Schema.of(list("abcdef"), confidential=["z"], other=["s"], continuous=["z"])
PER_BLOCK = {"guarantee": "per-block"}


def combinations(table: pa.Table, *names: str) -> Counter[tuple[float, ...]]:
    return Counter(zip(*(table[name].to_pylist() for name in names), strict=True))


@pytest.mark.parametrize("blocks", [1, 2, 3, 4, [["a", "f"], ["b", "c", "d"], ["e"]]])
@pytest.mark.parametrize("method", ["mdav", "vmdav", "pcl"])
@pytest.mark.parametrize("weight", [None, 0.3])
def test_k_holds_in_each_block(blocks, method, weight):
    """Every block's combinations are shared by k records, the values are those that the block alone would have."""
    release = covey.anonymize(
        TABLE, SCHEMA, 5, method=method, column_blocks=blocks, dependence=weight, keep_order=True, **PER_BLOCK
    )
    names = list("abcdef")
    lists = [names[i : i + blocks] for i in range(0, 6, blocks)] if isinstance(blocks, int) else blocks
    assert release.statement["holds_for"] == lists
    assert release.recipe["column_blocks"] == lists
    assert release.statement["jointly"] is False
    assert release.measures.predictability is None
    smallest = min(combinations(release.table, *names).values())
    assert release.statement["smallest_joint_combination"] == smallest
    for block in lists:
        assert min(combinations(release.table, *block).values()) >= 5
        others = [name for name in TABLE.column_names if name not in (*block, "z")]
        alone = covey.anonymize(
            TABLE, Schema.of(block, confidential=["z"], other=others, continuous=["z"]), 5,
            method=method, dependence=weight, keep_order=True,
        )  # fmt: skip
        assert all(alone.table[name].equals(release.table[name]) for name in block)


def test_prepartition_loses_less_and_says_what_it_costs():
    """Smaller blocks lose less; the statement says in capitals that jointly the table is not k-anonymous."""
    losses = [
        covey.anonymize(TABLE, SCHEMA, 5, column_blocks=b, **PER_BLOCK).measures.distortion if b < 6
        else covey.anonymize(TABLE, SCHEMA, 5).measures.distortion
        for b in (1, 2, 3, 6)
    ]  # fmt: skip
    assert losses == sorted(losses)
    release = covey.anonymize(TABLE, SCHEMA, 5, column_blocks=2, **PER_BLOCK)
    assert "JOINTLY THE TABLE IS NOT k-ANONYMOUS" in release.statement["says"]
    assert release.statement["property"] == "k-anonymity of each column block alone"
    assert release.labels.shape == (N, 6)
    assert release.labels_table().column_names[-1] == "row"


def test_strata_hold_within_blocks():
    """A quasi-identifier that is a stratum is published as it is, and counts with every block."""
    schema = Schema.of([*"abcdef", "s"], confidential=["z"], nominal=["s"])
    release = covey.anonymize(TABLE, schema, 5, column_blocks=3, strata="s", **PER_BLOCK)
    for block in ("abc", "def"):
        assert min(combinations(release.table, *block, "s").values()) >= 5
    assert release.statement["holds_for"] == [[*"abc", "s"], [*"def", "s"]]


def test_progress_and_refinement_go_over_all_blocks():
    """Progress never goes back and ends at all the work; Refine gives each block its share of the steps."""
    seen: list[tuple[int, int]] = []
    method = covey.Refine(covey.MDAV(5), steps=30)
    covey.anonymize(TABLE, SCHEMA, method=method, column_blocks=3, progress=lambda *x: seen.append(x), **PER_BLOCK)
    done = [x for x, _ in seen]
    assert done == sorted(done)
    assert {total for _, total in seen} == {2 * N}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"column_blocks": 2}, "ask for it by name, guarantee='per-block'"),
        ({"column_blocks": 2, "guarantee": "joint"}, "with 3 column_blocks k holds in each block alone"),
        ({"guarantee": "per-block"}, "guarantee='per-block' is for column_blocks"),
        ({"column_blocks": 6, **PER_BLOCK}, "a single block of all quasi-identifiers"),
        ({"column_blocks": 0, **PER_BLOCK}, "at least 1"),
        ({"column_blocks": True, **PER_BLOCK}, "at least 1"),
        ({"column_blocks": "ab", **PER_BLOCK}, "must be a number of columns, or lists of names"),
        ({"column_blocks": ["ab", "cd"], **PER_BLOCK}, "must be a number of columns, or lists of names"),
        ({"column_blocks": [["a", 1], ["b"]], **PER_BLOCK}, "must be a number of columns, or lists of names"),
        ({"column_blocks": [["a", "b", "c", "d", "e", "f"], []], **PER_BLOCK}, "none empty"),
        ({"column_blocks": [["a", "z"], ["b"]], **PER_BLOCK}, "column 'z', which is not averaged"),
        ({"column_blocks": [["a"], ["b", "c"]], **PER_BLOCK}, "leaves out columns 'd', 'e', 'f'"),
        ({"column_blocks": [["a", "b", "c"], ["d", "e", "f", "a"]], **PER_BLOCK}, "names a column twice"),
        ({"guarantee": "none"}, "unknown guarantee: expected one of joint, per-block"),
        ({"column_blocks": 2, "method": "individual-ranking", **PER_BLOCK}, "there are no blocks to form"),
        ({"column_blocks": 2, "p_sensitive": 2, **PER_BLOCK}, "column_blocks forms cells of some alone"),
    ],
)
def test_refusals(options, sentence):
    """What is not blocks of the quasi-identifiers is refused, and so is the weaker guarantee unless it is named."""
    with pytest.raises(InvalidInput, match=sentence):
        covey.anonymize(TABLE, SCHEMA, 5, **options)
