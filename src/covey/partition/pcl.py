"""Probability-constrained quantizers: the Lloyd algorithm with cells of exactly the sizes asked for."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from covey import _core
from covey.errors import InvalidInput
from covey.matrix import as_array
from covey.partition import newton
from covey.partition.base import Partition, check_k, check_records, check_weights
from covey.partition.mdav import MDAV
from covey.partition.quantizer import Quantizer, frame_of, inside, outside
from covey.partition.vmdav import VMDAV

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from covey.matrix import Floats, Labels, Matrix
    from covey.partition.strata import Progress

SOLVERS = ("exact", "newton")
DEFAULT_K = 5  # if nothing says how many cells there are
STARTS = ("mdav", "vmdav", "random")


class PCL(Partition):
    """Cells of exactly the sizes asked for, moved until no exchange of records and no shift of a centroid helps.

    Step by step as the paper's §6.1: costs c(q) are adjusted until cells by least d + c have their sizes; records are
    quantized by them; reconstruction points move towards the centroids; again. The partition of least SSE that was
    seen is kept.

    Parameters
    ----------
    k : int, optional
        The least number of records in a cell: there are ⌊n/k⌋ cells, equal in size up to one record. 5 if neither this
        nor `cells` nor `sizes` is given.
    cells : int, optional
        The number of cells instead, equal in size up to one record.
    sizes : sequence of int, optional
        The sizes of the cells instead; they add up to n.
    start : {"mdav", "vmdav", "random"}, Quantizer, or array
        Where the points are at first: at the centroids of MDAV or V-MDAV, at records drawn by `seed`, where a fitted
        quantizer has them (a warm start: its costs are kept too), at those of given labels of shape (n,), or at given
        points of shape (m, d). If nothing else says how many cells there are, there are as many as in the start, and
        labels' sizes are replicated.
    solver : {"exact", "newton"}
        How costs are adjusted: by optimal transport, which meets sizes exactly, or as the paper's Appendix A does, with
        a final repair.
    speed : float
        s in (0, 1]: points move by this share of the way to their centroids.
    iterations : int
        The most steps.
    tolerance : float
        Steps end when the distortion falls by less than this share of itself.
    seed : int
        Of the random start.

    Attributes
    ----------
    quantizer_ : Quantizer
        Points, costs and centroids of the partition that was kept.
    distortions_ : ndarray
        MSE per dimension at the reconstruction points of each step, after quantization (weights count in the sum); it
        never rises, but where records have loads, whose sizes are met to within a record only.
    iterations_ : int
        The steps made.
    size_errors_ : ndarray
        The greatest deviation from a size before repair in each step: zeros for the exact solver.

    Notes
    -----
    *Guarantee*: cells have exactly their sizes, hence at least k records (with `loads`, see `fit`). By Theorem 4 no
    other assignment of these sizes to the points of `quantizer_` has a lower distortion.
    Reference: D. Rebollo-Monedero, J. Forné, E. Pallarès, J. Parra-Arnau, "A modification of the Lloyd algorithm for
    k-anonymous quantization"; docs/methods/pcl.md.

    Examples
    --------
    >>> import covey
    >>> covey.PCL(sizes=[3, 1], start="random").fit([[0.0], [0.2], [0.3], [9.0]]).sizes_.tolist()
    [3, 1]
    """

    mixed = False
    k: int | None  # type: ignore[assignment]
    _kept: tuple[Floats, Floats, Floats, int] | None

    def __init__(
        self,
        k: int | None = None,
        *,
        cells: int | None = None,
        sizes: Sequence[int] | None = None,
        start: Literal["mdav", "vmdav", "random"] | Quantizer | ArrayLike = "mdav",
        solver: Literal["exact", "newton"] = "exact",
        speed: float = 0.5,
        iterations: int = 100,
        tolerance: float = 1e-6,
        seed: int = 0,
    ) -> None:
        self.k = k
        self.cells = cells
        self.sizes = sizes
        self.start = start
        self.solver = solver
        self.speed = speed
        self.iterations = iterations
        self.tolerance = tolerance
        self.seed = seed

    def fit(
        self,
        X: ArrayLike | Matrix,
        y: object = None,  # noqa: ARG002 (scikit-learn's signature)
        *,
        strata: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        loads: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Partition records into cells.

        Parameters
        ----------
        X, y, strata, progress
            As in `MDAV.fit`; the columns are continuous.
        weights : array-like of shape (n,), optional
            What each record counts for in the distortion, and so in the centroids.
        loads : array-like of shape (n,), optional
            What each record counts for in the sizes (the paper's second PMF): k and `sizes` are then loads, and are met
            to within the heaviest record's.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        InvalidInput
            The records or the parameters are not usable, or the sizes cannot be met.
        """
        self._check_parameters()
        matrix = self._matrix(X)
        self._masses = check_weights(weights, matrix.n)
        self._loads = check_weights(loads, matrix.n)
        check_records(matrix.n, self._fewest())
        if strata is not None:
            self._check_strata()
        self.labels_ = self._labels(matrix, strata, progress)
        if strata is not None:
            self._kept = None
        self._summarise(matrix, self._masses)
        del self._masses, self._loads
        return self

    @property
    def quantizer_(self) -> Quantizer:
        """Points, costs and centroids of the partition that was kept."""
        if self._kept is None:
            raise InvalidInput("within strata there is a quantizer for each: fit them one by one")
        points, costs, origin, exponent = self._kept
        with np.errstate(over="ignore", under="ignore"):
            return Quantizer.of(outside(points, origin, exponent), np.ldexp(costs, -2 * exponent), self.centroids_)

    def told(self) -> Self:
        """The same with all that a recipe is to tell: k as a number, and a start that has a name.

        Raises
        ------
        InvalidInput
            There is no k, or the start is of numbers, which may be values of the data.
        """
        if not isinstance(self.start, str):
            raise InvalidInput(f"in a release the start of PCL must be one of {', '.join(STARTS)}: the recipe tells it")
        return self.copied(k=self._least())

    def _least(self) -> int:
        if self.cells is not None or self.sizes is not None:
            raise InvalidInput("of PCL's options only k promises a least number of records to a cell: give k here")
        return DEFAULT_K if self.k is None else int(self.k)

    def _fewest(self) -> int:
        """The number of records below which there is no partition."""
        return 1 if self._replicates() or self._loads is not None or self.k is None else int(self.k)

    def _check_parameters(self) -> None:
        given = [name for name in ("k", "cells", "sizes") if getattr(self, name) is not None]
        if len(given) > 1:
            raise InvalidInput(f"{' and '.join(given)} are given: how many cells there are follows from one of them")
        for name in ("k", "cells"):
            if getattr(self, name) is not None:
                check_k(getattr(self, name), name)
        if not isinstance(self.solver, str) or self.solver not in SOLVERS:
            raise InvalidInput(f"unknown solver: expected one of {', '.join(SOLVERS)}")
        speed, tolerance = _real(self.speed), _real(self.tolerance)
        if not 0.0 < speed <= 1.0:
            raise InvalidInput("speed must be a number above 0 and at most 1")
        if not 0.0 <= tolerance < math.inf:
            raise InvalidInput("tolerance must be a finite number of at least 0")
        check_k(self.iterations, "iterations")
        self._check_start()

    def _check_start(self) -> None:
        if isinstance(self.start, str) and self.start not in STARTS:
            raise InvalidInput(f"unknown start: expected one of {', '.join(STARTS)}, a quantizer, labels or points")
        if not isinstance(self.start, str | Quantizer):
            as_array(self.start)  # refuses rows of different lengths
        seed: Any = self.seed
        if isinstance(seed, bool) or not isinstance(seed, numbers.Integral) or int(seed) < 0:
            raise InvalidInput("seed must be a whole number of at least 0")
        if self.sizes is not None and as_array(self.sizes).ndim != 1:
            raise InvalidInput("sizes must be a list of numbers, one for each cell")

    def _check_strata(self) -> None:
        if self._loads is not None or self._masses is not None:
            raise InvalidInput("within strata, loads and weights are not supported")
        if not isinstance(self.start, str):
            raise InvalidInput(f"within strata the start must be one of {', '.join(STARTS)}")

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        origin, exponent = frame_of(self._framed(matrix))
        X = inside(matrix.values, origin, exponent)
        begin = self._begin(X, origin, exponent)
        _require_distinct(X, len(begin.sizes))
        ends = self._alternate(X, begin, progress)
        self._kept = (ends.points, ends.costs - ends.costs.min(), origin, exponent)
        with np.errstate(over="ignore", under="ignore"):
            self.distortions_ = np.ldexp(ends.distortions, -2 * exponent) / X.size
        self.size_errors_ = np.asarray(ends.size_errors)
        self.iterations_ = len(ends.distortions)
        return ends.labels

    # --- step 1 ---

    def _framed(self, matrix: Matrix) -> Floats:
        """The records, and given points if they are of the same columns: none of them is to overflow."""
        points = self.start.points if isinstance(self.start, Quantizer) else self.start
        if isinstance(points, str) or np.ndim(points) != 2 or np.shape(points)[1] != matrix.d:
            return matrix.values
        return np.vstack([matrix.values, Quantizer.of(points).points])

    def _begin(self, X: Floats, origin: Floats, exponent: int) -> _State:
        """Initial points, costs and sizes."""
        total = len(X) if self._loads is None else float(np.sum(self._loads))
        sizes = None if self._replicates() else self._sizes(len(X), total)
        labels = self._initial_labels(X)
        if sizes is None and labels is not None:
            sizes = np.bincount(labels, self._loads).astype(np.float64)
        elif sizes is None:
            sizes = self._sizes(len(X), total)
        if labels is not None:
            points = _centroids(X.T, labels, None)[1]
        elif isinstance(self.start, Quantizer):
            return self._warm(X, sizes, self.start, origin, exponent)
        elif isinstance(self.start, str):
            points = X[np.sort(_draw(X, len(sizes), self.seed))]
        else:
            points = self._given(np.asarray(self.start), len(sizes), origin, exponent)
        points = _as_many(points, X, len(sizes))
        return _State(points, np.zeros(len(sizes)), sizes)

    def _replicates(self) -> bool:
        """Whether nothing says how many cells there are but the start: labels, points or a quantizer."""
        asked = self.k is not None or self.cells is not None or self.sizes is not None
        return not asked and not isinstance(self.start, str)

    def _initial_labels(self, X: Floats) -> Labels | None:
        """The labels to start from, if it is labels that the start gives."""
        if isinstance(self.start, str):
            if self.start == "random":
                return None
            least = int(self.k) if self.k is not None and self._loads is None else max(1, len(X) // self._count(len(X)))
            return (MDAV if self.start == "mdav" else VMDAV)(least).fit(X).labels_
        if isinstance(self.start, Quantizer) or np.ndim(self.start) != 1:
            return None
        labels = np.asarray(self.start)
        if labels.shape != (len(X),) or labels.dtype.kind not in "iu" or labels.min(initial=0) < 0:
            raise InvalidInput(
                f"labels to start from must be whole numbers from 0, one for each of the {len(X)} records"
            )
        _, codes = np.unique(labels, return_inverse=True)
        return codes.astype(np.int64)

    def _count(self, n: int) -> int:
        if self.sizes is not None:
            return len(self.sizes)
        if self.cells is not None:
            return int(self.cells)
        if self._replicates():
            return len(self.start.points if isinstance(self.start, Quantizer) else Quantizer.of(self.start).points)
        total = n if self._loads is None else float(np.sum(self._loads))
        return max(1, int(total // (DEFAULT_K if self.k is None else self.k)))

    def _sizes(self, n: int, total: float) -> Floats:
        if self.sizes is not None:
            return self._given_sizes(n, total)
        m = self._count(n)
        if m > n:
            raise InvalidInput(f"{m} cells are more than there are records ({n})")
        if self._loads is not None:
            return np.full(m, total / m)
        sizes = np.full(m, n // m, dtype=np.float64)
        sizes[: n % m] += 1
        return sizes

    def _given_sizes(self, n: int, total: float) -> Floats:
        sizes = as_array(self.sizes if self.sizes is not None else ())
        if sizes.ndim != 1 or sizes.dtype.kind not in ("iu" if self._loads is None else "iuf") or not len(sizes):
            raise InvalidInput("sizes must be whole numbers, one for each cell (numbers where records have loads)")
        small = int(np.count_nonzero(~(sizes >= 1))) if self._loads is None else int(np.count_nonzero(~(sizes > 0)))
        if small:
            raise InvalidInput(f"{small} of {len(sizes)} sizes are below 1: every cell holds a record")
        if len(sizes) > n:
            raise InvalidInput(f"{len(sizes)} cells are more than there are records ({n})")
        if abs(float(sizes.sum()) - total) > 1e-9 * total:
            what = "loads" if self._loads is not None else "records"
            raise InvalidInput(f"sizes add up to {sizes.sum():g}, the {what} to {total:g}: they must be equal")
        return sizes.astype(np.float64)

    def _given(self, points: Any, m: int, origin: Floats, exponent: int) -> Floats:
        start = Quantizer.of(points).points
        if start.shape != (m, len(origin)):
            raise InvalidInput(
                f"start has {start.shape[0]} points of {start.shape[1]} columns: expected {m} of {len(origin)}"
            )
        return inside(start, origin, exponent)

    def _warm(self, X: Floats, sizes: Floats, start: Quantizer, origin: Floats, exponent: int) -> _State:
        """Where a quantizer left off; cells that are too many go where the fewest records are, others are split."""
        if start.points.shape[1] != X.shape[1]:
            raise InvalidInput(
                f"the quantizer to start from has {start.points.shape[1]} columns, the records {X.shape[1]}"
            )
        points, costs = inside(start.points, origin, exponent), np.ldexp(start.costs, 2 * exponent)
        held = np.bincount(_core.assign(X, points, costs), minlength=len(points))
        kept = np.sort(np.argsort(-held, kind="stable")[: len(sizes)])
        points, costs = points[kept], costs[kept]
        more = len(sizes) - len(points)
        if more > 0:
            costs = np.concatenate(
                [costs, costs[np.argsort(-held[kept], kind="stable")][np.arange(more) % len(points)]]
            )
        return _State(_as_many(points, X, len(sizes)), costs, sizes)

    # --- steps 2 to 5 ---

    def _alternate(self, X: Floats, begin: _State, progress: Progress | None) -> _Kept:
        """The paper's alternation between cells and points."""
        masses, loads = self._masses, self._loads
        ratios = None if masses is None and loads is None else (_ones(masses, X) / _ones(loads, X))
        problem = newton.Problem(X, begin.sizes, _ones(ratios, X), _ones(loads, X))
        market = _core.Market(X, ratios, loads)
        points, costs, kept = begin.points, begin.costs, _Kept()
        columns, weights = np.ascontiguousarray(X.T), _ones(masses, X)
        for step in range(int(self.iterations)):
            error = 0.0
            if self.solver == "newton":
                points, costs, error = newton.adjust(problem, points, costs)
            labels, costs = market.adjust(points, costs, begin.sizes, True)
            costs = costs - costs.min()
            held, centroids = _centroids(columns, labels, masses)
            distortion = sum(
                float(np.dot(weights, np.square(column - places[labels])))
                for column, places in zip(columns, np.ascontiguousarray(points.T), strict=True)
            )
            shift = float(np.sum(held * np.sum(np.square(centroids - points), axis=1)))
            fallen = kept.look_at(labels, points, costs, distortion=distortion, shift=shift)
            kept.size_errors.append(error)
            if progress is not None:
                progress((step + 1) * len(X) // int(self.iterations), len(X))
            if fallen <= self.tolerance * distortion:
                break
            points = self.speed * centroids + (1 - self.speed) * points
        if progress is not None:
            progress(len(X), len(X))
        kept.costs = market.centre(kept.points, kept.costs, kept.labels)
        return kept


@dataclass(frozen=True, slots=True)
class _State:
    """Where the alternation begins."""

    points: Floats
    costs: Floats
    sizes: Floats


@dataclass(slots=True)
class _Kept:
    """The best partition seen, and what was seen on the way."""

    labels: Labels = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    points: Floats = field(default_factory=lambda: np.empty((0, 0)))
    costs: Floats = field(default_factory=lambda: np.empty(0))
    sse: float = math.inf
    distortions: list[float] = field(default_factory=list)
    size_errors: list[float] = field(default_factory=list)

    def look_at(self, labels: Labels, points: Floats, costs: Floats, *, distortion: float, shift: float) -> float:
        """Take note of a step, whose distortion falls by `shift` when points move to the centroids; how far it fell."""
        if distortion - shift < self.sse:
            self.labels, self.points, self.costs, self.sse = labels, points, costs, distortion - shift
        before = self.distortions[-1] if self.distortions else math.inf
        self.distortions.append(distortion)
        return before - distortion


def _centroids(columns: Floats, labels: Labels, masses: Floats | None) -> tuple[Floats, Floats]:
    """What each cell holds, and its centroid; the records column by column."""
    held = np.bincount(labels, masses).astype(np.float64)
    sums = [np.bincount(labels, column if masses is None else masses * column) for column in columns]
    return held, np.column_stack([total / held for total in sums])


def _ones(values: Floats | None, X: Floats) -> Floats:
    return np.ones(len(X)) if values is None else values


def _draw(X: Floats, m: int, seed: int) -> Labels:
    """Rows of m different records."""
    order = np.random.default_rng(seed).permutation(len(X))
    for some in (order[: 4 * m], order):
        _, first = np.unique(X[some], axis=0, return_index=True)
        if len(first) >= m:
            break
    else:
        _require_distinct(X, m)
    return np.asarray(some[np.sort(first)[:m]], dtype=np.int64)


def _as_many(points: Floats, X: Floats, m: int) -> Floats:
    """The first m points; where there are fewer, records beside them, spread over the table, make up the number."""
    if len(points) >= m:
        return points[:m]
    rows = np.linspace(0, len(X) - 1, m - len(points)).round().astype(np.int64)
    return np.vstack([points, X[rows]])


def _require_distinct(X: Floats, m: int) -> None:
    if m < 2:
        return
    if len(np.unique(X[: 4 * m], axis=0)) >= m:  # as nearly always
        return
    distinct = len(np.unique(X, axis=0))
    if distinct < m:
        raise InvalidInput(
            f"{distinct} records are distinct, fewer than {m} cells: equal records would be points of several"
        )


def _real(value: object) -> float:
    return math.nan if isinstance(value, bool) or not isinstance(value, numbers.Real) else float(value)
