"""Distance-based record linkage, against all pairs."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

import covey
from covey import InvalidInput, Schema
from covey.measures import neighbours
from covey.measures.neighbours import nearest, squared_distances
from tests.reference.linkage import coordinates, linkage, linked

NAMES = ["a", "b", "c"]
SCHEMA = Schema.of(quasi=NAMES)


def table(columns, names=NAMES):
    return pa.table([pa.array(column) for column in columns], names=names[: len(columns)])


@st.composite
def points(draw):
    """Few values, so that there are duplicates and ties: originals, released ones, rows and nominal flags."""
    n, d = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    value = st.integers(0, draw(st.integers(0, 3)))
    original = draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=n, max_size=n))
    rows = draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    released = draw(st.lists(st.lists(value, min_size=d, max_size=d), min_size=len(rows), max_size=len(rows)))
    nominal = draw(st.lists(st.booleans(), min_size=d, max_size=d))
    return np.array(original, dtype=float), np.array(released, dtype=float), rows, nominal


@pytest.mark.parametrize("threads", [1, 2, 7])
@given(case=points(), many=st.booleans())
def test_the_nearest_are_those_of_all_pairs(threads, case, many):
    """The least distance to the last bit and every tie, whatever the threads; categories fewer or more than 64."""
    original, released, _, nominal = case
    numeric = nominal.count(False)
    order = np.argsort(nominal, kind="stable")
    original, released = original[:, order], released[:, order]
    if many:
        original[:, numeric:] *= 64
        released[:, numeric:] *= 64
    original = np.unique(original, axis=0)
    counts = np.arange(1, len(original) + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "THREADS", threads)
        least, ties = nearest(original, counts, released, numeric)
    for i, query in enumerate(released):
        distances = squared_distances(original, np.broadcast_to(query, original.shape), numeric)
        assert least[i] == distances.min()
        assert ties[i] == counts[distances == distances.min()].sum()


@pytest.mark.parametrize("d", [1, 3, 6, 12])
def test_the_nearest_of_many_are_those_of_all_pairs(d):
    """Trees of several levels: a lattice with many ties among normal records; queries far, near and among them."""
    rng = np.random.default_rng(d)
    original = np.unique(np.vstack([rng.normal(size=(1500, d)), rng.integers(-2, 3, (1500, d))]), axis=0)
    counts = rng.integers(1, 9, len(original))
    queries = np.vstack([original[:100], rng.normal(size=(200, d)), rng.integers(-4, 5, (200, d)) / 2])
    queries = np.vstack([queries, 1e3 * rng.normal(size=(20, d))])
    least, ties = nearest(original, counts, queries, d)
    for i, query in enumerate(queries):
        distances = squared_distances(original, np.broadcast_to(query, original.shape), d)
        assert least[i] == distances.min()
        assert ties[i] == counts[distances == distances.min()].sum()


@given(case=points())
def test_linkage_of_categories_equals_that_of_all_pairs(case):
    """Nominal columns: credits are shared among all records that are equally near."""
    original, released, rows, _ = case
    d = original.shape[1]
    names = [f"column {j}" for j in range(d)]
    schema = Schema.of(quasi=names, nominal=dict.fromkeys(names, (0, 1, 2, 3)))
    found = covey.linkage(table(original.T.astype(int), names), table(released.T.astype(int), names), schema, rows=rows)
    assert found.linked == pytest.approx(linked(original, released, rows, [True] * d))
    assert found.linked <= found.cells + 1e-9


@given(st.data())
def test_linkage_of_numbers_equals_that_of_all_pairs(data):
    """Columns of numbers with gaps and constants: both sides standardised by their own means and deviations."""
    n, d = data.draw(st.integers(4, 10)), data.draw(st.integers(1, 3))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    original = rng.normal(size=(d, n)).tolist()
    released = (np.array(original) + rng.normal(size=(d, n))).tolist()
    for column in (*original, *released):
        gaps = data.draw(st.sets(st.integers(1, n - 1), max_size=n - 3))  # of two values rounding decides
        column[:] = [None if i in gaps else value for i, value in enumerate(column)]
    if data.draw(st.booleans()):
        original[0] = [7.5] * n
    rows = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n, unique=True))
    released = [column[: len(rows)] for column in released]
    found = covey.linkage(table(original), table(released), Schema.of(quasi=NAMES[:d]), rows=rows)
    assert found.share == pytest.approx(linkage(original, released, rows))
    assert found.bound_holds


@given(st.data())
def test_linkage_of_mixed_kinds_equals_that_of_all_pairs(data):
    """A nominal column with gaps beside a continuous one: missing is one more category."""
    n = data.draw(st.integers(3, 12))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    numbers = rng.normal(size=(2, n)).tolist()
    texts = st.lists(st.one_of(st.none(), st.sampled_from("xyz")), min_size=n, max_size=n)
    sites = [["x", *data.draw(texts)[1:]], data.draw(texts)]
    rows = data.draw(st.permutations(range(n)))
    sides = [table([number, pa.array(site, pa.string())]) for number, site in zip(numbers, sites, strict=True)]
    schema = Schema.of(quasi=["a", "b"], nominal={"b": ["x", "y", "z"]})
    codes = [["xyz".find(site or "?") for site in column] for column in sites]
    before, after = (
        np.column_stack([coordinates(number)[:, 0], code]) for number, code in zip(numbers, codes, strict=True)
    )
    found = covey.linkage(*sides, schema, rows=rows)
    assert found.linked == pytest.approx(linked(before, after, rows, [False, True]))


@given(st.data())
def test_the_bound_always_holds(data):
    """Whatever was released, ties and all, no more records are linked than there are different released ones."""
    n = data.draw(st.integers(1, 30))
    column = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    original, released = (table([data.draw(column) for _ in NAMES]) for _ in range(2))
    found = covey.linkage(original, released, SCHEMA)
    assert found.linked <= found.cells + 1e-9
    assert found.bound_holds
    assert found.bound <= 1 / found.smallest_cell


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
@pytest.mark.parametrize("offset", [0.0, 3.0])
def test_scale_and_offset_do_not_matter(scale, offset):
    """The attacker standardises: tables as huge or tiny as numbers can be give the same linkage."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 2))
    labels = covey.MDAV(k=3).fit_predict(X)
    means = np.stack([np.bincount(labels, x) / np.bincount(labels) for x in X.T])[:, labels]
    expected = covey.linkage(table(X.T), table(means), Schema.of(quasi=NAMES[:2])).linked
    released = table(means * scale + offset * scale)
    assert covey.linkage(table(X.T * scale), released, Schema.of(quasi=NAMES[:2])).linked == expected


