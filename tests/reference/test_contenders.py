"""The references of the contenders themselves, on cases worked by hand."""

from __future__ import annotations

import numpy as np

from tests.reference import contenders
from tests.reference.contenders import Decomposition, Links
from tests.reference.records import Scale

MEAN = [Scale("mean")]
LINE = np.arange(40.0).reshape(-1, 1)


def links_of(*edges: tuple[int, int]) -> Links:
    links: Links = {i: set() for edge in edges for i in edge}
    for i, j in edges:
        contenders.link(links, i, j)
    return links


def decomposed(k: int, *edges: tuple[int, int], u: int = 0) -> list[list[int]]:
    links = links_of(*edges)
    decomposition = Decomposition(LINE, k, MEAN, links)
    decomposition.run(set(links), u)
    return sorted(map(sorted, decomposition.parts))


def test_the_spanning_tree_by_hand() -> None:
    """Of 0, 1, 5, 5 the pairs of 5s, of 0 and 1, and of 1 and the lower 5 are joined, in that order."""
    X = np.array([[0.0], [1.0], [5.0], [5.0]])
    assert contenders.spanning_tree(X, MEAN) == [(0.0, 2, 3), (1.0, 0, 1), (16.0, 1, 2)]


def test_mst_by_hand() -> None:
    """Of the five edges of three pairs the two long ones are cut; of a star none can be."""
    X = np.array([[0.0], [0.1], [3.0], [3.1], [9.0], [9.1]])
    assert contenders.mst(X, 2, MEAN).tolist() == [0, 0, 1, 1, 2, 2]
    star = np.array([[0.0, 0, 0], [2, 0, 0], [-2, 0, 0], [0, 2.1, 0], [0, -2.1, 0], [0, 0, 2.2]])
    assert contenders.mst(star, 2, MEAN * 3, "none").tolist() == [0] * 6
    assert sorted(np.bincount(contenders.mst(star, 2, MEAN * 3))) == [2, 2, 2]


def test_tfrp_by_hand() -> None:
    """0 is farthest from 9, then 9 from 0, then 2 from 9; no cell is better dissolved."""
    X = np.array([[9.0], [0.0], [2.0], [8.0], [3.0], [1.0]])
    assert contenders.tfrp_cells(X, 2, MEAN).tolist() == [1, 0, 2, 1, 2, 0]
    assert contenders.tfrp(X, 2, MEAN).tolist() == [1, 0, 2, 1, 2, 0]


def test_tfrp_dissolves_by_hand() -> None:
    """The cell of 1 and 21, SSE 200, costs 2/3 in each of the others."""
    X = np.array([[0.0], [0.0], [22.0], [22.0], [1.0], [21.0]])
    assert contenders.tfrp_cells(X, 2, MEAN).tolist() == [0, 0, 1, 1, 2, 2]
    assert contenders.tfrp(X, 2, MEAN).tolist() == [0, 0, 1, 1, 0, 1]


def test_the_forest_by_hand() -> None:
    """11 and 0, the outermost, take 10 and 1; then 5 takes 1. The trees of 10 and 1 are large enough."""
    X = np.array([[0.0], [10.0], [1.0], [11.0], [5.0]])
    assert contenders.forest(X, 2, MEAN) == {0: {2}, 1: {3}, 2: {0, 4}, 3: {1}, 4: {2}}


def test_a_path_is_cut_in_the_middle() -> None:
    """From the end of a path of six the search stops at the second record: behind it are k − 1 = 2, one too few."""
    path = [(i, i + 1) for i in range(5)]
    assert decomposed(3, *path) == [[0, 1, 2], [3, 4, 5]]


def test_a_record_fills_the_smaller_side() -> None:
    """k − 1 records on one side take the end of the edge; of what it was linked to the nearest takes its place."""
    assert decomposed(3, (0, 1), (1, 2), (2, 3), (2, 4), (2, 5), (2, 6)) == [[0, 1, 2], [3, 4, 5, 6]]
    assert decomposed(3, (0, 1), (1, 2), (0, 3), (3, 4), (0, 5)) == [[0, 1, 2], [3, 4, 5]]


def test_a_star_is_swept() -> None:
    """Leaves go k − 1 at a time with the one in the middle; the next leaf takes its place."""
    assert decomposed(4, *((0, i) for i in range(1, 14))) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11, 12, 13]]


def test_twigs_are_swept() -> None:
    """Two twigs of two make a cell without the one in the middle, which stays with the others."""
    twigs = [edge for i in range(1, 11, 2) for edge in ((0, i), (i, i + 1))]
    assert decomposed(4, *twigs) == [[0, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4]]
