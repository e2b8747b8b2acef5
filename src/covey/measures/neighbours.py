"""The nearest of many records, with every tie: exact distances, far fewer than all pairs."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from covey.matrix import Floats, Labels, Mask, Rows

    Progress = Callable[[int, int], None]
    Found = tuple[Rows, Rows]  # a query and a candidate of its, pair by pair

HAIR = 1e-9  # what an index may round, in parts of a distance: some 10**5 times what it does
SPECK = 1e-150  # distances below this, whose squares vanish, are for the exact ones to tell
ROUNDING = 1e-12  # the same for distances by products of matrices, in parts of the squared norms
DEEPEST = 14  # of more columns than this a tree of normal records takes longer than the products, found by trying
WIDE = 64  # columns of more categories are compared one by one: a column of zeros and ones for each costs memory
QUERIES = 512  # at a time, so that a stop is heard soon
PAIRS = 4_000_000  # at a time
SHARE = 32  # queries that are worth a thread


def squared_distances(one: Floats, other: Floats, nominal: Sequence[bool]) -> Floats:
    """Between the rows of two arrays, pair by pair: squares of differences, 0 or 1 in nominal columns.

    Summed in the order of the columns, so that pairs of equal differences have equal distances to the last bit.
    """
    total = np.zeros(len(one))
    for j, categories in enumerate(nominal):
        total += one[:, j] != other[:, j] if categories else np.square(one[:, j] - other[:, j])
    return total


def nearest(
    points: Floats, counts: Labels, queries: Floats, nominal: Sequence[bool], progress: Progress | None = None
) -> tuple[Floats, Labels]:
    """For each query the least squared distance to a point, and how many records are at exactly that distance.

    Parameters
    ----------
    points : ndarray of shape (m, d)
        Distinct points; codes in nominal columns.
    counts : ndarray of shape (m,)
        How many records each point stands for.
    queries : ndarray of shape (q, d)
        In the same terms.
    nominal : sequence of bool
        Which columns hold codes.
    progress : callable, optional
        Called with the queries done and the queries in all.

    Notes
    -----
    An index gives all candidates within a hair of the least distance, which is more than it rounds; among those the
    distances are computed anew, column by column. In few columns the index is a k-d tree. In many, distances are found
    by products of matrices, in O(m·q·d) time and a fixed amount of memory.
    """
    least, ties = np.full(len(queries), np.inf), np.zeros(len(queries), dtype=np.int64)
    for query, candidate, done in _candidates(points, queries, nominal):
        distances = squared_distances(points[candidate], queries[query], nominal)
        np.minimum.at(least, query, distances)
        tied = distances == least[query]
        np.add.at(ties, query[tied], counts[candidate[tied]])
        if progress is not None:
            progress(done, len(queries))
    return least, ties


def _candidates(points: Floats, queries: Floats, nominal: Sequence[bool]) -> Iterator[tuple[Rows, Rows, int]]:
    """All candidates of some queries, then those of others; and how many queries are done."""
    flags = np.asarray(nominal, dtype=bool)
    levels = [int(max(points[:, j].max(), queries[:, j].max())) + 2 if flags[j] else 1 for j in range(len(flags))]
    narrow = np.array([count <= WIDE for count in levels])
    if narrow.all() and sum(levels) <= DEEPEST:
        near, far = (_indicators(array, flags, levels) for array in (points, queries))
        yield from _by_tree(*_with_even_columns_as_one(near, far))
        return
    near, far = (_indicators(array[:, narrow], flags[narrow], np.array(levels)[narrow]) for array in (points, queries))
    yield from _by_products(near, far, points[:, ~narrow], queries[:, ~narrow])


def _indicators(array: Floats, nominal: Mask, levels: Sequence[int] | Labels) -> Floats:
    """Columns whose Euclidean distance is that of the rows: a category becomes 1/√2 in a column of its own."""
    parts = [np.zeros((len(array), 0))]
    for j, categories in enumerate(nominal):
        column = array[:, j : j + 1]
        parts.append((column == np.arange(-1, levels[j] - 1)) * 0.5**0.5 if categories else column)
    return np.ascontiguousarray(np.hstack(parts))


def _with_even_columns_as_one(points: Floats, queries: Floats) -> tuple[Floats, Floats]:
    """The same distances in fewer columns: those in which all queries are alike become one, the distance in them.

    A tree cannot leave out much by such columns, one by one, if the queries lie between the points.
    """
    even = (queries == queries[:1]).all(axis=0)
    if even.sum() < 2:
        return points, queries
    apart = np.sqrt(np.sum(np.square(points[:, even] - queries[:1, even]), axis=1, keepdims=True))
    return np.hstack([points[:, ~even], apart]), np.hstack([queries[:, ~even], np.zeros((len(queries), 1))])


def _by_tree(points: Floats, queries: Floats) -> Iterator[tuple[Rows, Rows, int]]:
    from scipy.spatial import cKDTree  # noqa: PLC0415 (light imports)

    tree = cKDTree(points)
    for start in range(0, len(queries), QUERIES):
        some = queries[start : start + QUERIES]
        distances, near = _two_nearest(tree, some)
        radius = distances[:, 0] * (1 + HAIR) + SPECK
        tied = distances[:, 1] <= radius
        alone = np.flatnonzero(~tied)
        yield alone + start, near[alone, 0], start
        for query, candidate in _within(tree, some, radius, np.flatnonzero(tied)):
            yield query + start, candidate, start
        yield np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), start + len(some)


def _two_nearest(tree: object, queries: Floats) -> tuple[Floats, Rows]:
    """The distances and places of the two nearest points, found by threads that end before this does.

    Those of scipy's `workers` go on when it is interrupted, and write into memory that is freed by then.
    """
    query = tree.query  # type: ignore[attr-defined]
    threads = max(1, min(os.cpu_count() or 1, len(queries) // SHARE))
    if threads == 1:
        distances, places = query(queries, k=2)
        return distances, places
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda some: query(some, k=2), np.array_split(queries, threads)))
    return np.concatenate([distances for distances, _ in found]), np.concatenate([places for _, places in found])


def _within(tree: object, queries: Floats, radius: Floats, some: Rows) -> Iterator[Found]:
    """All points within the radius of each of some queries, so many pairs at a time as memory is meant for."""
    if not some.size:
        return
    ball = tree.query_ball_point  # type: ignore[attr-defined]
    sizes = np.asarray(ball(queries[some], radius[some], return_length=True), dtype=np.int64)
    for batch in np.split(some, np.flatnonzero(np.diff(np.cumsum(sizes) // PAIRS)) + 1):
        found = [np.asarray(points, dtype=np.intp) for points in ball(queries[batch], radius[batch])]
        yield np.repeat(batch, [len(points) for points in found]), np.concatenate(found)


def _by_products(
    points: Floats, queries: Floats, point_codes: Floats, query_codes: Floats
) -> Iterator[tuple[Rows, Rows, int]]:
    """Candidates from |x|² − 2 x·y, to which the |y|² of a query would only add a number."""
    norms = np.sum(np.square(points), axis=1)
    length = max(1, PAIRS // len(points))
    for start in range(0, len(queries), length):
        some = queries[start : start + length]
        distances = some @ points.T
        distances *= -2.0
        distances += norms
        for codes, asked in zip(point_codes.T, query_codes[start : start + length].T, strict=True):
            distances += codes != asked[:, None]
        slack = ROUNDING * (1.0 + norms.max() + np.sum(np.square(some), axis=1))
        close = distances <= (distances.min(axis=1) + slack)[:, None]
        query, candidate = np.nonzero(close)
        yield query + start, candidate, start + len(some)
