"""What a released table tells of its confidential columns, from the table alone."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.measures.counts import CellCounts
from covey.measures.diversity import (
    divergences,
    earth_movers,
    effective_values,
    entropies,
    log_ratios,
    recursive_constants,
    recursive_levels,
)
from covey.measures.values import check_positive, check_whole, read_cells, values_of
from covey.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.matrix import Labels
    from covey.measures.values import Values
    from covey.schema import Schema

WIDTH = 0.2  # standard deviations, the Δ of the paper


@dataclass(frozen=True, slots=True)
class Recursive:
    """Recursive (c, ℓ)-diversity: the most frequent value of a cell is rarer than c times those from the ℓ-th on.

    Attributes
    ----------
    l : int
        The ℓ asked about.
    constant : float
        What c must exceed for (c, ℓ)-diversity with that ℓ; infinite where a cell has fewer than ℓ values.
    c : float
        The c asked about.
    level : int
        The greatest ℓ for which (c, ℓ)-diversity holds with that c; 0 where there is none.
    """

    l: int  # noqa: E741 (the papers' ℓ)
    constant: float
    c: float
    level: int


@dataclass(frozen=True, slots=True)
class Closeness:
    """The greatest distance of a cell's values from those of the whole table, 0 to 1, by each ground distance.

    Attributes
    ----------
    equal : float
        Values are the same or not; a missing value is one of its own.
    ordered : float or None
        By places in the order of the values that occur: ordinal and continuous columns, over records that have a value.
    numeric : float or None
        By differences over the range: continuous columns, over records that have a value.
    """

    equal: float
    ordered: float | None = None
    numeric: float | None = None

    @property
    def t(self) -> float:
        """The distance that suits the kind: numeric, or else ordered, or else equal."""
        return next(t for t in (self.numeric, self.ordered, self.equal) if t is not None)


@dataclass(frozen=True, slots=True)
class Diversity:
    """What the cells of a released table tell of one confidential column. Missing values are a value of their own.

    Attributes
    ----------
    name, kind : str
        The column.
    records, cells, values : int
        Records, cells and different values of the table.
    distinct : int
        The least number of different values in a cell: distinct ℓ-diversity, and the column's p-sensitivity.
    intervals : int or None
        Of a continuous column, the least number of different intervals of `width` standard deviations in a cell.
    width : float
        The width asked for.
    entropy : float
        The ℓ of entropy ℓ-diversity: the least exponential of a cell's entropy.
    recursive : Recursive
        Recursive (c, ℓ)-diversity.
    homogeneous_cells, homogeneous_records : int
        Cells of a single value, and the records in them.
    closeness : Closeness
        The t of t-closeness.
    delta : float
        The δ of δ-disclosure: the greatest |ln(share in a cell / share in the table)|, over the values that the cell
        has.
    strict_delta : float
        The same over all values of the table: infinite where a cell lacks one.
    risk_bits : float
        The average risk: the mutual information, in bits, of the cell and the value; of a continuous column, its
        interval.
    entropy_bits : float
        The entropy of that value in the whole table, which the risk is part of.
    """

    name: str
    kind: str
    records: int
    cells: int
    values: int
    distinct: int
    intervals: int | None
    width: float
    entropy: float
    recursive: Recursive
    homogeneous_cells: int
    homogeneous_records: int
    closeness: Closeness
    delta: float
    strict_delta: float
    risk_bits: float
    entropy_bits: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON, which has no infinity: None stands for it."""
        plain = asdict(self)
        plain["recursive"]["constant"] = _finite(self.recursive.constant)
        return {**plain, "delta": _finite(self.delta), "strict_delta": _finite(self.strict_delta)}


