"""How far cells are from meeting a criterion, and how far they would be if a record came, went or changed places.

Cells are given by how often each value occurs in them: `counts`, a row for each cell. A shortfall is 0 where the
criterion is met. All of them are convex in the shares of the values, so that the shortfall of a union is no greater
than the greater of its parts', and two cells of which one fails fall short of less when they are merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels

# Shortfalls below this are rounding; criteria.TOLERANCE, by which the output is recounted, is ten times that.
ROUNDING = 1e-10


class Shortfall(Protocol):
    """What is counted of some cells, and what is missing there."""

    def whole(self, counts: Labels) -> Floats:
        """The shortfall of each cell."""

    def changed(self, counts: Labels, cell: Labels, out: Labels | None, into: Labels | None) -> Floats:
        """The shortfall of the cell at each place after a record with the value `out` left it, and `into` came.

        Either may be None: nobody leaves, or comes. The three arrays are broadcast.
        """


@dataclass(frozen=True, slots=True)
class Distinct:
    """At least `p` different values."""

    p: int

    def whole(self, counts: Labels) -> Floats:
        """Values that are lacking."""
        return np.asarray(np.maximum(self.p - np.count_nonzero(counts, axis=1), 0.0), dtype=np.float64)

    def changed(self, counts: Labels, cell: Labels, out: Labels | None, into: Labels | None) -> Floats:
        """Values that are lacking after an exchange."""
        distinct = np.count_nonzero(counts, axis=1)[cell]
        if into is not None:
            distinct = distinct + (counts[cell, into] == 0)
        if out is not None:
            last = counts[cell, out] == 1
            distinct = distinct - (last if into is None else last & (out != into))
        return np.asarray(np.maximum(self.p - distinct, 0.0), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Entropy:
    """An entropy of at least log2 `l` bits."""

    l: float  # noqa: E741 (the papers' ℓ)

    def whole(self, counts: Labels) -> Floats:
        """Bits that are lacking."""
        return self._lacking(_weighted_logs(counts).sum(axis=1), counts.sum(axis=1))

    def changed(self, counts: Labels, cell: Labels, out: Labels | None, into: Labels | None) -> Floats:
        """Bits that are lacking after an exchange."""
        now = _weighted_logs(counts)
        up, down = _weighted_logs(counts + 1) - now, _weighted_logs(np.maximum(counts - 1, 0)) - now
        total = _after(now.sum(axis=1), up, down, cell, out=out, into=into)
        return self._lacking(total, counts.sum(axis=1)[cell] + _growth(out, into))

    def _lacking(self, total: Floats, sizes: Labels) -> Floats:
        return _nonnegative(np.log2(self.l) - (np.log2(sizes) - total / sizes))


@dataclass(frozen=True, slots=True, eq=False)
class Equal:
    """A distribution of values at most `t` from that of the whole table, all values being equally far apart.

    `shares` are those of the whole table, of the values that `counts` counts; `others`, of all the other ones.
    """

    t: float
    shares: Floats
    others: float

    def whole(self, counts: Labels) -> Floats:
        """What is beyond t."""
        return self._beyond(self._gaps(counts, counts.sum(axis=1)[:, None]).sum(axis=1))

    def changed(self, counts: Labels, cell: Labels, out: Labels | None, into: Labels | None) -> Floats:
        """What is beyond t after an exchange."""
        sizes = counts.sum(axis=1)[:, None] + _growth(out, into)
        now = self._gaps(counts, sizes)
        up, down = self._gaps(counts + 1, sizes) - now, self._gaps(counts - 1, sizes) - now
        return self._beyond(_after(now.sum(axis=1), up, down, cell, out=out, into=into))

    def _gaps(self, counts: Labels, sizes: Labels) -> Floats:
        return np.asarray(np.abs(counts / sizes - self.shares), dtype=np.float64)

    def _beyond(self, gaps: Floats) -> Floats:
        return _nonnegative((gaps + self.others) / 2 - self.t)


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """A distribution at most `t` from that of the whole table in earth mover's distance, values lying on a line.

    Attributes
    ----------
    t : float
        The bound.
    first : ndarray of shape (values,)
        The place in the whole order of each value that `counts` counts; ascending, and the first is 0.
    reached, under, places : ndarray of shape (levels,)
        Of the whole table: its distribution function at each place of the order, the area under it from the first
        place up to each, and where on the line, from 0 to 1, each place lies.
    """

    t: float
    first: Labels
    reached: Floats
    under: Floats
    places: Floats

    def whole(self, counts: Labels) -> Floats:
        """What is beyond t."""
        areas = self._areas(np.cumsum(counts, axis=1), counts.sum(axis=1)[:, None])
        return _nonnegative(areas.sum(axis=1) - self.t)

    def changed(self, counts: Labels, cell: Labels, out: Labels | None, into: Labels | None) -> Floats:
        """What is beyond t after an exchange: the distribution function is 1/n lower or higher between both values."""
        up_to = np.cumsum(counts, axis=1)
        sizes = counts.sum(axis=1)[:, None] + _growth(out, into)
        now = self._areas(up_to, sizes)
        total = now.sum(axis=1)[cell]
        higher = _from_each(self._areas(up_to + 1, sizes) - now)
        lower = _from_each(self._areas(up_to - 1, sizes) - now)
        if out is None:
            total = total + (0.0 if into is None else higher[cell, into])
        elif into is None:
            total = total + lower[cell, out]
        else:
            raised, lowered = higher[cell, into] - higher[cell, out], lower[cell, out] - lower[cell, into]
            total = total + np.where(into < out, raised, lowered)
        return _nonnegative(total - self.t)

    def _areas(self, up_to: Labels, sizes: Labels) -> Floats:
        """The area between a cell's distribution function and the whole table's, value by value."""
        height = up_to / sizes
        last = len(self.places) - 1
        begin, end = self.first, np.append(self.first[1:], last)
        if len(begin) > last:  # every value is counted: between neighbours both functions are constant
            steps = np.append(np.diff(self.places), 0.0)
            return np.asarray(np.abs(height - self.reached) * steps, dtype=np.float64)
        cross = np.clip(np.searchsorted(self.reached, height), begin, end)
        above = height * (self.places[cross] - self.places[begin]) - (self.under[cross] - self.under[begin])
        below = (self.under[end] - self.under[cross]) - height * (self.places[end] - self.places[cross])
        return np.asarray(above + below, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Recursive:
    """r₁ < c·(r_ℓ + … + r_m), where r₁ ≥ r₂ ≥ … are the frequencies of the values."""

    c: float
    l: int  # noqa: E741 (the papers' ℓ)

    def whole(self, counts: Labels) -> Floats:
        """By how much r₁ is too great, as a share of the records."""
        falling = -np.sort(-counts, axis=1)
        return self._excess(falling[:, 0], falling[:, self.l - 1 :].sum(axis=1), counts.sum(axis=1))

    def changed(self, counts: Labels, cell: Labels, out: Labels | None, into: Labels | None) -> Floats:
        """The same after an exchange.

        Who leaves lowers the last of the frequencies that are as great as that of its value, who comes raises the
        first: so the order stays, and only their places matter.
        """
        falling = -np.sort(-counts, axis=1)
        greatest, tail = falling[cell, 0], falling[:, self.l - 1 :].sum(axis=1)[cell]
        sizes = counts.sum(axis=1)[cell] + _growth(out, into)
        first, last = _ranks(counts, falling)
        down = up = np.zeros((), dtype=np.int64)
        if out is not None:
            down, counted = np.ones((), dtype=np.int64), counts[cell, out]
        if into is not None:
            up = np.ones((), dtype=np.int64)
        if out is not None and into is not None:
            moves = (out != into) & (counts[cell, into] != counted - 1)  # else the frequencies are what they were
            down = up = moves.astype(np.int64)
        if out is not None:
            place = last[cell, out]
            greatest, tail = greatest - down * (place == 0), tail - down * (place >= self.l - 1)
        if into is not None:
            place = first[cell, into]
            greatest, tail = greatest + up * (place == 0), tail + up * (place >= self.l - 1)
        return self._excess(greatest, tail, sizes)

    def _excess(self, greatest: Labels, tail: Labels, sizes: Labels) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            meets = greatest / tail < self.c
        return np.where(meets, 0.0, np.maximum(greatest - self.c * tail, 0.0) / sizes + 10 * ROUNDING)


def _ranks(counts: Labels, falling: Labels) -> tuple[Labels, Labels]:
    """The first and the last place, in falling order, of a frequency as great as that of each value."""
    first = np.empty_like(counts)
    last = np.empty_like(counts)
    for row, (values, order) in enumerate(zip(counts, falling, strict=True)):
        first[row] = np.searchsorted(-order, -values)
        last[row] = np.searchsorted(-order, -values, side="right") - 1
    return first, last


def _growth(out: Labels | None, into: Labels | None) -> int:
    return (into is not None) - (out is not None)


def _after(total: Floats, up: Floats, down: Floats, cell: Labels, *, out: Labels | None, into: Labels | None) -> Floats:
    """A sum over the values after one was counted less and another more."""
    after = total[cell]
    if into is not None:
        after = after + (up[cell, into] if out is None else np.where(out == into, 0.0, up[cell, into]))
    if out is not None:
        after = after + (down[cell, out] if into is None else np.where(out == into, 0.0, down[cell, out]))
    return after


def _from_each(areas: Floats) -> Floats:
    """Sums from each value to the last."""
    return np.asarray(np.cumsum(areas[:, ::-1], axis=1)[:, ::-1], dtype=np.float64)


def _weighted_logs(counts: Labels) -> Floats:
    return np.asarray(counts * np.log2(np.maximum(counts, 1)), dtype=np.float64)


def _nonnegative(shortfall: Floats) -> Floats:
    return np.where(shortfall > ROUNDING, shortfall, 0.0)
