"""Which means, variances, covariances and correlations a release keeps."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import InvalidInput
from covey.measures.pairs import on_one_scale, pair, ranked, require_schema
from covey.schema import Kind, Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from covey.encoding import Continuous
    from covey.matrix import Floats, Mask
    from covey.schema import Schema

    Square = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class CorrelationChange:
    """How far the correlations of some pairs of columns moved.

    Attributes
    ----------
    pairs : int
        The pairs that have a correlation in the original.
    greatest, mean : float
        Of the absolute differences, published less original; 0 of no pairs.
    """

    pairs: int
    greatest: float
    mean: float


@dataclass(frozen=True, slots=True)
class MomentsKept:
    """Moments of the columns of numbers, as they were and as they are published.

    Attributes
    ----------
    columns : tuple of str
        Continuous quasi-identifiers, then continuous confidential columns.
    quasi : tuple of str
        Those of them that are quasi-identifiers.
    records : int
        The released records: both sides are of these.
    means_before, means_after, variances_before, variances_after : tuple of float or None
        Of each column, over the records that have a value; None if none has. Variances are those of the population.
    covariances_before, covariances_after, correlations_before, correlations_after : tuple of tuple
        Of each pair of columns, over the records that have both values. A correlation is None where one of the columns
        is constant.
    overall, within_quasi, with_confidential : CorrelationChange
        Of all pairs that involve a quasi-identifier; of two of them; of one with a confidential column.
    """

    columns: tuple[str, ...]
    quasi: tuple[str, ...]
    records: int
    means_before: tuple[float | None, ...]
    means_after: tuple[float | None, ...]
    variances_before: tuple[float | None, ...]
    variances_after: tuple[float | None, ...]
    covariances_before: Square
    covariances_after: Square
    correlations_before: Square
    correlations_after: Square
    overall: CorrelationChange
    within_quasi: CorrelationChange
    with_confidential: CorrelationChange

    def __repr__(self) -> str:  # the mean of a single record is its value
        change = self.overall
        return (
            f"MomentsKept(records={self.records}, columns={len(self.columns)}, correlations={change.pairs},"
            f" greatest_change={change.greatest:.4f}, mean_change={change.mean:.4f})"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON, in which what is out of the range of numbers is null."""
        plain: dict[str, Any] = _finite(asdict(self))
        return plain


