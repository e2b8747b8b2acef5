"""Cells mended until none falls short, the cheapest steps first; and then made better."""

from __future__ import annotations

import heapq
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from covey.enforcement.cells import Cells, Step

    Tell = Callable[[float], None]

FEWEST_VISITS = 6  # of a cell by the descent; few cells are visited more often
PATIENCE = 3  # looks a cell; more hardly mend more cells by exchanges
MOST_LOOKS = 20_000  # some ten seconds


def mend(cells: Cells, tell: Tell, fewest: int = 1) -> set[int] | None:
    """Exchanges records and merges cells until no cell falls short.

    Of all steps that a failing cell could take with its neighbours (an exchange of two records, a move of one, a
    merger) that of the least price is taken, again and again: what it adds to the sum of squared errors, for what it
    takes off the shortfall of both cells. Merging always takes something off, so that it ends, at the latest with one
    cell of all. Ties go to the lowest cell.

    Where exchanges mend little each, they could go on for long: after some looks for each cell cells are merged only.

    Returns
    -------
    set of int or None
        The cells that were changed; None if it was given up because fewer than `fewest` cells were left.
    """
    agenda = _Agenda(cells)
    left = int(cells.alive.sum())
    failing = cells.failing()
    for i, cell in enumerate(failing):
        agenda.propose(int(cell))
        tell(0.5 * i / len(failing))
    touched: set[int] = set()
    while (proposal := agenda.cheapest()) is not None:
        cell, step = proposal
        cells.take(cell, step)
        touched |= {cell, step.other}
        left -= step.merges
        if left < fewest:
            return None
        agenda.renew(cell, step.other)
        tell(1 - 0.5 * min(1.0, len(agenda) / len(failing)))
    return touched


def descend(cells: Cells, start: Iterable[int], tell: Tell) -> None:
    """Exchanges and moves records while that lowers the sum of squared errors and makes no cell fall short.

    It begins with some cells, and goes on with those that change. Twenty thousand visits end it, and none is visited
    more than six times, or more often than that would be if all were visited alike.
    """
    queue = deque(sorted(cell for cell in start if cells.alive[cell]))
    waiting = set(queue)
    visits = np.zeros(len(cells.members), dtype=np.int64)
    most, looks = max(FEWEST_VISITS, MOST_LOOKS // len(visits)), 0
    while queue and looks < MOST_LOOKS:
        cell = queue.popleft()
        waiting.discard(cell)
        if visits[cell] == most:
            continue
        visits[cell] += 1
        looks += 1
        tell(looks / MOST_LOOKS)
        step = cells.best_step(cell, cells.near(cell), "descend")
        if step is not None:
            cells.take(cell, step)
            again = [other for other in (cell, step.other) if other not in waiting]
            queue.extend(again)
            waiting.update(again)


class _Agenda:
    """What failing cells had best do, the cheapest first; those of changed cells are found anew."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self._looks, self._patience = 0, PATIENCE * int(cells.alive.sum()) + 1000
        self._heap: list[tuple[float, int, int, int, Step]] = []
        self._version = np.zeros(len(cells.members), dtype=np.int64)

    def __len__(self) -> int:
        return len(self._heap)

    def propose(self, cell: int) -> None:
        """Find the cell's cheapest step; the only cell of all has none."""
        self._looks += 1
        near = self.cells.near(cell)
        step = self.cells.best_step(cell, near, "mend" if self._looks < self._patience else "merge")
        if step is not None:
            mine, theirs = int(self._version[cell]), int(self._version[step.other])
            heapq.heappush(self._heap, (step.price, cell, mine, theirs, step))

    def cheapest(self) -> tuple[int, Step] | None:
        """The cell to be mended next, and how."""
        while self._heap:
            _, cell, mine, theirs, step = heapq.heappop(self._heap)
            if mine != self._version[cell]:
                continue
            if theirs == self._version[step.other]:
                return cell, step
            self.propose(cell)
        return None

    def renew(self, *changed: int) -> None:
        """What is known of these cells is out of date."""
        for cell in changed:
            self._version[cell] += 1
        for cell in changed:
            if self.cells.alive[cell] and self.cells.shortfalls[cell] > 0:
                self.propose(cell)
