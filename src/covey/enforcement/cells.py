"""Cells that records move between: who is in them, where they lie, and what the next step would cost and mend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.enforcement.requirement import Requirement
    from covey.matrix import Floats, Labels, Matrix, Rows

NEIGHBOURS = 12  # with twice as many the distortion falls by a hundredth of itself or two, for up to twice the time
SCANNED = 8192  # with more cells a tree finds the nearest ones
MOST_MOVERS = 64  # of a large cell, the records nearest to the other one
LEAST_GAIN = 0.1  # of a shortfall: what an exchange must mend; less takes long, more merges more
FEW_CATEGORIES = 32
DIRECTIONS = 16


@dataclass(frozen=True, slots=True)
class Step:
    """What may be done about a cell.

    Attributes
    ----------
    other : int
        The cell that it is done with; merged with it if no record goes either way.
    out, into : int
        The record that goes there, and the one that comes; −1 for none.
    cost : float
        By how much the sum of squared errors grows.
    gain : float
        By how much the shortfall of both cells falls.
    """

    other: int
    out: int
    into: int
    cost: float
    gain: float

    @property
    def price(self) -> float:
        """What a unit of shortfall costs."""
        return self.cost / self.gain

    @property
    def merges(self) -> bool:
        """Whether both cells become one."""
        return self.out < 0 and self.into < 0


class Cells:
    """The cells of one group of records, numbered from 0, and what they fall short of.

    Squared errors are those of `points`, about the means of the cells.
    """

    def __init__(self, points: Floats, labels: Labels, k: int, requirements: Sequence[Requirement], rows: Rows) -> None:
        self.points = points
        self.k = k
        self.requirements = requirements
        self.rows = rows
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(1, int(labels.max()) + 1))
        self.members: list[Rows] = np.split(order, starts)
        self.sizes = np.array([len(m) for m in self.members], dtype=np.int64)
        self.means = np.stack([np.bincount(labels, x) / self.sizes for x in points.T], axis=1)
        self._tree: Any = None
        self._numbers, self._changes = np.arange(len(self.members)), 0
        self.alive = np.ones(len(self.members), dtype=bool)
        self.shortfalls = np.zeros(len(self.members))
        for cells in np.array_split(np.arange(len(self.members)), 1 + len(self.members) // 64):
            self.shortfalls[cells] = self.shortfall(cells)

    # What there is

    def labels(self) -> Labels:
        """The cell of each record, cells numbered by their lowest records."""
        found = np.empty(len(self.points), dtype=np.int64)
        lowest = sorted((int(self.members[cell].min()), int(cell)) for cell in np.flatnonzero(self.alive))
        for number, (_, cell) in enumerate(lowest):
            found[self.members[cell]] = number
        return found

    def squared_errors(self) -> float:
        """The sum of the squared distances of the points from the means of their cells."""
        living = np.flatnonzero(self.alive)
        return float(sum(np.square(self.points[self.members[c]] - self.means[c]).sum() for c in living))

    def failing(self) -> Labels:
        """The cells that fall short."""
        return np.flatnonzero(self.alive & (self.shortfalls > 0))

    def shortfall(self, cells: Labels) -> Floats:
        """What each of some cells falls short of, counted anew."""
        records = np.concatenate([self.members[cell] for cell in cells])
        place = np.repeat(np.arange(len(cells)), [len(self.members[cell]) for cell in cells])
        total = np.zeros(len(cells))
        for requirement in self.requirements:
            shortfall, codes, levels = requirement.counted(self.rows[records])
            total += shortfall.whole(_count(place, codes, len(cells), levels))
        return total

    def near(self, cell: int) -> Labels:
        """Living cells with the nearest means, nearest first; ties to the lowest number."""
        others = np.flatnonzero(self.alive) if len(self.members) <= SCANNED else self._around(cell)
        others = others[others != cell]
        distances = np.square(self.means[others] - self.means[cell]).sum(axis=1)
        if len(others) > NEIGHBOURS:
            most = np.partition(distances, NEIGHBOURS - 1)[NEIGHBOURS - 1]
            others, distances = others[distances <= most], distances[distances <= most]
        nearest: Labels = others[np.argsort(distances, kind="stable")[:NEIGHBOURS]]
        return nearest

    def _around(self, cell: int) -> Labels:
        """Living cells whose means were near when the tree of means was built, which is done anew now and then."""
        from scipy.spatial import cKDTree  # noqa: PLC0415 (light imports)

        if self._tree is None or self._changes > len(self._numbers) // 8:
            self._numbers, self._changes = np.flatnonzero(self.alive), 0
            self._tree = cKDTree(self.means[self._numbers])
        _, places = self._tree.query(self.means[cell], k=min(3 * NEIGHBOURS, len(self._numbers)))
        found = np.sort(self._numbers[np.atleast_1d(places)])
        living = found[self.alive[found]]
        return living if len(living) > NEIGHBOURS // 2 else np.flatnonzero(self.alive)

    # What may be done

    def best_step(self, cell: int, others: Labels, how: Literal["mend", "merge", "descend"]) -> Step | None:
        """What is best to be done about a cell with one of some others.

        To mend: what lowers the shortfall at the least price, of which merging is always something. To merge: of
        mergers only. To descend: what lowers the squared errors most, of moves and exchanges after which nothing falls
        short.
        """
        if not len(others):
            return None
        look = _Look(self, cell, others)
        if how == "merge":
            return look.merger()
        exchange = look.exchange(mend=how == "mend")
        if how == "descend":
            return exchange
        return min([step for step in (exchange, look.merger()) if step is not None], key=lambda step: step.price)

    def take(self, cell: int, step: Step) -> None:
        """Do it."""
        if step.merges:
            self._merge(cell, step.other)
            return
        mine, others = self.members[cell], self.members[step.other]
        if step.out >= 0:
            mine, others = mine[mine != step.out], np.append(others, step.out)
        if step.into >= 0:
            mine, others = np.append(mine, step.into), others[others != step.into]
        self.assign(cell, mine)
        self.assign(step.other, others)

    def assign(self, cell: int, members: Rows) -> None:
        """A cell's records, anew."""
        self._changes += 1
        self.members[cell] = members
        self.sizes[cell] = len(members)
        self.means[cell] = self.points[members].mean(axis=0)
        self.shortfalls[cell] = self.shortfall(np.array([cell]))[0]

    def _merge(self, cell: int, other: int) -> None:
        self.assign(cell, np.concatenate([self.members[cell], self.members[other]]))
        self.alive[other] = False
        self.members[other] = self.members[other][:0]


