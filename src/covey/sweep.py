"""What quasi-identifiers lose against how well cells predict confidential columns, swept over λ and k."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from covey.checks import check_method, check_options, check_strata
from covey.dependence import Dependence, Expectation, check_weight, to_extension
from covey.encoding import encode
from covey.errors import InvalidInput
from covey.groups import Missing, form_groups, partition_groups
from covey.measures import predictability_of
from covey.measures.confidential import WIDTH, average_least
from covey.measures.values import check_positive, values_of
from covey.methods import Method, choose_method
from covey.partition.base import unless_interrupted
from covey.partition.strata import pass_of
from covey.trials import Maker, Records, cell_sizes, checked_ks, published_distortion, read_records, to_maker, tried

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.partition.strata import Progress
    from covey.schema import Schema

KS = (5, 10, 20)
LAMBDAS = tuple(i / 10 for i in range(11))


@dataclass(frozen=True, slots=True)
class Point:
    """One λ with one k.

    Attributes
    ----------
    k : int
        The least number of records in a cell.
    weight : float
        λ.
    distortion : float
        D_X of the quasi-identifiers, as a release would have it.
    predictability_loss : float
        D_Y of the confidential columns.
    distortion_increment, loss_increment : float
        The same relative to λ = 0: (D(λ) − D(0))/D(0); NaN where D(0) is 0.
    average_diversity : float
        ℓ_avg: the mean over cells of the number of different values of the least diverse confidential column.
    cells, smallest_cell, largest_cell : int
        How many cells there are, and the records of the smallest and the largest.
    seconds : float
        The time that forming the cells took.
    """

    k: int
    weight: float
    distortion: float
    predictability_loss: float
    distortion_increment: float
    loss_increment: float
    average_diversity: float
    cells: int
    smallest_cell: int
    largest_cell: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """D_X and D_Y over λ and k.

    Attributes
    ----------
    points : tuple of Point
        For each k in turn, every λ in ascending order.
    frame : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The same as a table, of the kind that came in.
    """

    points: tuple[Point, ...]
    frame: Any

    def __repr__(self) -> str:
        ks, weights = ({getattr(point, name) for point in self.points} for name in ("k", "weight"))
        return f"Tradeoff({len(ks)} values of k, {len(weights)} values of λ)"

    def to_table(self) -> pa.Table:
        """The points as a pyarrow table."""
        return pa.table(_columns(self.points))

    def to_json(self) -> str:
        """The points as JSON text; what is not a number is null."""
        plain = [{name: None if x != x else x for name, x in asdict(p).items()} for p in self.points]  # noqa: PLR0124 (NaN)
        return json.dumps(plain, indent=2) + "\n"

    def picture(self, format: str = "png") -> bytes:  # noqa: A002 (the word users know)
        """The curves drawn, absolute and relative to λ = 0, and ℓ_avg beside them: the bytes of a PNG or SVG file.

        Raises
        ------
        InvalidInput
            There is no such format, or matplotlib is not installed.
        """
        from covey.sweep_curves import draw  # noqa: PLC0415 (an extra)

        return draw(self.points, format)


def tradeoff(
    table: Any,
    schema: Schema,
    *,
    k: int | Sequence[int] = KS,
    lambdas: float | Sequence[float] = LAMBDAS,
    method: str | Method | Maker = "mdav",
    expected: Expectation | None = None,
    width: float = WIDTH,
    missing: Missing = "error",
    strata: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> Tradeoff:
    """What quasi-identifiers lose, and how well cells predict the confidential columns, for each k and λ.

    Nothing is released: cells are formed and averaged as `anonymize(dependence=λ)` would, and measured. λ = 0, the
    usual case, is always among the points, for the others are told relative to it.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The records.
    schema : Schema
        What each column is; at least one is confidential.
    k : int or sequence of int
        Values of k.
    lambdas : float or sequence of float
        Values of λ from 0 to 1.
    method : str, estimator or function of k
        How cells are formed; an estimator's own k gives way to each of `k`.
    expected : {"linear", "neighbours"}, optional
        As in `Dependence`.
    width : float
        Δ: numbers of confidential columns count as different values if they are in different intervals of so many
        standard deviations.
    missing, strata
        As in `anonymize`.
    progress : callable, optional
        Called with the records done and the records in all, counted once for each k and λ.

    Returns
    -------
    Tradeoff
        D_X, D_Y, both relative to λ = 0, ℓ_avg, cells and time of each k with each λ.

    Raises
    ------
    InvalidInput
        The table, the schema or an option is not usable, or the method fails with one k: the sentence names both.

    References
    ----------
    docs/methods/dependence.md.

    Examples
    --------
    >>> import numpy as np, pyarrow as pa, covey
    >>> x, e = np.random.default_rng(1).normal(size=(2, 1000))
    >>> table = pa.table({"x": x, "y": 0.5 * x + e})
    >>> schema = covey.Schema.of(["x"], confidential=["y"], table=table)
    >>> points = covey.tradeoff(table, schema, k=10, lambdas=[0, 0.5, 1]).points
    >>> [round(point.predictability_loss, 2) for point in points]
    [0.75, 0.05, 0.0]
    """
    check_options(missing, None, progress)
    check_positive(width, "width")
    maker = to_maker(method)
    records = read_records(table, schema, check_strata(strata), missing)
    confidential = encode(records.frame, schema.confidential)
    if not confidential:
        raise InvalidInput("the schema has no confidential column: there is no dependence to trade")
    weights = _checked_lambdas(lambdas)
    runs = [(each, weight) for each in checked_ks(k) for weight in weights]
    points: list[Point] = []
    for i, (each, weight) in enumerate(runs):
        sweep = _Sweep(records, confidential, maker, expected, width)
        trial = partial(_point, sweep, each, weight, pass_of(progress, i, len(runs)))
        points.append(tried(f"λ={weight:g} with k={each}", trial))
    points = [_relative(point, next(p for p in points if p.k == point.k)) for point in points]
    return Tradeoff(tuple(points), nw.from_dict(_columns(points), backend=records.frame.implementation).to_native())


def _checked_lambdas(lambdas: Any) -> list[float]:
    """Values of λ in ascending order, 0 among them."""
    given = list(lambdas) if isinstance(lambdas, Iterable) and not isinstance(lambdas, str) else [lambdas]
    return sorted({0.0, *map(check_weight, given)})


@dataclass(frozen=True, slots=True, eq=False)
class _Sweep:
    """What is the same for all points."""

    records: Records
    confidential: Sequence[Encoded]
    maker: Maker
    expected: Expectation | None
    width: float


def _point(sweep: _Sweep, k: int, weight: float, progress: Progress | None) -> Point:
    records = sweep.records
    estimator = choose_method(sweep.maker(k), k, None)
    check_method(estimator, records.averaged, preserve_variance=False)
    groups = form_groups(records.frame, records.originals, records.strata, k, records.missing)
    begin = time.perf_counter()
    extension = to_extension(sweep.confidential, Dependence(weight, sweep.expected if weight else None), estimator)
    labels = partition_groups(estimator, records.originals, groups, progress, extension)
    unless_interrupted(estimator)
    seconds = time.perf_counter() - begin
    if labels.ndim != 1:
        raise InvalidInput("individual-ranking forms no joint cells: there is nothing that predicts")
    rows = np.flatnonzero(labels >= 0)
    _, cells = np.unique(labels[rows], return_inverse=True)
    confidential = [part.take(rows) for part in sweep.confidential]
    sizes = cell_sizes(labels)
    convex = getattr(estimator, "ordinal_average", "median") == "convex"
    return Point(
        k=k,
        weight=weight,
        distortion=published_distortion(records, labels, convex=convex),
        predictability_loss=predictability_of(confidential, cells).loss,
        distortion_increment=0.0,
        loss_increment=0.0,
        average_diversity=average_least(cells, [values_of(part, sweep.width).classes for part in confidential]),
        cells=len(sizes),
        smallest_cell=int(sizes.min()),
        largest_cell=int(sizes.max()),
        seconds=seconds,
    )


def _relative(point: Point, usual: Point) -> Point:
    """The point with its increments over λ = 0."""
    return replace(
        point,
        distortion_increment=_increment(point.distortion, usual.distortion),
        loss_increment=_increment(point.predictability_loss, usual.predictability_loss),
    )


def _increment(value: float, usual: float) -> float:
    return (value - usual) / usual if usual else float("nan")


def _columns(points: Sequence[Point]) -> dict[str, list[Any]]:
    return {field.name: [getattr(point, field.name) for point in points] for field in fields(Point)}
