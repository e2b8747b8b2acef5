"""Which records may share a cell: those of the same strata that lack the same quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa

from covey.dependence import ALWAYS
from covey.encoding import require_comparable, to_matrix
from covey.errors import InvalidInput
from covey.frames import arrow_column, value_codes
from covey.partition.individual_ranking import IndividualRanking
from covey.partition.refine import Refine
from covey.partition.strata import check_group_sizes, group_rows, part_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.dependence import Extension
    from covey.encoding import Encoded
    from covey.frames import Frame
    from covey.matrix import Labels, Rows
    from covey.methods import Method
    from covey.partition.strata import Progress

Missing = Literal["error", "own-cells", "drop"]
MISSING: tuple[Missing, ...] = ("error", "own-cells", "drop")


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The rows of each group of at least k records; rows in none of them are withheld.

    Attributes
    ----------
    rows : list of ndarray
        Of each group, in ascending order.
    notes : tuple of str
        What was withheld, and why.
    """

    rows: list[Rows]
    notes: tuple[str, ...]


def form_groups(frame: Frame, columns: Sequence[Encoded], strata: Sequence[str], k: int, missing: Missing) -> Groups:
    """Groups by strata and by what is missing.

    Raises
    ------
    InvalidInput
        Values are missing and must not be; a stratum, or everything that is left, has fewer than k records.
    """
    counts = {part.column.name: int(part.missing.sum()) for part in columns if part.missing.any()}
    if counts and missing == "error":
        listed = ", ".join(f"{name!r} ({count})" for name, count in counts.items())
        raise InvalidInput(
            f"values are missing in {listed}: give such records own cells (missing=own-cells), drop them"
            " (missing=drop), or mend the data"
        )
    _check_enough(len(frame), k, "the table has")
    patterns = _patterns(columns)
    kept = np.arange(len(frame))
    notes: list[str] = []
    if counts and missing == "drop":
        kept = np.flatnonzero(~np.any([part.missing for part in columns], axis=0))
        notes.append(f"{len(frame) - len(kept)} records that lack a quasi-identifier were dropped")
        _check_enough(len(kept), k, "without those that lack a quasi-identifier there are")
    by_strata = [kept[rows] for rows in group_rows(_strata(frame, strata)[kept])]
    if strata:
        check_group_sizes(by_strata, k)
    groups = [rows[part] for rows in by_strata for part in group_rows(patterns[rows])]
    large = [rows for rows in groups if len(rows) >= k]
    if not large:
        raise InvalidInput(f"no pattern of missing values has k={k} records or more: nothing could be released")
    withheld = sum(len(rows) for rows in groups) - sum(len(rows) for rows in large)
    if withheld:
        notes.append(
            f"{withheld} records were withheld: fewer than k={k} share their pattern of missing quasi-identifiers"
            f" ({len(groups) - len(large)} patterns)"
        )
    return Groups(large, tuple(notes))


def partition_groups(
    estimator: Method,
    columns: Sequence[Encoded],
    groups: Groups,
    progress: Progress | None = None,
    extension: Extension | None = None,
) -> Labels:
    """The cell of each record, −1 for those withheld; a column for each quasi-identifier if each has its own.

    Cells are formed by the columns, and by their extension if there is one.
    """
    matrix, places = to_matrix(columns) if extension is None else extension.of(columns)
    columnwise = isinstance(estimator, IndividualRanking)
    labels = np.full((matrix.n, len(columns)) if columnwise else (matrix.n, 1), -1, dtype=np.int64)
    done = cells = 0
    interrupted = False
    for rows in groups.rows:
        known = [j for j, i in enumerate(places) if i == ALWAYS or not columns[i].missing[rows[0]]]
        labels[rows] = cells
        if known:
            part = matrix.rows(rows).columns(known)
            share = estimator.for_part(0 if interrupted else len(rows), matrix.n)
            found = share.fit(part, progress=part_of(progress, done, matrix.n)).labels_.reshape(len(rows), -1)
            interrupted = interrupted or getattr(share, "interrupted_", False)
            at = np.asarray([places[j] for j in known] if columnwise else [0])
            labels[np.ix_(rows, at)] += found
            cells += int(found.max())
        done, cells = done + len(rows), cells + 1
    if isinstance(estimator, Refine):
        estimator.interrupted_ = interrupted
    return labels if columnwise else labels[:, 0]


def _check_enough(records: int, k: int, where: str) -> None:
    if records < k:
        raise InvalidInput(f"{where} {records} records, fewer than k={k}: no cell can be formed")


def _patterns(columns: Sequence[Encoded]) -> Labels:
    """A code for each record's set of missing quasi-identifiers."""
    codes = np.zeros(len(columns[0].missing), dtype=np.int64)
    for part in columns:
        if part.missing.any():
            _, codes = np.unique(codes * 2 + part.missing, return_inverse=True)
    return codes


def _strata(frame: Frame, names: Sequence[str]) -> Labels:
    """A code for each record's stratum; a missing value is one like any other."""
    codes = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        column = arrow_column(frame, name)
        if not pa.types.is_null(column.type):
            require_comparable(column, name)
        code = value_codes(column)
        _, codes = np.unique(codes * (int(code.max()) + 1) + code, return_inverse=True)
    return codes
