"""How many released records their nearest original record gives away: distance-based record linkage."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.encoding import Categorical
from covey.errors import InvalidInput
from covey.measures.anonymity import combination_sizes
from covey.measures.neighbours import nearest, squared_distances
from covey.measures.pairs import pair, quasi_columns, ranked, require_schema
from covey.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.matrix import Floats, Labels
    from covey.measures.neighbours import Progress
    from covey.measures.pairs import Pairs
    from covey.schema import Schema


@dataclass(frozen=True, slots=True)
class Linkage:
    """How many records an attacker links who has all original quasi-identifiers and takes the nearest record.

    Attributes
    ----------
    columns : tuple of str
        The quasi-identifiers that were compared.
    records : int
        The released records, each of which the attacker links to one of the candidates.
    candidates : int
        The records of the input, those that were withheld among them.
    linked : float
        How many links are right, as expected when ties are broken by lot.
    cells : int
        The different combinations of values that the release has in these columns.
    smallest_cell : int
        The least number of released records that share a combination.
    blocks : tuple of Linkage
        The same for each block of columns alone, if blocks were asked for.
    """

    columns: tuple[str, ...]
    records: int
    candidates: int
    linked: float
    cells: int
    smallest_cell: int
    blocks: tuple[Linkage, ...] = ()

    @property
    def share(self) -> float:
        """DLD, the share of the released records that are linked rightly."""
        return self.linked / self.records

    @property
    def chance(self) -> float:
        """What guessing blindly would link: one record of all the candidates."""
        return 1.0 / self.candidates

    @property
    def bound(self) -> float:
        """What DLD cannot exceed: |Q|/n, the cells over the released records, itself at most 1/`smallest_cell`."""
        return self.cells / self.records

    @property
    def bound_holds(self) -> bool:
        """Whether DLD is within the bound, as it always is, but for rounding."""
        return self.share <= self.bound + 1e-9

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("records", "candidates", "linked", "share", "chance", "cells", "smallest_cell", "bound", "bound_holds")
        plain: dict[str, Any] = {"columns": list(self.columns)} | {name: getattr(self, name) for name in names}
        return {**plain, "blocks": [block.to_dict() for block in self.blocks]} if self.blocks else plain


def linkage(
    original: Any,
    release: Any,
    schema: Schema,
    *,
    rows: Any = None,
    columns: Sequence[str] | None = None,
    blocks: Sequence[Sequence[str]] | None = None,
    progress: Progress | None = None,
) -> Linkage:
    """The distance-based linkage disclosure: the share of released records whose nearest original is their own.

    Original and released quasi-identifiers are standardised apart, each column to mean 0 and population variance 1 of
    its own. Each released record is linked to the nearest of all records of the input. Where several are at exactly
    the least distance, its own among them, it counts as one linked record over their number.

    Parameters
    ----------
    original, release : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The input and what was released of it.
    schema : Schema
        What each column is.
    rows : array-like of int, optional
        The record of the input that each released record was: `Release.rows`. Without it the release has all records
        in the order of the input.
    columns : sequence of str, optional
        The quasi-identifiers that the attacker knows; by default all.
    blocks : sequence of sequences of str, optional
        Blocks of those columns, for what each alone would link.
    progress : callable, optional
        Called with the records done and the records in all, the latter once for each block.

    Returns
    -------
    Linkage
        `share` is DLD; `bound` is what it cannot exceed.

    Raises
    ------
    InvalidInput
        The tables do not correspond, or a column is not a quasi-identifier.

    Notes
    -----
    Ordinal columns are compared by rank, standardised in the same way; nominal ones add 1 where they differ. A column
    that is constant on one side is 0 there, and one that is constant in the original tells no candidates apart. A
    missing value of a continuous or ordinal column lies at the mean, and 1 is added where only one of both is missing;
    in a nominal column missing is one more category.

    DLD never exceeds the number of different released combinations over the number of released records: those who
    share one have the same candidates at the least distance, s of them; at most s are their own, and each of these
    counts 1/s.

    Time: one search for each different combination, in a k-d tree of the different originals: fast in few columns, all
    pairs at worst in many. Memory: O(n·d).

    References
    ----------
    J. Domingo-Ferrer, V. Torra, "A quantitative comparison of disclosure control methods for microdata", in
    Confidentiality, Disclosure and Data Access, 2001.

    Examples
    --------
    Two cells of two. The nearest to each average is one of its two records or both by lot, so half are linked.

    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [31, 35, 62, 64]})
    >>> release = pa.table({"age": [33, 33, 63, 63]})
    >>> found = covey.linkage(table, release, covey.Schema.of(quasi=["age"]))
    >>> found.share, found.bound
    (0.5, 0.5)
    """
    require_schema(schema)
    chosen = None if columns is None else quasi_columns(schema, columns)
    pairs = pair(original, release, schema, rows, chosen)
    parts = [pairs.names, *_checked_blocks(schema, pairs.names, blocks)]
    spaces = {name: _space(*both) for name, *both in zip(pairs.names, pairs.whole, pairs.released, strict=True)}
    found = [
        _linked(pairs, names, _joined([spaces[name] for name in names]), _share(progress, i, len(parts), pairs.records))
        for i, names in enumerate(parts)
    ]
    return replace(found[0], blocks=tuple(found[1:]))


def _checked_blocks(schema: Schema, names: Sequence[str], blocks: Any) -> list[tuple[str, ...]]:
    if blocks is None:
        return []
    if isinstance(blocks, str) or not isinstance(blocks, list | tuple):
        raise InvalidInput("blocks must be a list of lists of quasi-identifiers")
    checked = [tuple(column.name for column in quasi_columns(schema, block)) for block in blocks]
    foreign = sorted({name for block in checked for name in block}.difference(names))
    if foreign:
        raise InvalidInput(
            f"blocks name {', '.join(map(repr, foreign))}, which columns leaves out: name them there too"
        )
    return checked


def _share(progress: Progress | None, part: int, parts: int, records: int) -> Progress | None:
    """Progress of one of several searches as progress of them all."""
    if progress is None:
        return None
    return lambda done, total: progress(part * records + done * records // total, parts * records)


# The search


@dataclass(frozen=True, slots=True, eq=False)
class _Space:
    """Original and released records as points; the numeric columns first, then codes of categories."""

    original: Floats
    released: Floats
    numeric: int


def _linked(pairs: Pairs, names: Sequence[str], space: _Space, progress: Progress | None) -> Linkage:
    """The linkage by some of the columns."""
    points, point_of, counts = _distinct(space.original)
    queries, query_of, _ = _distinct(space.released)
    least, ties = nearest(points, counts, queries, space.numeric, progress)
    own = squared_distances(space.original[pairs.rows], space.released, space.numeric)
    credit = np.where(own == least[query_of], 1.0 / ties[query_of], 0.0)
    sizes = combination_sizes(pairs.table, names)
    return Linkage(
        columns=tuple(names),
        records=pairs.records,
        candidates=len(point_of),
        linked=float(credit.sum()),
        cells=len(sizes),
        smallest_cell=int(sizes.min()),
    )


def _distinct(points: Floats) -> tuple[Floats, Labels, Labels]:
    """The different points, which of them each record is, and how many records each is."""
    codes = np.zeros(len(points), dtype=np.int64)
    for column in points.T:
        _, values = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * (int(values.max()) + 1) + values, return_inverse=True)
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    return points[first], codes, counts


def _joined(spaces: Sequence[_Space]) -> _Space:
    ordered = sorted(spaces, key=lambda space: not space.numeric)
    return _Space(
        np.hstack([space.original for space in ordered]),
        np.hstack([space.released for space in ordered]),
        sum(space.numeric for space in ordered),
    )


def _space(original: Encoded, released: Encoded) -> _Space:
    """The one, two or no columns that a quasi-identifier becomes: its values, and where they are missing."""
    if isinstance(original, Categorical) and isinstance(released, Categorical) and original.column.kind is Kind.NOMINAL:
        return _Space(_column(original.codes), _column(released.codes), 0)
    before, after = ranked(original).standardised(), ranked(released).standardised()
    values = [] if before is None else [(before, np.zeros(len(released.missing)) if after is None else after)]
    if original.missing.any():
        values.append((original.missing.astype(np.float64), released.missing.astype(np.float64)))
    if not values:  # constant: nobody is told apart
        values = [(np.zeros(len(original.missing)), np.zeros(len(released.missing)))]
    joined = [np.stack(side, axis=1) for side in zip(*values, strict=True)]
    return _Space(joined[0], joined[1], len(values))


def _column(codes: Labels) -> Floats:
    return codes.astype(np.float64)[:, None] + 1.0  # a missing one is 0
