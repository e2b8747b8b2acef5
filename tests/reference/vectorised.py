"""The algorithms of `partitions` again, a whole column at a time: good for some thousands of records."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.reference.records import Floats, Scale, average

Labels = NDArray[np.int64]
Rows = NDArray[np.intp]


class Left:
    """The records that are in no cell yet, in ascending order."""

    def __init__(self, X: Floats, scales: Sequence[Scale]) -> None:
        self.X, self.scales = X, scales
        self.columns = np.ascontiguousarray(X.T)
        self.rows = np.arange(len(X))
        self.labels = np.full(len(X), -1)
        self.cells = 0

    def distances(self, record: Floats) -> Floats:
        """Of the records left, squared, added in column order."""
        total = np.zeros(len(self.rows))
        for column, x, scale in zip(self.columns, record, self.scales, strict=True):
            if scale.kind == "mode":
                total += column[self.rows] != x
            else:
                apart = column[self.rows] - x
                total += apart * apart
        return total

    def average(self) -> Floats:
        return average(self.X[self.rows], self.scales)

    def farthest(self, record: Floats) -> int:
        return int(self.rows[np.argmax(self.distances(record))])

    def nearest(self, record: Floats, count: int, but: int = -1) -> Rows:
        distances = self.distances(record)
        others = self.rows != but
        rows, distances = self.rows[others], distances[others]
        if count < len(rows):
            near = distances <= np.partition(distances, count)[count]
            rows, distances = rows[near], distances[near]
        return rows[np.argsort(distances, kind="stable")[:count]]

    def take(self, members: Sequence[int] | Rows) -> None:
        self.rows = self.rows[~np.isin(self.rows, members)]

    def form(self, members: Sequence[int] | Rows) -> None:
        self.labels[members] = self.cells
        self.cells += 1
        self.take(members)

    def form_around(self, seed: int, k: int) -> None:
        self.form([seed, *self.nearest(self.X[seed], k - 1, but=seed)])

    def join_nearest(self) -> None:
        averages = [average(self.X[self.labels == cell], self.scales) for cell in range(self.cells)]
        distances = [self.distances(record) for record in averages]
        self.labels[self.rows] = np.argmin(distances, axis=0)


def mdav(X: Floats, k: int, scales: Sequence[Scale], tail: str = "split", cells: float = math.inf) -> Labels:
    """MDAV; with `cells`, only so many are formed and the labels of other records are −1."""
    left = Left(X, scales)
    while len(left.rows) >= (3 * k if tail == "split" else 2 * k):
        if left.cells >= cells:
            return left.labels
        r = left.farthest(left.average())
        left.form_around(r, k)
        left.form_around(left.farthest(X[r]), k)
    if len(left.rows) >= 2 * k:
        left.form_around(left.farthest(left.average()), k)
    if len(left.rows) >= k:
        left.form(left.rows)
    left.labels[left.rows] = left.cells - 1
    return left.labels


def md(X: Floats, k: int, scales: Sequence[Scale]) -> Labels:
    """Maximum distance."""
    left = Left(X, scales)
    apart = np.array([left.distances(record) for record in X])
    while len(left.rows) >= 2 * k:
        r = int(np.argmax(apart) // len(X))  # the lowest of those at an end of the longest distance
        left.form_around(r, k)
        left.form_around(left.farthest(X[r]), k)
        taken = left.labels >= 0
        apart[taken] = apart[:, taken] = -1.0
    if len(left.rows) >= k:
        left.form(left.rows)
    left.join_nearest()
    return left.labels


def vmdav(X: Floats, k: int, gamma: float, scales: Sequence[Scale]) -> Labels:
    """Cells of variable size."""
    left = Left(X, scales)
    centre = left.average()
    while len(left.rows) >= k:
        seed = left.farthest(centre)
        members = [seed, *left.nearest(X[seed], k - 1, but=seed)]
        left.take(members)
        while gamma > 0 and len(members) < 2 * k - 1 and len(left.rows):
            inside = np.min([left.distances(X[j]) for j in members], axis=0)
            u = int(left.rows[np.argmin(inside)])
            outside = left.distances(X[u])[left.rows != u]
            d_out = math.sqrt(outside.min()) if outside.size else math.inf
            if not math.sqrt(inside.min()) < gamma * d_out:
                break
            members.append(u)
            left.take([u])
        left.form(members)
    left.join_nearest()
    return left.labels
