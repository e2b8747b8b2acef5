"""Cells mended and made better, step by step as the kernel does it, everything counted anew at every step.

Sums are taken in the kernel's order, so that both take the same steps where several are equally good, too.
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

ROUNDING = 1e-10
NEIGHBOURS = 12
MOST_MOVERS = 64
LEAST_GAIN = 0.1
WORTH_A_STEP = 1e-6


class Shortfall(Protocol):
    """How far a cell, of these values, is from meeting a criterion."""

    def whole(self, cell: Sequence[int]) -> float:
        """That of the cell."""

    def changed(self, cell: Sequence[int], out: int | None, into: int | None) -> float:
        """That after a record with the value `out` left, and one with the value `into` came."""


def unless_rounding(shortfall: float) -> float:
    return shortfall if shortfall > ROUNDING else 0.0


def growth(out: int | None, into: int | None) -> int:
    return (into is not None) - (out is not None)


def exchanged(cell: Sequence[int], out: int | None, into: int | None) -> list[int]:
    after = list(cell)
    if out is not None:
        after.remove(out)
    return after + ([] if into is None else [into])


@dataclass(frozen=True)
class Distinct:
    p: int

    def whole(self, cell: Sequence[int]) -> float:
        return float(max(self.p - len(set(cell)), 0))

    def changed(self, cell: Sequence[int], out: int | None, into: int | None) -> float:
        return self.whole(exchanged(cell, out, into))


@dataclass(frozen=True)
class Recursive:
    c: float
    l: int  # noqa: E741

    def whole(self, cell: Sequence[int]) -> float:
        falling = sorted(Counter(cell).values(), reverse=True)
        tail = sum(falling[self.l - 1 :])
        if tail and falling[0] / tail < self.c:
            return 0.0
        return max(falling[0] - self.c * tail, 0.0) / len(cell) + 10 * ROUNDING

    def changed(self, cell: Sequence[int], out: int | None, into: int | None) -> float:
        return self.whole(exchanged(cell, out, into))


@dataclass(frozen=True)
class Entropy:
    l: float  # noqa: E741

    def whole(self, cell: Sequence[int]) -> float:
        return self._lacking(self._total(cell), len(cell))

    def changed(self, cell: Sequence[int], out: int | None, into: int | None) -> float:
        count, after = Counter(cell), self._total(cell)
        if out != into:
            if into is not None:
                after += self._weighted(count[into] + 1) - self._weighted(count[into])
            if out is not None:
                after += self._weighted(count[out] - 1) - self._weighted(count[out])
        return self._lacking(after, len(cell) + growth(out, into))

    def _weighted(self, count: int) -> float:
        return count * math.log2(max(count, 1))

    def _total(self, cell: Sequence[int]) -> float:
        return plain_sum([self._weighted(count) for _, count in sorted(Counter(cell).items())])

    def _lacking(self, total: float, size: int) -> float:
        return unless_rounding(math.log2(self.l) - (math.log2(size) - total / size))


@dataclass(frozen=True)
class Equal:
    t: float
    shares: Sequence[float]

    def whole(self, cell: Sequence[int]) -> float:
        return unless_rounding(self._gaps(cell, len(cell)) / 2 - self.t)

    def changed(self, cell: Sequence[int], out: int | None, into: int | None) -> float:
        size, count = len(cell) + growth(out, into), Counter(cell)
        after = self._gaps(cell, size)
        if out != into:
            if into is not None:
                after += self._gap(into, count[into] + 1, size) - self._gap(into, count[into], size)
            if out is not None:
                after += self._gap(out, count[out] - 1, size) - self._gap(out, count[out], size)
        return unless_rounding(after / 2 - self.t)

    def _gap(self, value: int, count: int, size: int) -> float:
        return abs(count / size - self.shares[value])

    def _gaps(self, cell: Sequence[int], size: int) -> float:
        occurring = sorted(Counter(cell).items())
        gaps = plain_sum([self._gap(value, count, size) for value, count in occurring])
        return gaps + max(0.0, 1.0 - plain_sum([self.shares[value] for value, _ in occurring]))


@dataclass(frozen=True)
class Ordered:
    t: float
    reached: Sequence[float]
    under: Sequence[float]
    places: Sequence[float]

    def whole(self, cell: Sequence[int]) -> float:
        return unless_rounding(self._areas(cell, len(cell)) - self.t)

    def changed(self, cell: Sequence[int], out: int | None, into: int | None) -> float:
        total = self._areas(cell, len(cell) + growth(out, into))
        if out is None or into is None:
            value = into if out is None else out
            assert value is not None
            return unless_rounding(total + self._from(cell, value, growth(out, into), growth(out, into)) - self.t)
        if into < out:
            total = total + (self._from(cell, into, 1, 0) - self._from(cell, out, 1, 0))
        if out < into:
            total = total + (self._from(cell, out, -1, 0) - self._from(cell, into, -1, 0))
        return unless_rounding(total - self.t)

    def _segments(self, cell: Sequence[int]) -> list[tuple[int, int, int]]:
        """Where the distribution function is constant: first and last place, and records up to there."""
        occurring = sorted(Counter(cell).items())
        begins = [0, *(value for value, _ in occurring)]
        ends = [*begins[1:], len(self.places) - 1]
        up_to = [sum(count for _, count in occurring[:i]) for i in range(len(begins))]
        return list(zip(begins, ends, up_to, strict=True))

    def _area(self, height: float, begin: int, end: int) -> float:
        cross = bisect_left(self.reached, height, begin, end)
        under, places = self.under, self.places
        above = height * (places[cross] - places[begin]) - (under[cross] - under[begin])
        below = (under[end] - under[cross]) - height * (places[end] - places[cross])
        return above + below

    def _areas(self, cell: Sequence[int], size: int) -> float:
        return plain_sum([self._area(up_to / size, begin, end) for begin, end, up_to in self._segments(cell)])

    def _from(self, cell: Sequence[int], value: int, by: int, grown: int) -> float:
        """What a change adds from a value to the end of all."""
        size = len(cell) + grown

        def added(begin: int, end: int, up_to: int) -> float:
            return self._area((up_to + by) / size, begin, end) - self._area(up_to / size, begin, end)

        segments = self._segments(cell)
        first = max(i for i, (begin, _, _) in enumerate(segments) if i == 0 or begin <= value)
        later, here = segments[first + 1 :], segments[first]
        return plain_sum([added(*segment) for segment in later[::-1]]) + added(value, here[1], here[2])


def plain_sum(terms: Sequence[float]) -> float:
    """From the first to the last, rounded each time."""
    total = 0.0
    for term in terms:
        total += term
    return total


def distance(a: Sequence[float], b: Sequence[float]) -> float:
    return plain_sum([(x - y) * (x - y) for x, y in zip(a, b, strict=True)])


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return plain_sum([x * y for x, y in zip(a, b, strict=True)])


@dataclass(frozen=True)
class Step:
    other: int
    out: int | None
    into: int | None
    cost: float
    gain: float

    @property
    def price(self) -> float:
        return self.cost / self.gain


class Cells:
    """Records in cells, the values of their confidential columns, and what is asked of each column."""

    def __init__(
        self,
        points: Sequence[Sequence[float]],
        labels: Sequence[int],
        k: int,
        asked: Sequence[tuple[Shortfall, Sequence[int]]],
    ) -> None:
        self.points, self.k, self.asked = points, k, asked
        self.members = {c: [i for i, label in enumerate(labels) if label == c] for c in range(max(labels) + 1)}

    def mean(self, cell: int) -> list[float]:
        rows = [self.points[i] for i in self.members[cell]]
        return [plain_sum(column) / len(rows) for column in zip(*rows, strict=True)]

    def shortfall(self, cell: int) -> float:
        return self.shortfall_of(self.members[cell])

    def shortfall_of(self, records: Sequence[int]) -> float:
        return plain_sum([shortfall.whole([codes[i] for i in records]) for shortfall, codes in self.asked])

    def failing_of(self, cells: Sequence[int]) -> list[int]:
        return [cell for cell in cells if cell in self.members and self.shortfall(cell) > 0]

    def labels(self) -> list[int]:
        order = sorted(self.members, key=lambda cell: min(self.members[cell]))
        number = {i: place for place, cell in enumerate(order) for i in self.members[cell]}
        return [number[i] for i in range(len(self.points))]

    def near(self, cell: int) -> list[int]:
        mean = self.mean(cell)
        others = sorted((distance(self.mean(other), mean), other) for other in self.members if other != cell)
        return [other for _, other in others[:NEIGHBOURS]]

    def take(self, cell: int, step: Step) -> None:
        if step.out is None and step.into is None:
            self.members[cell] += self.members.pop(step.other)
        if step.out is not None:
            self.members[cell].remove(step.out)
            self.members[step.other].append(step.out)
        if step.into is not None:
            self.members[step.other].remove(step.into)
            self.members[cell].append(step.into)

    # One step

    def best(self, cell: int, how: Literal["mend", "merge", "descend"], least_fall: float = 0.0) -> Step | None:
        others = self.near(cell)
        mergers = [self.merger(cell, other) for other in others]
        steps: list[Step] = []
        if how != "merge":
            for out, into in ((True, True), (False, True), (True, False)):
                steps += self.exchange(cell, others, how, least_fall, out=out, into=into)
        if how == "descend":
            return min(steps, key=lambda step: step.cost, default=None)
        return min(steps + mergers, key=lambda step: step.price, default=None)

    def merger(self, cell: int, other: int) -> Step:
        a, b = len(self.members[cell]), len(self.members[other])
        cost = a * b / (a + b) * distance(self.mean(other), self.mean(cell))
        before = self.shortfall(cell) + self.shortfall(other)
        gain = before - self.shortfall_of(self.members[cell] + self.members[other])
        return Step(other, None, None, cost, max(gain, 1e-12))

    def exchange(
        self, cell: int, others: list[int], how: str, least_fall: float, *, out: bool, into: bool
    ) -> list[Step]:
        """The best step of a kind, if there is one."""
        if not others or (out and not into and len(self.members[cell]) <= self.k):
            return []
        found: list[tuple[float, Step]] = []
        for x in self.movers(cell, others[0]) if out else [None]:
            for other in others:
                if into and not out and len(self.members[other]) <= self.k:
                    continue
                before = self.shortfall(cell) + self.shortfall(other)
                for y in self.movers(other, cell) if into else [None]:
                    cost, left = self.cost(cell, other, x, y), self.after(cell, other, x, y)
                    step = Step(other, x, y, cost, before - left)
                    if how == "descend" and left == 0 and cost < -least_fall:
                        found.append((cost, step))
                    if how == "mend" and step.gain > LEAST_GAIN * before:
                        found.append((max(cost, 0.0) / step.gain, step))
        return [min(found, key=lambda pair: pair[0])[1]] if found else []

    def movers(self, cell: int, other: int) -> list[int]:
        members, centre = self.members[cell], self.mean(other)
        if len(members) <= MOST_MOVERS:
            return members
        return sorted(members, key=lambda i: distance(self.points[i], centre))[:MOST_MOVERS]

    def after(self, cell: int, other: int, x: int | None, y: int | None) -> float:
        total = 0.0
        for shortfall, codes in self.asked:
            out, into = None if x is None else codes[x], None if y is None else codes[y]
            total += shortfall.changed([codes[i] for i in self.members[cell]], out, into)
            total += shortfall.changed([codes[i] for i in self.members[other]], into, out)
        return total

    def cost(self, cell: int, other: int, x: int | None, y: int | None) -> float:
        """By how much the squared errors grow, about the mean of the cell as the origin."""
        centre = self.mean(cell)
        a, b = len(self.members[cell]), len(self.members[other])
        grown = (y is not None) - (x is not None)
        zero = [0.0] * len(centre)
        X = zero if x is None else [p - c for p, c in zip(self.points[x], centre, strict=True)]
        Y = zero if y is None else [p - c for p, c in zip(self.points[y], centre, strict=True)]
        sums = [(m - c) * b for m, c in zip(self.mean(other), centre, strict=True)]
        total = dot(sums, sums)
        fixed = total / b - total / (b - grown)
        by_along, by_square = 2.0 / (b - grown), 1.0 / (a + grown) + 1.0 / (b - grown)
        return fixed + by_along * (dot(sums, Y) - dot(sums, X)) - by_square * distance(Y, X)

    # All of them

    def mend(self, looks: int, fewest: int = 1) -> set[int] | None:
        """Steps of the least price until no cell falls short: the cells that were changed, or None if given up."""
        heap: list[tuple[float, int, int, int, Step]] = []
        version, looked, touched = Counter[int](), 0, set[int]()

        def propose(cell: int) -> None:
            nonlocal looked
            looked += 1
            step = self.best(cell, "mend" if looked < looks else "merge")
            if step is not None:
                heapq.heappush(heap, (step.price, cell, version[cell], version[step.other], step))

        for cell in self.failing_of(sorted(self.members)):
            propose(cell)
        while heap:
            _, cell, mine, theirs, step = heapq.heappop(heap)
            if mine != version[cell]:
                continue
            if theirs != version[step.other]:
                propose(cell)
                continue
            self.take(cell, step)
            touched |= {cell, step.other}
            if step.out is None and step.into is None and len(self.members) < fewest:
                return None
            version.update([cell, step.other])
            for changed in self.failing_of([cell, step.other]):
                propose(changed)
        return touched

    def descend(self, start: set[int], visits: int) -> None:
        """Steps that lower the squared errors, cell by cell in turn, until there are none."""
        queue, visited = deque(sorted(start & set(self.members))), Counter[int]()
        least_fall = WORTH_A_STEP * self.squared_errors() / len(self.points)
        while queue:
            cell = queue.popleft()
            if visited[cell] == visits:
                continue
            visited[cell] += 1
            step = self.best(cell, "descend", least_fall)
            if step is not None:
                self.take(cell, step)
                queue.extend(other for other in (cell, step.other) if other not in queue)

    def squared_errors(self) -> float:
        return plain_sum(
            [distance(self.points[i], self.mean(c)) for c in sorted(self.members) for i in self.members[c]]
        )