def test_constant_columns_link_nobody():
    """Where all originals are alike each is as near as any other; where the release is, only the mean is nearest."""
    same = table([[4, 4, 4, 4]])
    schema = Schema.of(quasi=["a"])
    assert covey.linkage(same, table([[1, 2, 3, 4]]), schema).share == 1 / 4
    assert covey.linkage(same, same, schema).share == covey.linkage(same, same, schema).chance
    found = covey.linkage(table([[1, 2, 3, 10]]), table([[4, 4, 4, 4]]), schema)
    assert (found.linked, found.bound) == (1, 1 / 4)


def test_a_single_record_is_linked():
    """There is nobody else whom it could be."""
    one = table([[3.5]])
    found = covey.linkage(one, one, Schema.of(quasi=["a"]))
    assert (found.share, found.bound, found.candidates) == (1.0, 1.0, 1)


def test_ordinal_columns_are_compared_by_rank():
    """An ordinal column links like the numbers of its ranks, standardised."""
    order = ["low", "middle", "high", "top"]
    before, after = ["low", "high", "top", "middle", "low"], ["middle", "top", "high", "middle", "low"]
    ordinal = covey.linkage(table([before]), table([after]), Schema.of(quasi=["a"], ordinal={"a": order}))
    ranks = [[order.index(x) for x in column] for column in (before, after)]
    numbers = covey.linkage(table([ranks[0]]), table([ranks[1]]), Schema.of(quasi=["a"]))
    assert ordinal == numbers


def test_missing_values_lie_at_the_mean_and_one_farther():
    """A record that lacks a value is nearest to those that lack it; in a nominal column missing is a category."""
    before = table([[1.0, 5.0, None], ["x", "y", None]])
    schema = Schema.of(quasi=["a", "b"], nominal=["b"])
    assert covey.linkage(before, before, schema).share == 1.0
    assert covey.linkage(before, before, schema, columns=["a"]).share == 1.0
    assert covey.linkage(before, before, schema, columns="b").columns == ("b",)


def test_withheld_records_are_candidates():
    """A released record may be nearest to one that was withheld."""
    before = table([[0.0, 1.0, 10.0]])
    found = covey.linkage(before, table([[-1.0, 1.0]]), Schema.of(quasi=["a"]), rows=[1, 2])
    assert (found.candidates, found.records) == (3, 2)
    assert found.linked == 1  # the last; the first is nearest to the record before its own


def test_blocks_are_linked_beside_the_whole():
    """Each block is what the linkage by its columns alone is."""
    rng = np.random.default_rng(3)
    before, after = table(rng.normal(size=(3, 50))), table(rng.normal(size=(3, 50)))
    found = covey.linkage(before, after, SCHEMA, blocks=[["a", "b"], ["c"]])
    assert found.columns == ("a", "b", "c")
    assert found.blocks == tuple(covey.linkage(before, after, SCHEMA, columns=c) for c in (["a", "b"], ["c"]))
    assert found.to_dict()["blocks"][1]["columns"] == ["c"]
    assert "blocks" not in found.blocks[0].to_dict()


