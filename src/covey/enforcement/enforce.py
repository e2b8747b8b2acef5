"""A partition that meets what is asked, or the reason why none does; and the count of it on the output."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.criteria import Close, first
from covey.dependence import ALWAYS
from covey.encoding import to_matrix
from covey.enforcement.embedding import embedding
from covey.enforcement.first import cell_size, closeness_first
from covey.enforcement.mending import Cells
from covey.errors import GuaranteeError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.dependence import Extension
    from covey.encoding import Encoded
    from covey.enforcement.mending import Tell
    from covey.enforcement.requirement import Requirement
    from covey.groups import Groups
    from covey.matrix import Floats, Labels, Rows
    from covey.partition.strata import Progress

# Where mending left fewer than half of the cells, forming them anew was always better; where it left more than nineteen
# of twenty, hardly ever, and then not by much: on Adult, census and drawn tables, for closeness and for entropy.
GIVEN_UP, HARDLY_CHANGED = 0.5, 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Enforced:
    """A partition that meets what is asked.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The cell of each record, −1 where it is withheld.
    before, failing, after : int
        The number of cells that there were, of those that fell short, and of those that there are.
    unchanged : bool
        Whether they are the same.
    """

    labels: Labels
    before: int
    failing: int
    after: int
    unchanged: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """The records of a group as points, and what is asked of their cells."""

    rows: Rows
    points: Floats
    k: int
    requirements: Sequence[Requirement]

    def cells(self, labels: Labels) -> Cells:
        """Some cells of the group."""
        _, numbered = np.unique(labels, return_inverse=True)
        return Cells(self.points, numbered.astype(np.int64), self.k, self.requirements, self.rows)


def refuse_infeasible(requirements: Sequence[Requirement], groups: Groups) -> None:
    """Refuse what not even one cell of all the records of a group meets, for no partition of it does then.

    Every criterion is such that a cell made of several that meet it meets it too.

    Raises
    ------
    InvalidInput
        With the best that can be attained.
    """
    for requirement in requirements:
        criterion = requirement.criterion
        best = np.array([requirement.attained(np.zeros(len(rows), dtype=np.int64), rows)[0] for rows in groups.rows])
        short = ~criterion.meets(best)
        if short.any():
            worst = criterion.worst(best[short])
            rows = groups.rows[int(np.argmax(short & (best == worst)))]
            raise InvalidInput(_infeasible(requirement, worst, len(rows), len(groups.rows)))


def _infeasible(requirement: Requirement, best: float, records: int, groups: int) -> str:
    demand = requirement.demand
    what = demand.criterion.attainable(best)
    if groups == 1:
        return (
            f"column {demand.column!r}: {demand.criterion.request()} cannot be met; even if all {records} records"
            f" shared one cell, {what}: ask for no more than that"
        )
    return (
        f"column {demand.column!r}: {demand.criterion.request()} cannot be met within one of the {groups} groups"
        f" that strata or missing values make; even if its {records} records shared one cell, {what}: ask for no"
        f" more than that,"
        " or make fewer groups"
    )


def enforce(
    labels: Labels,
    columns: Sequence[Encoded],
    groups: Groups,
    k: int,
    requirements: Sequence[Requirement],
    *,
    extension: Extension | None = None,
    progress: Progress | None = None,
) -> Enforced:
    """A partition into cells of at least k that meet all requirements, near the given one.

    Cells of the partition that fall short are mended. Where shares of values matter, and mending leaves fewer than
    nineteen of twenty cells, cells are formed anew, too, with one record of each quantile of the confidential column:
    what has the lower squared errors in the end is taken. What meets everything stays as it is. No cell holds records
    of two groups.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        The cell of each record, −1 where it is withheld.
    columns : sequence of Encoded
        The quasi-identifiers.
    groups : Groups
        The records that may share cells.
    k : int
        The least number of records in a cell.
    requirements : sequence of Requirement
        What is asked; `refuse_infeasible` has nothing against it.
    extension : Extension, optional
        Confidential columns that count beside them.
    progress : callable, optional
        As of the partition; it counts the records once more.
    """
    matrix, places = to_matrix(columns) if extension is None else extension.of(columns)
    found = np.full_like(labels, -1)
    done = cells = failing = 0
    for rows in groups.rows:
        known = [j for j, i in enumerate(places) if i == ALWAYS or not columns[i].missing[rows[0]]]
        group = _Group(rows, embedding(matrix.rows(rows).columns(known)), k, requirements)
        tell = _teller(progress, done, len(rows), matrix.n)
        part, short = _enforced(group, labels[rows], tell)
        found[rows] = part + cells
        done, cells, failing = done + len(rows), cells + int(part.max()) + 1, failing + short
    before = len(np.unique(labels[labels >= 0]))
    return Enforced(found, before, failing, cells, bool(np.array_equal(found, labels)))


def _enforced(group: _Group, labels: Labels, tell: Tell) -> tuple[Labels, int]:
    """The labels of a group's cells, and how many of the given ones fell short."""
    given = group.cells(labels)
    before, failing = given.count, given.failing
    if first(tuple(requirement.demand for requirement in group.requirements)) is not None:
        return _formed_anew(group, tell).labels(), failing
    if not failing:
        return labels - labels.min(), 0
    could = _may_be_formed_anew(group)
    if not given.mend(_span(tell, 0.0, 0.3), math.ceil(GIVEN_UP * before) if could else 1):
        return _formed_anew(group, _span(tell, 0.5, 1.0)).labels(), failing
    given.descend(_span(tell, 0.3, 0.5))
    tried = [given]
    if could and given.count < HARDLY_CHANGED * before:
        tried.append(_formed_anew(group, _span(tell, 0.5, 1.0)))
    return min(tried, key=lambda cells: cells.squared_errors).labels(), failing


