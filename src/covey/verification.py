"""Whether a table is k-anonymous, whatever made it, and which combinations of columns are to blame if not."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.encoding import require_comparable
from covey.errors import InvalidInput
from covey.frames import arrow_column, read_frame, value_codes
from covey.partition.base import check_k
from covey.schema import Schema
from covey.words import columns as listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.frames import Frame
    from covey.matrix import Labels

    Fault = tuple[tuple[int, ...], tuple[int, int]]  # places of columns; records below k, and the smallest group

LIMIT = 2000  # combinations that are counted at most: some seconds on tens of thousands of different records
LARGEST = 2**62  # keys below this neither overflow when one is added nor when they are compared


@dataclass(frozen=True, slots=True)
class Culprit:
    """A combination of columns under which some records have too few others like them.

    Attributes
    ----------
    columns : tuple of str
        No part of them alone is at fault.
    below : int
        The records that share their values in these columns with fewer than k − 1 others.
    smallest : int
        The size of the smallest such group.
    """

    columns: tuple[str, ...]
    below: int
    smallest: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What leaving out one column would do.

    Attributes
    ----------
    column : str
        The column.
    below : int
        The records that would still be in cells of fewer than k.
    """

    column: str
    below: int


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a table is k-anonymous in some columns, and which are to blame if not.

    Attributes
    ----------
    k : int
        What was asked for.
    columns : tuple of str
        The quasi-identifiers.
    records, cells, smallest_cell : int
        Records, groups of records that agree in all these columns, and the size of the smallest.
    below : int
        The records in cells of fewer than k.
    alone : int
        Those of them that are alone in their cell.
    culprits : tuple of Culprit
        The combinations of columns that are at fault though none of their parts is; those first under which most
        records are below k.
    left_out : tuple of LeftOut
        Each quasi-identifier, and what leaving it out would do.
    searched : int
        The combinations that were counted.
    complete : bool
        Whether `culprits` are all there are; if too many were to be counted, there is at least one.
    identifiers : tuple of str
        Columns of the table that the schema calls identifiers: no published table should have such.
    """

    k: int
    columns: tuple[str, ...]
    records: int
    cells: int
    smallest_cell: int
    below: int
    alone: int
    culprits: tuple[Culprit, ...]
    left_out: tuple[LeftOut, ...]
    searched: int
    complete: bool
    identifiers: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every record shares its quasi-identifiers with at least k − 1 others."""
        return self.smallest_cell >= self.k

    def __repr__(self) -> str:
        return (
            f"Verification(k={self.k}, holds={self.holds}, records={self.records}, cells={self.cells},"
            f" smallest_cell={self.smallest_cell}, below={self.below}, culprits={len(self.culprits)})"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        plain = {"holds": self.holds, **asdict(self)}
        culprits = [asdict(culprit) | {"columns": list(culprit.columns)} for culprit in self.culprits]
        lists = {name: list(plain[name]) for name in ("columns", "left_out", "identifiers")}
        return {**plain, **lists, "culprits": culprits}

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"


def verify(table: Any, schema: Schema | Sequence[str], k: int, *, most: int | None = None) -> Verification:
    """Whether at least k records share each combination of quasi-identifiers, counted on the table as it is.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        A table of any origin. Columns without a role are no matter.
    schema : Schema or sequence of str
        Its quasi-identifiers, or their names.
    k : int
        The least number of records that are to share their quasi-identifiers.
    most : int, optional
        Look for culprits among combinations of at most so many columns; by default of any number, and 2,000
        combinations at most.

    Returns
    -------
    Verification
        `holds` says it; `culprits` and `left_out` say which columns are to blame if not.

    Raises
    ------
    InvalidInput
        The table, the columns or k are not usable.

    Notes
    -----
    Values are compared as they are. A missing value is a value of its own: whoever attacks the table is taken to know
    that it is missing. −0.0 is not 0.0, because it looks different, and all NaN are one value.

    A group of fewer than k records falls into groups that are smaller still when another column is regarded. So every
    combination that contains one at fault is at fault, and only those are counted all of whose parts are not: first
    single columns, then pairs, and so on. Time: O(n log n) for each combination that is counted, where n is the number
    of different records. Memory: O(n·d).

    What holds says nothing of attribute disclosure, nor of anybody who knows other columns.

    References
    ----------
    L. Sweeney, "k-anonymity: a model for protecting privacy", Int. J. Uncertainty, Fuzziness and Knowledge-Based
    Systems 10(5), 2002. R. Agrawal, R. Srikant, "Fast algorithms for mining association rules", VLDB, 1994, whose order
    of search this is.

    Examples
    --------
    One man lives in the north; age, sex and region alone tell nobody apart.

    >>> import pyarrow as pa, covey
    >>> sex, region = ["f", "m", "m", "m", "f", "f"], ["n", "n", "s", "s", "s", "n"]
    >>> found = covey.verify(pa.table({"sex": sex, "region": region, "age": [40] * 6}), ["sex", "region", "age"], 2)
    >>> found.holds, found.below
    (False, 2)
    >>> found.culprits
    (Culprit(columns=('sex', 'region'), below=2, smallest=1),)
    >>> [(without.column, without.below) for without in found.left_out]
    [('sex', 0), ('region', 0), ('age', 2)]
    """
    check_k(k)
    if most is not None:
        check_k(most, "most")
    frame = read_frame(table)
    names = _names(frame, schema)
    different = _different(frame, names)
    sizes = different.sizes(range(len(names)))
    below = int(sizes[sizes < k].sum())
    culprits, searched, complete = _culprits(different, int(k), most) if below else ([], 0, True)
    identifiers = schema.identifiers if isinstance(schema, Schema) else ()
    return Verification(
        k=int(k),
        columns=tuple(names),
        records=len(frame),
        cells=len(sizes),
        smallest_cell=int(sizes.min()),
        below=below,
        alone=int(np.count_nonzero(sizes == 1)) if k > 1 else 0,
        culprits=tuple(Culprit(tuple(names[j] for j in places), *fault) for places, fault in culprits),
        left_out=tuple(LeftOut(name, different.fault(_but(len(names), j), int(k))[0]) for j, name in enumerate(names)),
        searched=searched,
        complete=complete,
        identifiers=tuple(column.name for column in identifiers if column.name in frame.columns),
    )


def _names(frame: Frame, schema: Any) -> list[str]:
    """The quasi-identifiers, all of them columns of the table."""
    if isinstance(schema, Schema):
        names = [column.name for column in schema.quasi]
    elif isinstance(schema, str):
        names = [schema]
    else:
        names = list(schema) if isinstance(schema, list | tuple) else []
    if not (isinstance(schema, Schema | list | tuple | str) and all(isinstance(name, str) for name in names)):
        raise InvalidInput(f"schema must be a covey.Schema or a list of names, not {type(schema).__name__}")
    if not names:
        raise InvalidInput("there is no quasi-identifier: name at least one column by which a person may be recognised")
    if len(set(names)) < len(names):
        raise InvalidInput("a quasi-identifier is named twice: name each once")
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise InvalidInput(f"the table does not have {listed(absent)}: the quasi-identifiers are columns of it")
    return names


# Counting


@dataclass(frozen=True, slots=True, eq=False)
class _Different:
    """The different records: their codes column by column, how many values there are, and how many records each is."""

    codes: tuple[Labels, ...]
    levels: tuple[int, ...]
    counts: Labels

    def sizes(self, places: Sequence[int]) -> Labels:
        """For each combination of values that occurs in some of the columns, how many records have it."""
        keys, values = np.zeros(len(self.counts), dtype=np.int64), 1
        for j in places:
            if values * self.levels[j] > LARGEST:
                distinct, keys = np.unique(keys, return_inverse=True)
                values = len(distinct)
            keys, values = keys * self.levels[j] + self.codes[j], values * self.levels[j]
        if values > 4 * len(keys):
            _, keys = np.unique(keys, return_inverse=True)
        sizes = np.bincount(keys, self.counts)
        return sizes[sizes > 0].astype(np.int64)

    def fault(self, places: Sequence[int], k: int) -> tuple[int, int]:
        """How many records are in groups of fewer than k, and the size of the smallest group."""
        sizes = self.sizes(places)
        return int(sizes[sizes < k].sum()), int(sizes.min())


def _different(frame: Frame, names: Sequence[str]) -> _Different:
    columns = []
    for name in names:
        array = arrow_column(frame, name)
        require_comparable(array, name)
        columns.append(np.unique(value_codes(array), return_inverse=True)[1].astype(np.int64))
    levels = tuple(int(codes.max()) + 1 for codes in columns)
    joint = np.zeros(len(frame), dtype=np.int64)
    for codes, count in zip(columns, levels, strict=True):
        _, joint = np.unique(joint * count + codes, return_inverse=True)
    _, first, counts = np.unique(joint, return_index=True, return_counts=True)
    return _Different(tuple(codes[first] for codes in columns), levels, counts.astype(np.int64))


# The search


def _culprits(different: _Different, k: int, most: int | None) -> tuple[list[Fault], int, bool]:
    """The least combinations at fault, by size; how many were counted; and whether these are all."""
    d = len(different.codes)
    candidates: list[tuple[int, ...]] = [(j,) for j in range(d)]
    culprits: list[Fault] = []
    searched = 0
    while candidates:
        if most is not None and len(candidates[0]) > most:
            return _ordered(culprits), searched, False
        blameless = []
        for places in candidates:
            if searched == LIMIT:
                return _ordered(_with_one(culprits, different, k)), searched, False
            searched += 1
            fault = different.fault(places, k)
            if fault[0]:
                culprits.append((places, fault))
            else:
                blameless.append(places)
        candidates = _larger(blameless)
    return _ordered(culprits), searched, True


def _with_one(culprits: list[Fault], different: _Different, k: int) -> list[Fault]:
    """The culprits; if none was found, one: what is left of all columns when each that can be spared is taken away."""
    if culprits:
        return culprits
    left = tuple(range(len(different.codes)))
    for j in left:
        fewer = tuple(other for other in left if other != j)
        left = fewer if fewer and different.fault(fewer, k)[0] else left
    return [(left, different.fault(left, k))]


def _larger(blameless: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The combinations of one column more all of whose parts are blameless."""
    known = set(blameless)
    ends: dict[tuple[int, ...], list[int]] = {}
    for places in blameless:
        ends.setdefault(places[:-1], []).append(places[-1])
    joined = ((*head, *pair) for head, tails in ends.items() for pair in combinations(tails, 2))
    return [places for places in joined if all(part in known for part in combinations(places, len(places) - 1))]


def _ordered(
    culprits: list[Fault],
) -> list[Fault]:
    return sorted(culprits, key=lambda culprit: (-culprit[1][0], len(culprit[0]), culprit[0]))


def _but(d: int, place: int) -> list[int]:
    return [j for j in range(d) if j != place]