def test_what_is_no_schema_is_refused():
    """Names of columns do not say what they are."""
    with pytest.raises(InvalidInput, match=r"schema must be a covey\.Schema, not list"):
        covey.linkage(table([[1, 2]]), table([[1, 2]]), ["a"], columns=["a"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"columns": ["d"]}, "column 'd': expected names of quasi-identifiers"),
        ({"columns": ["a"], "blocks": [["a", "b"]]}, "blocks name 'b', which columns leaves out"),
        ({"blocks": "a"}, "blocks must be a list of lists"),
        ({"blocks": [[]]}, "columns must be the name"),
    ],
)
def test_columns_that_cannot_be_linked_are_refused(options, sentence):
    """Each misfit is one sentence."""
    one = table([[1, 2], [3, 4], [5, 6]])
    with pytest.raises(InvalidInput, match=sentence):
        covey.linkage(one, one, SCHEMA, **options)


def test_progress_ends_at_the_end():
    """It only grows, from one search to the next."""
    told = []
    one = table([np.arange(2000.0), np.arange(2000.0) ** 2, np.ones(2000)])
    covey.linkage(one, one, SCHEMA, blocks=[["a"], ["b", "c"]], progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (6000, 6000)


INTERRUPTED = """
import os, signal, threading, time
import numpy as np, pyarrow as pa
import covey

names = ["x%d" % j for j in range({d})]
tables = np.random.default_rng(0).normal(size=(2, {d}, 100_000))
before, after = (pa.table(list(columns), names=names) for columns in tables)
sent = []

def stop(*_):
    if not sent:
        sent.append(time.monotonic())
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

try:
    covey.linkage(before, after, covey.Schema.of(quasi=names), progress=stop)
except KeyboardInterrupt:
    print("stopped", time.monotonic() - sent[0])
time.sleep(0.5)
"""


@pytest.mark.parametrize("d", [14, 20])
def test_a_stop_is_heard(d):
    """Ctrl-C ends the search soon, in few columns or many, and no thread is left working on what is gone."""
    script = INTERRUPTED.format(d=d)
    options = ["-S"] if sys.flags.no_site else []
    done = subprocess.run(
        [sys.executable, *options, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("stopped")


@pytest.mark.parametrize("k", [3, 10])
def test_census(covey_data, k):
    """The paper's data and columns: DLD of MDAV is about 1/k, below |Q|/n, and that of all pairs."""
    census = csv.read_csv(covey_data / "census.csv")
    names = census.column_names
    schema = Schema.of(quasi=names[:6], confidential=names[6:])
    release = covey.anonymize(census, schema, k=k)
    found = covey.linkage(census, release.table, schema, rows=release.rows)
    columns = [[one.column(name).to_pylist() for name in names[:6]] for one in (census, release.table)]
    assert found.share == pytest.approx(linkage(*columns, release.rows.tolist()), abs=1e-12)
    assert 0.8 / k < found.share <= found.bound <= 1 / k
    assert found.cells == release.measures.cells


@pytest.mark.parametrize("kind", [{"continuous": ["x"]}, {"ordinal": {"x": (1, 2, 3, 4)}}, {"nominal": ["x"]}])
def test_a_column_that_was_withheld_links_one(kind):
    """Where a release has no value at all, all its records are at one place, and together they link one."""
    table, release = pa.table({"x": [1, 2, 3, 4]}), pa.table({"x": pa.nulls(4)})
    found = covey.linkage(table, release, covey.Schema.of(["x"], **kind))
    assert (found.linked, found.cells) == (1.0, 1)


def test_a_stop_leaves_no_thread_behind():
    """Whoever stops a search gets control when its threads are done: they write into memory that would be freed."""
    points, queries = np.random.default_rng(3).normal(size=(2, 60_000, 16))

    def threads():
        return sum(1 for _ in Path("/proc/self/task").iterdir())

    before = threads()

    def stop(signum, frame):
        raise KeyboardInterrupt

    heard = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    try:
        with pytest.raises(KeyboardInterrupt):
            nearest(points, np.ones(len(points), dtype=np.int64), queries, 16)
        assert threads() == before
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, heard)


@pytest.mark.parametrize("seed", range(5))
def test_columns_that_are_constant_in_the_release(seed):
    """Where all queries are alike in some columns the nearest points and ties are those of all pairs."""
    rng = np.random.default_rng(seed)
    points = np.unique(rng.integers(-2, 3, (80, 5)).astype(float), axis=0)
    queries = rng.integers(-2, 3, (30, 5)) + np.array([0.5, 0, 0, 0, 0])
    queries[:, 2:] = [0.5, 0.0, -0.25]
    counts = rng.integers(1, 4, len(points))
    least, ties = nearest(points, counts, queries, 5)
    distances = np.stack([squared_distances(points, np.tile(query, (len(points), 1)), 5) for query in queries])
    assert least.tolist() == distances.min(axis=1).tolist()
    assert ties.tolist() == ((distances == least[:, None]) @ counts).tolist()