def _formed_anew(group: _Group, tell: Tell) -> Cells:
    """Cells with one record of each quantile of the confidential columns, mended and made better."""
    values = [requirement.codes[group.rows] for requirement in group.requirements]
    _, order = np.unique(np.stack(values, axis=1), axis=0, return_inverse=True)
    n = len(group.rows)
    close = [
        r.criterion for r in group.requirements if isinstance(r.criterion, Close) and r.criterion.ground != "equal"
    ]
    size = max([min(group.k, n), *(cell_size(n, group.k, criterion.t) for criterion in close)])
    cells = group.cells(closeness_first(group.points, order.reshape(-1), size, _span(tell, 0.0, 0.2)))
    cells.mend(_span(tell, 0.2, 0.5))
    cells.descend(_span(tell, 0.5, 1.0), everywhere=True)
    return cells


def _may_be_formed_anew(group: _Group) -> bool:
    """Whether shares of values matter: for mere numbers of values mending is always better."""
    criteria = [requirement.criterion for requirement in group.requirements]
    if any(isinstance(criterion, Close) and criterion.method == "merge" for criterion in criteria):
        return False
    return any(criterion.about_shares for criterion in criteria)


def recount(table_labels: Labels, requirements: Sequence[Requirement]) -> list[dict[str, Any]]:
    """What the output attains of everything asked, counted on its own cells.

    Raises
    ------
    GuaranteeError
        It is not what was asked.
    """
    rows = np.arange(len(table_labels))
    return [_recounted(requirement, requirement.attained(table_labels, rows)) for requirement in requirements]


def _recounted(requirement: Requirement, attained: Floats | Labels) -> dict[str, Any]:
    criterion, column = requirement.criterion, requirement.demand.column
    short = int(np.count_nonzero(~criterion.meets(attained)))
    if short:
        raise GuaranteeError(
            f"{short} cells of the output do not meet {criterion.request()} of column {column!r}: nothing is"
            " released. This is a fault of covey: please report it"
        )
    worst = criterion.worst(attained)
    plain = requirement.demand.to_dict() | {"asked": criterion.asked, "attained": worst}
    return {**plain, "says": criterion.says(column, worst)}


def _teller(progress: Progress | None, before: int, records: int, n: int) -> Tell:
    """Shares of the work on a group as records of the whole, some twenty times a second."""
    last = [0.0]

    def tell(share: float) -> None:
        now = time.monotonic()
        if progress is not None and now - last[0] > 0.05:
            last[0] = now
            progress(before + int(share * records), n)

    return tell


def _span(tell: Tell, begin: float, end: float) -> Tell:
    """A part of the work as a share of the whole."""
    return lambda share: tell(begin + (end - begin) * share)
