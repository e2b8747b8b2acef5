"""Blocks of records near each other, and a partition in each."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import sklearn.base
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils import estimator_checks

import covey
from covey.matrix import Matrix, Space
from covey.partition.blocks import blocks
from tests.unit.partition.strategies import Case, cases, mixed_cases

BASES: dict[str, Any] = {
    "mdav": covey.MDAV(3),
    "mst": covey.MST(3),
    "tfrp": covey.TFRP(3),
    "vmdav": covey.VMDAV(3, gamma=1.0),
}
every_base = pytest.mark.parametrize("base", BASES.values(), ids=BASES)


@given(cases(most_records=200), st.integers(1, 60))
def test_blocks_are_as_few_and_as_equal_as_can_be(case: Case, size: int) -> None:
    """Every record is in one block of at most `size`; there are ⌈n / size⌉ of them, alike but for a record or two."""
    rows = blocks(case.space(), size)
    assert sorted(np.concatenate(rows).tolist()) == list(range(case.matrix.n))
    assert all(part.tolist() == sorted(part.tolist()) for part in rows)
    lengths = [len(part) for part in rows]
    assert max(lengths) <= size
    assert len(rows) == -(-case.matrix.n // size)
    assert min(lengths) >= case.matrix.n // len(rows)


@given(st.one_of(cases(most_records=150), mixed_cases(most_records=150)), st.integers(0, 20))
def test_cells_of_at_least_k(case: Case, more: int) -> None:
    """Whatever the records, cells hold at least k of them, and no cell mixes blocks."""
    size = 4 * case.k + more
    if not any(kind != "nominal" for kind in case.matrix.kinds) and case.matrix.n > size:
        with pytest.raises(covey.InvalidInput, match="there is none"):
            covey.Blocks(covey.MDAV(case.k), size=size).fit(case.matrix)
        return
    fit = covey.Blocks(covey.MDAV(case.k), size=size).fit(case.matrix)
    assert fit.sizes_.min() >= case.k
    assert sorted(set(fit.labels_.tolist())) == list(range(len(fit.sizes_)))
    cells = [set(fit.labels_[rows].tolist()) for rows in blocks(Space.of(case.matrix), size)]
    assert sum(map(len, cells)) == len(fit.sizes_)


@every_base
def test_in_each_block_it_is_the_base(base: Any) -> None:
    """Cells of a block are those of the base on its records alone, numbered after those of the blocks before."""
    X = np.random.default_rng(1).normal(size=(500, 3))
    labels, before = covey.Blocks(base, size=100).fit(X).labels_, 0
    for rows in blocks(Space.of(Matrix.of(X)), 100):
        part = type(base)(**base.get_params()).fit(X[rows]).labels_
        assert labels[rows].tolist() == (part + before).tolist()
        before += part.max() + 1


@every_base
def test_one_block_is_the_base(base: Any) -> None:
    """If all records fit in a block, it is as if there were none."""
    X = np.random.default_rng(1).normal(size=(100, 3))
    assert covey.Blocks(base, size=100).fit(X).labels_.tolist() == base.fit(X).labels_.tolist()


def test_the_widest_column_is_split() -> None:
    """Of two columns the wider one is split; ordinal columns count by their ranks, nominal ones do not."""
    X = np.column_stack([np.arange(10.0), np.arange(10.0)[::-1] * 2])
    assert [rows.tolist() for rows in blocks(Space.of(Matrix.of(X)), 5)] == [[5, 6, 7, 8, 9], [0, 1, 2, 3, 4]]
    mixed = Matrix.of(np.column_stack([np.arange(10) % 2 * 9, np.arange(10) // 5]), ["nominal", "ordinal"], [10, 2])
    assert [rows.tolist() for rows in blocks(Space.of(mixed), 5)] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]


@pytest.mark.filterwarnings("ignore:Estimator .* does not inherit:UserWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_the_contract_of_scikit_learn() -> None:
    """scikit-learn's own checks pass."""
    results = estimator_checks.check_estimator(covey.Blocks(covey.MDAV(2), size=20), on_fail=None)
    assert [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"] == []
    assert sum(result["status"] == "passed" for result in results) > 30


def test_clones_and_pickles() -> None:
    """clone and repr give the parameters back, and a pickle the fit; k is the base's."""
    estimator = covey.Blocks(covey.MDAV(4), size=50)
    clone = sklearn.base.clone(estimator)
    assert (clone.k, clone.size) == (estimator.k, 50) == (4, 50)
    assert clone.base is not estimator.base
    assert eval(repr(estimator), vars(covey.partition)).base.k == 4
    fit = clone.fit(np.arange(90.0).reshape(-1, 1))
    assert pickle.loads(pickle.dumps(fit)).labels_.tolist() == fit.labels_.tolist()


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (covey.Blocks(covey.MDAV(3), size=11), "at least 4k"),
        (covey.Blocks(covey.MDAV(3), size=20.0), "whole number"),  # type: ignore[arg-type]
        (covey.Blocks(covey.MDAV(3), size=True), "whole number"),
        (covey.Blocks("mdav"), "base must be"),  # type: ignore[arg-type]
        (covey.Blocks(covey.IndividualRanking(3)), "base must be"),  # type: ignore[arg-type]
        (covey.Blocks(covey.MDAV(0)), "k must be"),
        (covey.Blocks(covey.MDAV(3, tail="merge")), "unknown tail"),  # type: ignore[arg-type]
        (covey.Blocks(covey.Univariate(3)), "one column"),
        (covey.Blocks(covey.MDAV(50), size=200), "fewer than k=50"),
    ],
)
def test_bad_parameters(estimator: covey.Blocks, sentence: str) -> None:
    """A base or a size that cannot be used is refused in one sentence."""
    with pytest.raises(covey.InvalidInput, match=sentence):
        estimator.fit(np.zeros((40, 2)))


def test_progress_over_blocks() -> None:
    """Progress is of all the records, never less than before."""
    told: list[tuple[int, int]] = []
    X = np.random.default_rng(0).normal(size=(60_000, 8))
    covey.Blocks(covey.MDAV(5), size=20_000).fit(X, progress=lambda *args: told.append(args))
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert done[-1] == len(X)
    assert {total for _, total in told} == {len(X)}


def test_a_release_in_blocks() -> None:
    """A release takes Blocks for a method, and its recipe says of what."""
    X = np.random.default_rng(0).normal(size=(300, 2))
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    method = covey.Blocks(covey.VMDAV(4, gamma=0.5), size=100)
    release = covey.anonymize(table, covey.Schema.of(["a", "b"]), method=method)
    assert release.measures.smallest_cell >= 4
    base = {"name": "VMDAV", "k": 4, "gamma": 0.5, "ordinal_average": "median"}
    assert release.recipe["method"] == {"name": "Blocks", "base": base, "size": 100}
    assert '"VMDAV"' in release.to_json()