class _Look:
    """A cell and some others, with everything that could be done between them.

    Steps are laid out as a table: a line for each record x of the cell, then one for none; a column for each record y
    of the others, then one of none for each of them.
    """

    def __init__(self, cells: Cells, cell: int, others: Labels) -> None:
        self.cells, self.others = cells, others
        self.own_size, self.sizes = int(cells.sizes[cell]), cells.sizes[others]
        self.centre = centre = cells.means[cell]
        self.centres = cells.means[others] - centre
        self.before = cells.shortfalls[cell] + cells.shortfalls[others]
        members = [cells.members[cell], *(cells.members[other] for other in others)]
        records = np.concatenate(members)
        place = np.repeat(np.arange(len(members)), [len(m) for m in members])
        first, second = self._movers(members, place, records)
        self.x, self.y, self.of_y = records[first], records[second], place[second] - 1
        self.X, self.Y = cells.points[self.x] - centre, cells.points[self.y] - centre
        self.counted = []
        for requirement in cells.requirements:
            shortfall, codes, levels = requirement.counted(cells.rows[records])
            counts = _count(place, codes, len(members), levels)
            self.counted.append((shortfall, counts, codes[first], codes[second]))

    def _movers(self, members: list[Rows], place: Labels, records: Rows) -> tuple[Rows, Rows]:
        """Where among the records those are that may leave the cell, and those that may come."""
        if max(len(m) for m in members) <= MOST_MOVERS:
            return np.arange(self.own_size), np.arange(self.own_size, len(records))
        points, means = self.cells.points, self.cells.means
        centre = means[self.others[0]], *[self.centre] * len(self.others)
        starts = np.searchsorted(place, np.arange(len(members)))
        chosen = [start + _nearest(points[m], c) for start, m, c in zip(starts, members, centre, strict=True)]
        return chosen[0], np.concatenate(chosen[1:])

    def merger(self) -> Step:
        """The merger of the least price: Ward's growth of the squared errors over what it mends."""
        after = np.zeros(len(self.others))
        for shortfall, counts, _, _ in self.counted:
            after += shortfall.whole(counts[:1] + counts[1:])
        weights = self.own_size * self.sizes / (self.own_size + self.sizes)
        costs = weights * np.square(self.centres).sum(axis=1)
        gains = np.maximum(self.before - after, 1e-12)
        best = int(np.argmin(costs / gains))
        return Step(int(self.others[best]), -1, -1, float(costs[best]), float(gains[best]))

    def exchange(self, *, mend: bool) -> Step | None:
        """The best move or exchange of records, if one is of use."""
        tables = [self._table(out=True, into=True)]
        if (self.sizes > self.cells.k).any():
            tables.append(self._table(out=False, into=True))
        if self.own_size > self.cells.k:
            tables.append(self._table(out=True, into=False))
        steps = [step for step in (self._best(*table, mend=mend) for table in tables) if step is not None]
        return min(steps, key=lambda step: step.price if mend else step.cost, default=None)

    def _table(self, *, out: bool, into: bool) -> tuple[Floats, Floats, Rows, Rows, Labels]:
        """Costs and shortfalls of a kind of steps, and the records and cells that its lines and columns stand for."""
        x = self.x if out else np.array([-1])
        y = self.y if into else np.full(len(self.others), -1)
        column = self.of_y if into else np.arange(len(self.others))
        costs = self._costs(column, out=out, into=into)
        after = np.zeros(costs.shape)
        for shortfall, counts, of_x, of_y in self.counted:
            outs, intos = of_x[:, None] if out else None, of_y[None, :] if into else None
            after += shortfall.changed(counts[:1], np.zeros((1, 1), dtype=np.int64), outs, intos)
            after += shortfall.changed(counts[1:], column[None, :], intos, outs)
        return costs, after, x, y, column

    def _costs(self, column: Labels, *, out: bool, into: bool) -> Floats:
        """By how much the squared errors grow, about the mean of the cell as the origin.

        With U = y − x, the cell's sum becomes U, and the other's S becomes S − U: the errors grow by what the squared
        sums over the sizes fall by.
        """
        X = self.X if out else np.zeros((1, self.X.shape[1]))
        Y = self.Y if into else np.zeros((len(self.others), self.X.shape[1]))
        squares = np.square(X).sum(axis=1)[:, None] + np.square(Y).sum(axis=1) - 2 * X @ Y.T
        sums = self.centres[column] * self.sizes[column, None]
        along = (sums * Y).sum(axis=1) - X @ sums.T
        total = np.square(sums).sum(axis=1)
        growth = int(into) - int(out)
        sizes = self.sizes[column]
        own = squares / (self.own_size + growth)
        costs = total / sizes - own - (total - 2 * along + squares) / (sizes - growth)
        if into and not out:
            costs = np.where(sizes > self.cells.k, costs, np.inf)
        return np.asarray(costs, dtype=np.float64)

    def _best(self, costs: Floats, after: Floats, x: Rows, y: Rows, column: Labels, *, mend: bool) -> Step | None:
        gains = self.before[column] - after
        if mend:
            useful = (gains > LEAST_GAIN * self.before[column]) & np.isfinite(costs)
            value = np.where(useful, np.maximum(costs, 0.0) / np.where(useful, gains, 1.0), np.inf)
        else:
            useful = (after <= self.before[column]) & (after == 0.0)
            value = np.where(useful, costs, np.inf)
        best = int(np.argmin(value))
        i, j = divmod(best, len(y))
        if not np.isfinite(value[i, j]) or (not mend and value[i, j] >= 0):
            return None
        gain = float(gains[i, j])
        return Step(int(self.others[column[j]]), int(x[i]), int(y[j]), float(costs[i, j]), gain)


