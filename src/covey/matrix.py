"""The matrix that partitions work on: encoded quasi-identifiers and what each column holds."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey import _core
from covey.errors import InvalidInput
from covey.schema import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Labels = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Rows = NDArray[np.intp]

OrdinalAverage = Literal["median", "convex"]
ORDINAL_AVERAGES: tuple[OrdinalAverage, ...] = ("median", "convex")
# Greatest values within 2**±200 are left as they are: squares of differences 2**300 times smaller are still normal
# numbers, and sums of squares are far from overflow. Other values are scaled by a power of two, which rounds nothing.
SAFE_EXPONENT = 200


class NotNumbers(InvalidInput, TypeError):  # noqa: N818 (reads as what it says)
    """The array holds objects that are neither numbers nor texts; scikit-learn expects a TypeError."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Records as numbers: n rows, d columns, nothing missing.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        Numbers of continuous columns, on the scale on which they are to be compared; codes 0 … levels − 1 of
        ordinal columns, in their order, and of nominal ones.
    kinds : tuple of Kind
        What each column holds.
    levels : tuple of int
        The number of categories of each ordinal or nominal column; 0 for continuous ones.
    """

    values: Floats
    kinds: tuple[Kind, ...]
    levels: tuple[int, ...]

    @classmethod
    def of(
        cls,
        values: ArrayLike,
        kinds: Sequence[Kind | str] | None = None,
        levels: Sequence[int] | None = None,
    ) -> Matrix:
        """Matrix of an array; its columns are continuous unless `kinds` says otherwise.

        Parameters
        ----------
        values : array-like of shape (n, d)
            Finite numbers; whole ones from 0 in ordinal and nominal columns.
        kinds : sequence of {"continuous", "ordinal", "nominal"}, optional
            One for each column.
        levels : sequence of int, optional
            The number of categories of each column, of which some may be absent from the data. By default, of
            each ordinal or nominal column, one more than its greatest code.

        Raises
        ------
        InvalidInput
            The parts do not fit each other.
        """
        array = as_floats(values)
        words = tuple(map(_kind, kinds)) if kinds is not None else (Kind.CONTINUOUS,) * array.shape[1]
        if len(words) != array.shape[1]:
            raise InvalidInput(f"{len(words)} kinds are given for {array.shape[1]} columns")
        if levels is not None and len(levels) != array.shape[1]:
            raise InvalidInput(f"{len(levels)} numbers of levels are given for {array.shape[1]} columns")
        counts = [
            _levels(array[:, j], kind, levels[j] if levels is not None else None, j) for j, kind in enumerate(words)
        ]
        return cls(array, words, tuple(counts))

    @property
    def n(self) -> int:
        """The number of records."""
        return int(self.values.shape[0])

    @property
    def d(self) -> int:
        """The number of columns."""
        return int(self.values.shape[1])

    def rows(self, rows: NDArray[np.intp]) -> Matrix:
        """The matrix of some of the records."""
        return Matrix(self.values[rows], self.kinds, self.levels)

    def columns(self, columns: Sequence[int]) -> Matrix:
        """The matrix of some of the columns."""
        chosen = list(columns)
        return Matrix(
            self.values[:, chosen],
            tuple(self.kinds[j] for j in chosen),
            tuple(self.levels[j] for j in chosen),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A matrix as the kernels want it: continuous and ordinal columns first, ordinal ones as rank / levels.

    Attributes
    ----------
    values
        In which squared differences, and 0 or 1 for nominal columns, add up to squared distances.
    averages, levels
        What the average of each column is, and how many categories it has.
    order
        The columns of the matrix in the order of the space.
    exponent
        The values of continuous columns are those of the matrix times 2**exponent: 0 but for huge or tiny ones, which
        are brought to between 1/2 and 1.
    """

    values: Floats
    averages: list[_core.Average]
    levels: list[int]
    order: list[int]
    exponent: int

    @classmethod
    def of(cls, matrix: Matrix, ordinal_average: OrdinalAverage = "median") -> Space:
        """The space of a matrix.

        Raises
        ------
        InvalidInput
            Continuous columns of huge values stand beside categories.
        """
        order = sorted(range(matrix.d), key=lambda j: (matrix.kinds[j] is Kind.NOMINAL, j))
        levels = [matrix.levels[j] for j in order]
        averages = [_average(matrix.kinds[j], ordinal_average) for j in order]
        exponent = _exponent(matrix)
        values = np.empty((matrix.n, matrix.d))
        for to, j in enumerate(order):
            values[:, to] = _scaled(matrix.values[:, j], matrix.kinds[j], levels[to], exponent)
        return cls(values, averages, levels, order, exponent)

    def encode(self, averages: Floats, matrix: Matrix) -> Floats:
        """Records in the terms of the matrix, such as averages, as points of this space."""
        points = np.empty_like(averages)
        for to, j in enumerate(self.order):
            points[:, to] = _scaled(averages[:, j], matrix.kinds[j], self.levels[to], self.exponent)
        return points

    @property
    def numeric(self) -> int:
        """The number of continuous and ordinal columns."""
        return sum(average is not _core.Average.mode for average in self.averages)

    def squared_distances(self, points: Floats) -> Floats:
        """Of each record from the point in the same row, or from the only one; added in column order, as in kernels."""
        total = np.zeros(len(self.values))
        for j, (column, point) in enumerate(zip(self.values.T, points.T, strict=True)):
            total += np.square(column - point) if j < self.numeric else column != point
        return total


