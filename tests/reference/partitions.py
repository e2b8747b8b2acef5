"""MDAV-generic, MD and V-MDAV by looking at every record for every question; ties go to the lowest row."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.reference.records import Floats, Scale, average, squared_distance

Labels = NDArray[np.int64]


class Left:
    """The records that are in no cell yet, and the cells formed so far."""

    def __init__(self, X: Floats, scales: Sequence[Scale]) -> None:
        self.X, self.scales = X, scales
        self.rows = list(range(len(X)))
        self.labels = np.full(len(X), -1)
        self.cells: list[list[int]] = []

    def distance(self, i: int, record: Floats) -> float:
        return squared_distance(self.X[i], record, self.scales)

    def average(self) -> Floats:
        return average(self.X[self.rows], self.scales)

    def farthest(self, record: Floats) -> int:
        return max(self.rows, key=lambda i: (self.distance(i, record), -i))

    def nearest(self, record: Floats, count: int, but: int = -1) -> list[int]:
        others = [i for i in self.rows if i != but]
        return sorted(others, key=lambda i: (self.distance(i, record), i))[:count]

    def form(self, members: Sequence[int]) -> None:
        self.labels[list(members)] = len(self.cells)
        self.cells.append(list(members))
        self.rows = [i for i in self.rows if i not in set(members)]

    def form_around(self, seed: int, k: int) -> None:
        self.form([seed, *self.nearest(self.X[seed], k - 1, but=seed)])

    def join_nearest(self) -> None:
        """Every record left joins the cell whose average, before any of them joined, is nearest."""
        averages = [average(self.X[cell], self.scales) for cell in self.cells]
        for i in self.rows:
            self.labels[i] = min(range(len(averages)), key=lambda c: (self.distance(i, averages[c]), c))
        self.rows = []


def mdav(X: Floats, k: int, scales: Sequence[Scale], tail: str = "split") -> Labels:
    """MDAV-generic; `adjoin` ends as §V.A of *dependence* says."""
    left = Left(X, scales)
    while len(left.rows) >= (3 * k if tail == "split" else 2 * k):
        r = left.farthest(left.average())
        left.form_around(r, k)
        s = left.farthest(X[r])
        left.form_around(s, k)
    if len(left.rows) >= 2 * k:
        left.form_around(left.farthest(left.average()), k)
    if len(left.rows) >= k:
        left.form(left.rows)
    left.labels[left.rows] = len(left.cells) - 1
    return left.labels


def md(X: Floats, k: int, scales: Sequence[Scale]) -> Labels:
    """The two mutually farthest records left seed two cells, repeatedly."""
    left = Left(X, scales)
    while len(left.rows) >= 2 * k:
        pairs = [(i, j) for i in left.rows for j in left.rows if i < j]
        r, _ = max(pairs, key=lambda p: (left.distance(p[0], X[p[1]]), -p[0], -p[1]))
        left.form_around(r, k)
        left.form_around(left.farthest(X[r]), k)
    if len(left.rows) >= k:
        left.form(left.rows)
    left.join_nearest()
    return left.labels


def vmdav(X: Floats, k: int, gamma: float, scales: Sequence[Scale]) -> Labels:
    """Cells around the records farthest from the average of all, grown where γ says so."""
    left = Left(X, scales)
    centre = left.average()
    while len(left.rows) >= k:
        seed = left.farthest(centre)
        members = [seed, *left.nearest(X[seed], k - 1, but=seed)]
        left.rows = [i for i in left.rows if i not in members]
        while len(members) < 2 * k - 1 and left.rows:
            d_in, u = min((left.distance(i, X[j]), i) for i in left.rows for j in members)
            outside = [left.distance(i, X[u]) for i in left.rows if i != u]
            d_out = math.sqrt(min(outside)) if outside else math.inf
            if not (gamma > 0 and math.sqrt(d_in) < gamma * d_out):
                break
            members.append(u)
            left.rows.remove(u)
        left.form(members)
    left.join_nearest()
    return left.labels