@dataclass(frozen=True, slots=True)
class ExposedCell:
    """A cell whose confidential values are among the least diverse. No confidential value is in it.

    Attributes
    ----------
    row : int
        The first record of the cell in the table, counted from 0: its quasi-identifiers are the cell's.
    size : int
        The records of the cell.
    column : str
        The confidential column that is least diverse in it.
    distinct : int
        The number of that column's different values in the cell, or of intervals if it is continuous.
    effective : float
        How many values, all as frequent, would be as diverse.
    """

    row: int
    size: int
    column: str
    distinct: int
    effective: float

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def diversity(
    table: Any,
    schema: Schema,
    *,
    sensitive: str | Sequence[str] | None = None,
    l: int = 2,  # noqa: E741 (the papers' ℓ)
    c: float = 3.0,
    width: float = WIDTH,
) -> tuple[Diversity, ...]:
    """How diverse each confidential column of a released table is within the cells, and how near to the whole.

    Whoever knows a person's quasi-identifiers finds the cell and learns how its confidential values are distributed.
    The cells are the combinations of quasi-identifiers that occur, whatever made the table. Missing values count as a
    value of their own; the ordered and the numeric distance compare those that are known, and are no less than the
    difference of the shares that are missing.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The release.
    schema : Schema
        What its columns are; those that the measure does not need may be absent from the table.
    sensitive : str or sequence of str, optional
        The columns to look at; by default the confidential ones.
    l, c : int, float
        Of recursive (c, ℓ)-diversity: the ℓ to find the constant of, and the c to find the level of.
    width : float
        Of the intervals of continuous columns, in standard deviations: values in one interval count as similar.

    Returns
    -------
    tuple of Diversity
        One for each column.

    Raises
    ------
    InvalidInput
        The table, the schema or an option is not usable.

    Notes
    -----
    Time: O(n log n) for each column.

    References
    ----------
    A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "ℓ-diversity: privacy beyond k-anonymity", ACM
    TKDD 1(1), 2007. T. M. Truta, B. Vinay, "Privacy protection: p-sensitive k-anonymity property", ICDEW 2006.
    N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and ℓ-diversity", ICDE 2007.
    J. Brickell, V. Shmatikov, "The cost of privacy: destruction of data-mining utility in anonymized data publishing",
    KDD 2008. D. Rebollo-Monedero, J. Forné, J. Domingo-Ferrer, "From t-closeness-like privacy to postrandomization via
    information theory", IEEE TKDE 22(11), 2010.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30, 30, 30, 30, 60, 60, 60, 60], "flu": list("yynnyyyy")})
    >>> (flu,) = covey.diversity(table, covey.Schema.of(["age"], confidential=["flu"]))
    >>> flu.distinct, flu.homogeneous_cells, flu.homogeneous_records, flu.closeness.t
    (1, 1, 4, 0.25)
    >>> f"{flu.risk_bits:.3f} of {flu.entropy_bits:.3f} bits"
    '0.311 of 0.811 bits'
    """
    check_whole(l, "l")
    check_positive(c, "c")
    labels, parts = read_cells(table, schema, sensitive, width)
    return tuple(_diversity(labels, part, l, c, width) for part in parts)


def column_diversity(
    labels: Labels,
    encoded: Encoded,
    *,
    l: int = 2,  # noqa: E741 (the papers' ℓ)
    c: float = 3.0,
    width: float = WIDTH,
) -> Diversity:
    """The same of one encoded column, where `labels` numbers the cell of each record from 0 and every cell has one."""
    return _diversity(labels, values_of(encoded, width), l, c, width)


def average_diversity(
    table: Any, schema: Schema, *, sensitive: str | Sequence[str] | None = None, width: float = WIDTH
) -> float:
    """ℓ_avg: the mean over the cells of the number of different values in their least diverse confidential column.

    Continuous columns are standardised and count the intervals of `width` standard deviations, floor(y / Δ); others
    count their values. Missing values count as a value of their own. Every cell weighs the same, whatever its size.

    Parameters
    ----------
    table, schema, sensitive, width
        As in `diversity`.

    Returns
    -------
    float
        From 1 to the size of the largest cell.

    Raises
    ------
    InvalidInput
        The table, the schema or an option is not usable.

    Notes
    -----
    Time: O(n log n) for each column.

    References
    ----------
    D. Rebollo-Monedero, J. Forné, M. Soriano, J. Puiggalí Allepuz, "k-Anonymous microaggregation with preservation of
    statistical dependence", Information Sciences 342, 2016, section V.B.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30, 30, 30, 60, 60, 60], "flu": list("yynyyy"), "job": list("abcabc")})
    >>> covey.average_diversity(table, covey.Schema.of(["age"], confidential=["flu", "job"]))
    1.5
    """
    labels, parts = read_cells(table, schema, sensitive, width)
    return average_least(labels, [part.classes for part in parts])


def average_least(labels: Labels, classes: Sequence[Labels]) -> float:
    """The same of columns as classes, such as `values_of(encoded, width).classes`: made once for many partitions.

    `labels` numbers the cell of each record from 0, and every cell has one. Time: O(n log n) for each column.
    """
    return float(np.mean(np.min([CellCounts.of(labels, column).distinct for column in classes], axis=0)))


def p_sensitivity(diversities: Sequence[Diversity]) -> int:
    """The p of p-sensitive k-anonymity: every cell has at least p different values in every confidential column."""
    return min(diversity.distinct for diversity in diversities)