def moments_kept(original: Any, release: Any, schema: Schema, *, rows: Any = None) -> MomentsKept:
    """Means, variances, covariances and correlations before and after, and how far the correlations moved.

    Parameters
    ----------
    original, release : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The input and what was released of it.
    schema : Schema
        What each column is. Confidential columns are those whose kind is continuous, as `Schema.of(…, table=table)`
        infers it.
    rows : array-like of int, optional
        The record of the input that each released record was: `Release.rows`. Without it the release has all records
        in the order of the input.

    Returns
    -------
    MomentsKept
        Of continuous quasi-identifiers and continuous confidential columns.

    Raises
    ------
    InvalidInput
        The tables do not correspond, or no quasi-identifier is continuous.

    Notes
    -----
    Both sides are of the released records, so that all differences come from averaging and none from withholding.
    A mean or variance is over the records that have a value, a covariance over those that have both. Dates and times
    are numbers of their unit.

    A correlation with a column that is constant does not exist. A pair that has none in the original is not counted;
    one that has lost it, since the release is constant there, counts as having become 0.

    Values are centred before they are multiplied, on a scale where squares are in range: large offsets cost no digits.
    A variance or covariance may still be beyond what a float holds: then it is infinite, or 0.
    Time: O(n·d²), in which no sum depends on the number of threads.

    References
    ----------
    J. Domingo-Ferrer, J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure control",
    IEEE TKDE 14(1), 2002.

    Examples
    --------
    Averages keep the mean and lose variance.

    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [31, 35, 62, 64], "bmi": [20.0, 24.0, 30.0, 26.0]})
    >>> release = pa.table({"age": [33, 33, 63, 63], "bmi": [22.0, 22.0, 28.0, 28.0]})
    >>> kept = covey.moments_kept(table, release, covey.Schema.of(quasi=["age", "bmi"]))
    >>> kept.means_before == kept.means_after, kept.variances_before, kept.variances_after
    (True, (227.5, 13.0), (225.0, 9.0))
    >>> round(kept.overall.greatest, 3)
    0.154
    """
    require_schema(schema)
    wanted = [column for column in (*schema.quasi, *schema.confidential) if column.kind is Kind.CONTINUOUS]
    if not any(column.role is Role.QUASI for column in wanted):
        raise InvalidInput("moments are of continuous columns, and the schema has no continuous quasi-identifier")
    pairs = pair(original, release, schema, rows, wanted)
    both = [_series(ranked(was), ranked(now)) for was, now in zip(pairs.original, pairs.released, strict=True)]
    before, after = ([side[i] for side in both] for i in (0, 1))
    correlations = _square(before, _correlation), _square(after, _correlation)
    quasi = tuple(column.name for column in pairs.columns if column.role is Role.QUASI)
    within, across = _changes(*correlations, len(quasi))
    return MomentsKept(
        columns=pairs.names,
        quasi=quasi,
        records=pairs.records,
        means_before=tuple(map(_mean, before)),
        means_after=tuple(map(_mean, after)),
        variances_before=tuple(_covariance(one, one) for one in before),
        variances_after=tuple(_covariance(one, one) for one in after),
        covariances_before=_square(before, _covariance),
        covariances_after=_square(after, _covariance),
        correlations_before=correlations[0],
        correlations_after=correlations[1],
        overall=_change([*within, *across]),
        within_quasi=_change(within),
        with_confidential=_change(across),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Series:
    """A column as numbers on a scale where squares are in range: value = origin + number / 2**exponent."""

    numbers: Floats
    known: Mask
    origin: int | float
    exponent: int


def _series(original: Continuous, released: Continuous) -> tuple[_Series, _Series]:
    """A column before and after, on one scale."""
    before, after, exponent = on_one_scale(original, released)
    return (
        _Series(before, ~original.missing, original.origin, exponent),
        _Series(after, ~released.missing, original.origin, exponent),
    )


def _mean(one: _Series) -> float | None:
    if not one.known.any():
        return None
    return float(one.origin + math.ldexp(_average(one.numbers[one.known]), -one.exponent))


def _average(numbers: Floats) -> float:
    """The mean, its rounding mended once; exactly their value of equal numbers."""
    mean = float(np.mean(numbers))
    return mean + float(np.mean(numbers - mean))


def _covariance(one: _Series, other: _Series) -> float | None:
    moments = _moments(one, other)
    if moments is None:
        return None
    try:
        return math.ldexp(moments[2], -one.exponent - other.exponent)
    except OverflowError:
        return math.copysign(math.inf, moments[2])


def _correlation(one: _Series, other: _Series) -> float | None:
    moments = _moments(one, other)
    if moments is None or not (moments[0] and moments[1]):
        return None
    return max(-1.0, min(1.0, moments[2] / math.sqrt(moments[0]) / math.sqrt(moments[1])))


def _moments(one: _Series, other: _Series) -> tuple[float, float, float] | None:
    """Both variances and the covariance over the records that have both values, on their scales."""
    known = one.known & other.known
    if not known.any():
        return None
    x, y = _centred(one.numbers[known]), _centred(other.numbers[known])
    return float(np.mean(x * x)), float(np.mean(y * y)), float(np.mean(x * y))


def _centred(numbers: Floats) -> Floats:
    """Differences from the mean, exactly 0 of equal numbers."""
    if numbers.min() == numbers.max():
        return np.zeros(len(numbers))
    return numbers - _average(numbers)


def _square(series: Sequence[_Series], measure: Any) -> Square:
    """The measure of each pair of columns, which does not depend on their order."""
    found = {(i, j): measure(one, series[j]) for i, one in enumerate(series) for j in range(i + 1)}
    return tuple(tuple(found[max(i, j), min(i, j)] for j in range(len(series))) for i in range(len(series)))


def _changes(before: Square, after: Square, quasi: int) -> tuple[list[float], list[float]]:
    """Absolute changes of the correlations of quasi-identifiers with each other, and with the columns after them."""
    within: list[float] = []
    across: list[float] = []
    for i in range(quasi):
        for j in range(i + 1, len(before)):
            was = before[i][j]
            if was is not None:
                (within if j < quasi else across).append(abs((after[i][j] or 0.0) - was))
    return within, across


def _change(changes: Sequence[float]) -> CorrelationChange:
    return CorrelationChange(len(changes), max(changes, default=0.0), math.fsum(changes) / max(1, len(changes)))


def _finite(value: Any) -> Any:
    """The value as JSON has it: lists, and nothing in the place of infinite numbers."""
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        parts: Iterable[Any] = map(_finite, value)
        return list(parts)
    return None if isinstance(value, float) and not math.isfinite(value) else value