def as_floats(values: ArrayLike) -> Floats:
    """A C-contiguous float64 array of two dimensions, all finite.

    Raises
    ------
    InvalidInput
        It is none. The sentences are scikit-learn's where its estimator checks look for them.
    """
    array = as_array(values)
    if np.iscomplexobj(array):
        raise InvalidInput("Complex data not supported")
    if array.ndim != 2:
        raise InvalidInput(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data with array.reshape(-1, 1) if it"
            " has a single column"
        )
    if array.shape[1] == 0:
        raise InvalidInput(f"0 feature(s) (shape=({array.shape[0]}, 0)) while a minimum of 1 is required.")
    if array.shape[0] == 0:
        raise InvalidInput(f"0 sample(s) (shape=(0, {array.shape[1]})) while a minimum of 1 is required.")
    floats = _converted(array)
    if floats is None:
        raise InvalidInput("expected numbers, found an array of texts or of mixed types: encode it first")
    bad = int(np.count_nonzero(~np.isfinite(floats)))
    if bad:
        raise InvalidInput(f"{bad} values are NaN or inf: expected finite numbers, nothing missing")
    return floats


def as_array(values: ArrayLike) -> NDArray[Any]:
    """An array of whatever shape and type.

    Raises
    ------
    InvalidInput
        It is sparse, some of it is masked, or its rows differ in length.
    """
    if hasattr(values, "tocsr") or hasattr(values, "toarray"):
        raise InvalidInput("sparse data is not supported: pass a dense array")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        masked = np.count_nonzero(np.ma.getmaskarray(values))
        raise InvalidInput(f"{masked} values are masked: expected nothing missing")
    with suppress(ValueError):
        return np.asarray(values)
    raise InvalidInput("expected an array, found rows of different lengths")


def _converted(array: NDArray[Any]) -> Floats | None:
    if array.dtype.kind in "USTmMV":
        return None
    if array.dtype == object and any(isinstance(x, str | bytes) for x in array.flat):
        return None  # even those that could be read as numbers
    with suppress(TypeError, ValueError, OverflowError), np.errstate(over="ignore"):
        return np.ascontiguousarray(array, dtype=np.float64)
    # Not in a handler, lest the exception that names a value hang on to this one.
    raise NotNumbers("argument must be a string or a real number: found an array of other objects")


def _kind(word: Kind | str) -> Kind:
    try:
        return Kind(word)
    except ValueError:
        raise InvalidInput(f"unknown kind: expected one of {', '.join(Kind)}") from None


def _levels(codes: Floats, kind: Kind, declared: int | None, column: int) -> int:
    if kind is Kind.CONTINUOUS:
        if declared:
            raise InvalidInput(f"column {column} is continuous and so has no levels")
        return 0
    odd = int(np.count_nonzero((codes < 0) | (codes != np.floor(codes)) | (codes > 2**31 - 2)))
    if odd:
        raise InvalidInput(f"{odd} values of column {column} are no codes: {kind} columns hold 0, 1, 2, …")
    found = int(codes.max()) + 1
    if declared is not None and declared < found:
        raise InvalidInput(f"column {column} has {found} levels or more, but {declared} are declared")
    return found if declared is None else declared


def _average(kind: Kind, ordinal_average: OrdinalAverage) -> _core.Average:
    if kind is Kind.CONTINUOUS:
        return _core.Average.mean
    if kind is Kind.NOMINAL:
        return _core.Average.mode
    return _core.Average.median if ordinal_average == "median" else _core.Average.convex_median


def _exponent(matrix: Matrix) -> int:
    continuous = [j for j, kind in enumerate(matrix.kinds) if kind is Kind.CONTINUOUS]
    if not continuous or not matrix.n:
        return 0
    exponent = math.frexp(float(np.max(np.abs(matrix.values[:, continuous]))))[1]
    if len(continuous) == matrix.d:
        return -exponent if abs(exponent) > SAFE_EXPONENT else 0
    # Beside categories, whose distances are at most 1, the scale of continuous columns has a meaning of its own.
    if exponent > SAFE_EXPONENT:
        raise InvalidInput("continuous columns hold huge values beside categories: standardise them first")
    return 0


def _scaled(column: Floats, kind: Kind, levels: int, exponent: int) -> Floats:
    if kind is Kind.ORDINAL:
        return column / levels
    return np.ldexp(column, exponent) if kind is Kind.CONTINUOUS and exponent else column