def exposed_cells(
    table: Any,
    schema: Schema,
    *,
    sensitive: str | Sequence[str] | None = None,
    width: float = WIDTH,
    most: int = 20,
) -> tuple[ExposedCell, ...]:
    """The cells whose confidential values are least diverse, worst first; no confidential value is told.

    A cell counts by its least diverse column, as in `average_diversity`: fewest different values first (intervals, of a
    continuous column), then the least effective number of them, then the most records.

    Parameters
    ----------
    table, schema, sensitive, width
        As in `diversity`.
    most : int
        How many cells to name at most.

    Returns
    -------
    tuple of ExposedCell
        With the place of a record of each cell, where its quasi-identifiers are to be found.

    Raises
    ------
    InvalidInput
        The table, the schema or an option is not usable.

    Notes
    -----
    Time: O(n log n) for each column.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30, 30, 30, 60, 60, 60], "flu": list("yynyyy"), "job": list("abcabc")})
    >>> worst = covey.exposed_cells(table, covey.Schema.of(["age"], confidential=["flu", "job"]), most=1)
    >>> worst[0]
    ExposedCell(row=3, size=3, column='flu', distinct=1, effective=1.0)
    """
    check_whole(most, "most")
    labels, parts = read_cells(table, schema, sensitive, width)
    _, rows, sizes = np.unique(labels, return_index=True, return_counts=True)
    counts = [CellCounts.of(labels, part.classes) for part in parts]
    distinct = np.array([count.distinct for count in counts])
    effective = np.array([effective_values(count) for count in counts])
    least = np.lexsort((effective, distinct), axis=0)[0]
    cells = np.arange(len(rows))
    distinct, effective = distinct[least, cells], effective[least, cells]
    worst = np.lexsort((rows, -sizes, effective, distinct))[:most]
    return tuple(
        ExposedCell(int(rows[i]), int(sizes[i]), parts[least[i]].column.name, int(distinct[i]), float(effective[i]))
        for i in worst
    )


# One column


def _diversity(labels: Labels, part: Values, l: int, c: float, width: float) -> Diversity:  # noqa: E741
    counts = CellCounts.of(labels, part.codes)
    continuous = part.column.kind is Kind.CONTINUOUS
    classes = CellCounts.of(labels, part.classes) if continuous else counts
    alone = counts.distinct == 1
    risk, entropy = _bits(classes)
    return Diversity(
        name=part.column.name,
        kind=part.column.kind.value,
        records=len(labels),
        cells=counts.cells,
        values=int(np.count_nonzero(counts.overall)),
        distinct=int(counts.distinct.min()),
        intervals=int(classes.distinct.min()) if continuous else None,
        width=float(width),
        entropy=float(effective_values(counts).min()),
        recursive=Recursive(
            int(l), float(recursive_constants(counts, l).max()), float(c), int(recursive_levels(counts, c).min())
        ),
        homogeneous_cells=int(np.count_nonzero(alone)),
        homogeneous_records=int(counts.sizes[alone].sum()),
        closeness=_closeness(labels, part, counts),
        delta=float(log_ratios(counts).max()),
        strict_delta=float(log_ratios(counts, strict=True).max()),
        risk_bits=risk,
        entropy_bits=entropy,
    )


def _closeness(labels: Labels, part: Values, counts: CellCounts) -> Closeness:
    equal = float(earth_movers(counts, "equal").max())
    if part.column.kind is Kind.NOMINAL:
        return Closeness(equal)
    known = ~part.missing
    counts = CellCounts.of(labels[known], part.codes[known], counts.cells)
    # Of missing values, which have no place in the order, the difference of their shares is what can be told.
    gaps = np.abs(np.bincount(labels, part.missing) / np.bincount(labels) - part.missing.mean())
    ordered = float(np.maximum(earth_movers(counts, "ordered"), gaps).max())
    if part.column.kind is Kind.ORDINAL:
        return Closeness(equal, ordered)
    distances = np.zeros(1) if part.numbers is None else earth_movers(counts, "numeric", part.numbers)
    return Closeness(equal, ordered, float(np.maximum(distances, gaps).max()))


def _bits(counts: CellCounts) -> tuple[float, float]:
    """The mutual information of cell and value, and the entropy of the value, which is no less."""
    whole = counts.regrouped(np.arange(counts.cells), np.zeros(counts.cells, dtype=np.int64))
    entropy = float(entropies(whole)[0])
    return min(float(np.average(divergences(counts), weights=counts.sizes)), entropy), entropy


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
