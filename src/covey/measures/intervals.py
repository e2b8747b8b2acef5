"""How many original values a released one gives away but for a small error: interval disclosure."""

from __future__ import annotations

import math
import numbers
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.errors import InvalidInput
from covey.measures.pairs import on_one_scale, pair, ranked, require_schema
from covey.schema import Kind

if TYPE_CHECKING:
    from covey.encoding import Continuous
    from covey.matrix import Floats, Mask
    from covey.schema import Schema

By = Literal["deviation", "rank"]
WAYS: tuple[By, ...] = ("deviation", "rank")


@dataclass(frozen=True, slots=True)
class ColumnInterval:
    """How often the interval around a released value holds the original one.

    Attributes
    ----------
    name : str
        The column.
    records : int
        The released records whose original value there is.
    disclosed : int
        Those of them whose original value lies in the interval.
    """

    name: str
    records: int
    disclosed: int

    @property
    def share(self) -> float:
        """Of those records, the share that is disclosed; 0 of none."""
        return self.disclosed / self.records if self.records else 0.0


@dataclass(frozen=True, slots=True)
class IntervalDisclosure:
    """How often intervals around released values hold the original ones.

    Attributes
    ----------
    width : float
        Half the length of an interval: in standard deviations of the original column, or in parts of its ranks.
    by : {"deviation", "rank"}
        Which of both.
    columns : tuple of ColumnInterval
        Each continuous or ordinal quasi-identifier alone.
    jointly : ColumnInterval
        All at once; its name is empty.
    """

    width: float
    by: By
    columns: tuple[ColumnInterval, ...]
    jointly: ColumnInterval

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        columns = [asdict(column) | {"share": column.share} for column in self.columns]
        jointly = asdict(self.jointly) | {"share": self.jointly.share}
        del jointly["name"]
        return {"width": self.width, "by": self.by, "columns": columns, "jointly": jointly}


def interval_disclosure(
    original: Any, release: Any, schema: Schema, *, rows: Any = None, width: float = 0.1, by: By = "deviation"
) -> IntervalDisclosure:
    """The share of records whose original value lies close to the released one, by column and in all columns at once.

    Parameters
    ----------
    original, release : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The input and what was released of it.
    schema : Schema
        What each column is.
    rows : array-like of int, optional
        The record of the input that each released record was: `Release.rows`. Without it the release has all records
        in the order of the input.
    width : float
        Half the length of an interval, at least 0.
    by : {"deviation", "rank"}
        With ``"deviation"``, x is disclosed by x̂ if abs(x − x̂) is at most `width` population standard deviations of
        the original column. With ``"rank"``, if their ranks differ by at most `width` times the number of original
        values, where the rank of a number is the number of original values below it plus half of those equal to it.

    Returns
    -------
    IntervalDisclosure
        For each continuous and ordinal quasi-identifier, and jointly.

    Raises
    ------
    InvalidInput
        The tables do not correspond, an option is not usable, or all quasi-identifiers are nominal.

    Notes
    -----
    Ordinal columns count by rank of the category; nominal ones have no intervals and are left out. A record whose
    original value is missing has nothing to disclose and is not counted, in that column; one whose released value is
    missing is counted as not disclosed. Jointly a record is disclosed if it is in every column in which it has a value,
    and counted if it has any. In a constant column an interval is a point by deviation, and everything by rank if the
    column is released as it is. Time: O(n log n) a column.

    References
    ----------
    J. Domingo-Ferrer, V. Torra, "A quantitative comparison of disclosure control methods for microdata", in
    Confidentiality, Disclosure and Data Access, 2001.

    Examples
    --------
    The standard deviation is 10.1, so 33 gives away what lies in 31 to 35, and 50 what lies in 48 to 52.

    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30, 33, 50, 53]})
    >>> release = pa.table({"age": [33, 33, 50, 50]})
    >>> schema = covey.Schema.of(quasi=["age"])
    >>> covey.interval_disclosure(table, release, schema, width=0.2).jointly.share
    0.5
    """
    _check(width, by)
    require_schema(schema)
    wanted = [column for column in schema.quasi if column.kind is not Kind.NOMINAL]
    if not wanted:
        raise InvalidInput("intervals are for continuous and ordinal quasi-identifiers, and the schema has none")
    pairs = pair(original, release, schema, rows, wanted)
    counted, inside = [], []
    for whole, released in zip(pairs.whole, pairs.released, strict=True):
        known = ~whole.missing[pairs.rows]
        within = _within(ranked(whole), ranked(released), pairs.rows, float(width), by)
        counted.append(known)
        inside.append(known & ~released.missing & within)
    columns = [_count(name, *masks) for name, *masks in zip(pairs.names, counted, inside, strict=True)]
    everywhere = np.logical_and.reduce([hit | ~known for hit, known in zip(inside, counted, strict=True)])
    somewhere = np.logical_or.reduce(counted)
    return IntervalDisclosure(float(width), by, tuple(columns), _count("", somewhere, everywhere & somewhere))


def _check(width: object, by: object) -> None:
    if isinstance(width, bool) or not isinstance(width, numbers.Real) or not 0 <= float(width) < math.inf:
        raise InvalidInput("width must be a number of at least 0")
    if by not in WAYS:
        raise InvalidInput(f"unknown by: expected one of {', '.join(WAYS)}")


def _count(name: str, counted: Mask, inside: Mask) -> ColumnInterval:
    return ColumnInterval(name, int(np.count_nonzero(counted)), int(np.count_nonzero(inside)))


def _within(whole: Continuous, released: Continuous, rows: Any, width: float, by: By) -> Mask:
    """Whether each original value is in the interval around the released one, missing values taken for some number."""
    before, after, _ = on_one_scale(whole, released)
    known = before[~whole.missing]
    if by == "rank":
        distance = np.abs(_ranks(before[rows], known) - _ranks(after, known))
        return np.asarray(distance <= width * len(known))
    return np.asarray(np.abs(before[rows] - after) <= width * _deviation(known))


def _ranks(values: Floats, among: Floats) -> Floats:
    """How many are below, and half of those that are equal."""
    ordered = np.sort(among)
    below, upto = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
    return np.asarray((below + upto) / 2)


def _deviation(values: Floats) -> float:
    """The population standard deviation, exactly 0 of equal values."""
    if values.min() == values.max():
        return 0.0
    centred = values - values.mean()
    centred -= centred.mean()
    return float(np.sqrt(np.mean(np.square(centred))))
