"""Partitions to choose cells from: records move and change places as long as that lowers the SSE."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.partition.mdav import MDAV

if TYPE_CHECKING:
    from covey.bounds.cells import Pool
    from covey.bounds.clock import Clock
    from covey.matrix import Floats, Labels

# A step must gain so much of a record's own error, or rounding could lead in circles.
WORTH = 1e-9


def disjoint(pool: Pool, prices: Floats, k: int) -> Labels:
    """A partition of known cells, those of least excess first; MDAV makes cells of the records that they leave."""
    cells, left = list(pool.costs), np.ones(len(prices), dtype=np.bool_)
    labels, count = np.full(len(prices), -1, dtype=np.int64), 0
    for i in np.argsort(pool.excesses(prices), kind="stable"):
        rows = list(cells[i])
        if left[rows].all() and (np.count_nonzero(left) - len(rows) >= k or len(rows) == np.count_nonzero(left)):
            labels[rows], count = count, count + 1
            left[rows] = False
    if left.any():
        labels[left] = MDAV(k).fit(pool.values[left]).labels_ + count
    return labels


class Descent:
    """Cells with their centroids, while records move between them.

    One record after another makes the move or the exchange that lowers the SSE most, until none does. Time: O(n·d)
    a record. It is small and simple on purpose: a certificate wants cells that are good in different ways.
    """

    def __init__(self, values: Floats, labels: Labels, k: int) -> None:
        self.values, self.labels, self.k = values, labels.copy(), k
        self.sizes = np.bincount(labels)
        self.centroids = np.empty((len(self.sizes), values.shape[1]))
        for cell in range(len(self.sizes)):
            self._average(cell)

    def run(self, clock: Clock) -> Labels:
        """The labels when nothing is to be gained, or the time is over."""
        moved = True
        while moved:
            moved = False
            for i in range(len(self.values)):
                if not clock.left:
                    return self.labels
                moved = self._improve(i) or moved
                clock.tell()
        return self.labels

    def _improve(self, i: int) -> bool:
        """Lets a record move to another cell or change places with another record, if that gains something."""
        cell, size = self.labels[i], self.sizes[self.labels[i]]
        to_cells = np.sum(np.square(self.centroids - self.values[i]), axis=1)
        here = to_cells[cell]
        joining = to_cells * self.sizes / (self.sizes + 1) - here * size / max(1, size - 1)
        joining[cell] = 0.0
        exchanging = self._exchanges(i, to_cells)
        best = int(np.argmin(exchanging))
        target = int(np.argmin(joining))
        moves = size > self.k and joining[target] <= exchanging[best]
        if (joining[target] if moves else exchanging[best]) >= -WORTH * here:
            return False
        if moves:
            self._put(i, target)
        else:
            there = int(self.labels[best])
            self._put(best, int(cell))
            self._put(i, there)
        return True

    def _exchanges(self, i: int, to_cells: Floats) -> Floats:
        """What changing places with each record would add to the SSE."""
        cell = self.labels[i]
        apart = np.sum(np.square(self.values - self.values[i]), axis=1)
        theirs = np.sum(np.square(self.values - self.centroids[cell]), axis=1)
        own = np.sum(np.square(self.values - self.centroids[self.labels]), axis=1)
        added = theirs - to_cells[cell] + to_cells[self.labels] - own
        added -= apart * (1.0 / self.sizes[cell] + 1.0 / self.sizes[self.labels])
        added[self.labels == cell] = 0.0
        exchanges: Floats = added
        return exchanges

    def _put(self, i: int, cell: int) -> None:
        before = int(self.labels[i])
        self.labels[i] = cell
        self.sizes[before] -= 1
        self.sizes[cell] += 1
        self._average(before)
        self._average(cell)

    def _average(self, cell: int) -> None:
        members = self.values[self.labels == cell]
        self.centroids[cell] = members[0] + np.mean(members - members[0], axis=0)
