"""Cells mended until none falls short, the cheapest steps first; and then made better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from covey.enforcement.requirement import Requirement
    from covey.matrix import Floats, Labels, Rows

    Tell = Callable[[float], None]

PATIENCE = 3  # looks a cell, and a thousand; more hardly mend more cells by exchanges
MOST_VISITS = 100  # of a cell by the descent; nearly all come to their end before
SCANNED = 8192  # with more cells a tree finds the nearest ones


class Cells:
    """The cells of a group of records, and what they fall short of.

    Squared errors are those of `points`, about the means of the cells.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        Where the records lie.
    labels : ndarray of shape (n,)
        The cell of each: 0, 1, ….
    k : int
        The least number of records in a cell.
    requirements : sequence of Requirement
        What is asked of them.
    rows : ndarray of shape (n,)
        Which records of the table they are.
    """

    def __init__(self, points: Floats, labels: Labels, k: int, requirements: Sequence[Requirement], rows: Rows) -> None:
        shortfalls = [requirement.shortfall(rows) for requirement in requirements]
        self._kernel = _core.Mending(points, labels, k, shortfalls, SCANNED)

    @property
    def count(self) -> int:
        """How many cells there are."""
        return self._kernel.count

    @property
    def failing(self) -> int:
        """How many of them fall short."""
        return self._kernel.failing

    @property
    def squared_errors(self) -> float:
        """The sum of the squared distances of the points from the means of their cells."""
        return self._kernel.squared_errors

    def labels(self) -> Labels:
        """The cell of each record, cells numbered by their lowest records."""
        return self._kernel.labels()

    def mend(self, tell: Tell, fewest: int = 1) -> bool:
        """Exchange records and merge cells until no cell falls short.

        Of all steps that a failing cell could take with its neighbours (an exchange of two records, a move of one, a
        merger) that of the least price is taken, again and again: what it adds to the sum of squared errors, for what
        it takes off the shortfall of both cells. Merging always takes something off, so that it ends, at the latest
        with one cell of all. Ties go to the lowest cell.

        Where exchanges mend little each, they could go on for long: after some looks for each cell cells are merged
        only.

        Returns
        -------
        bool
            False if it was given up because fewer than `fewest` cells were left.
        """
        looks = PATIENCE and PATIENCE * self.count + 1000
        return self._kernel.mend(looks, fewest, lambda done, n: tell(done / n))

    def descend(self, tell: Tell, *, everywhere: bool = False) -> None:
        """Exchange and move records while that lowers the sum of squared errors and makes no cell fall short.

        It begins with the cells that were mended, or with all, and goes on with those that change.
        """
        self._kernel.descend(MOST_VISITS, everywhere, lambda done, n: tell(done / n))