def _count(place: Labels, codes: Labels, cells: int, levels: int) -> Labels:
    """How often each value occurs in each cell."""
    return np.bincount(place * levels + codes, minlength=cells * levels).reshape(cells, levels)


def _nearest(points: Floats, centre: Floats) -> Rows:
    """Of many points, the places of those nearest to a centre; few are all taken."""
    if len(points) <= MOST_MOVERS:
        return np.arange(len(points))
    nearest: Rows = np.argsort(np.square(points - centre).sum(axis=1), kind="stable")[:MOST_MOVERS]
    return nearest


def embedding(matrix: Matrix) -> Floats:
    """Points whose squared distances are those of the records, but for nominal columns of many categories nearly.

    Continuous columns as they are, ordinal ones as rank over their number; of a nominal one, each category has a
    direction of its own, so that two categories are 1 apart. With many categories directions are drawn at random,
    always the same ones, and are nearly at right angles.
    """
    parts = []
    for j, kind in enumerate(matrix.kinds):
        column = matrix.values[:, j]
        if kind is Kind.NOMINAL:
            parts.append(_directions(matrix.levels[j])[column.astype(np.int64)])
        else:
            parts.append((column / matrix.levels[j] if kind is Kind.ORDINAL else column)[:, None])
    return np.concatenate(parts, axis=1) if parts else np.zeros((matrix.n, 1))


def _directions(levels: int) -> Floats:
    if levels <= FEW_CATEGORIES:
        return np.asarray(np.eye(levels) / np.sqrt(2), dtype=np.float64)
    drawn = np.random.default_rng(levels).normal(size=(levels, DIRECTIONS))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1)[:, None] / np.sqrt(2), dtype=np.float64)
