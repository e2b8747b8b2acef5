"""What all partitions share: parameters, checks of the input, and what is left after a fit."""

from __future__ import annotations

import inspect
import numbers
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from covey import aggregate
from covey.errors import InvalidInput
from covey.matrix import ORDINAL_AVERAGES, Matrix, Space, as_array, as_floats
from covey.partition.strata import check_group_sizes, group_rows, part_of, strata_codes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from covey.matrix import Floats, Labels, OrdinalAverage
    from covey.partition.strata import Progress

Fitted = TypeVar("Fitted")


class Estimator:
    """Parameters in the manner of scikit-learn: the constructor stores, `fit` computes."""

    k: int
    n_features_in_: int

    @classmethod
    def _parameters(cls) -> tuple[str, ...]:
        return tuple(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with `deep`, those of an estimator `base` as `base__k` and so on, too."""
        own = {name: getattr(self, name) for name in self._parameters()}
        nested = {name: value for name, value in own.items() if deep and isinstance(value, Estimator)}
        return own | {f"{name}__{x}": y for name, value in nested.items() for x, y in value.get_params().items()}

    def set_params(self, **parameters: Any) -> Self:
        """Sets parameters by name."""
        unknown = [name for name in parameters if name not in self.get_params()]
        if unknown:
            raise InvalidInput(f"{type(self).__name__} has no parameter {', '.join(map(repr, unknown))}")
        for name, value in parameters.items():
            owner, _, inner = name.partition("__")
            if inner:
                getattr(self, owner).set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def copied(self, **changes: Any) -> Self:
        """One of the same parameters, but for the changes, that has not been fitted."""
        return type(self)(**(self.get_params(deep=False) | changes))

    def with_k(self, k: int) -> Self:
        """The same with another k."""
        return self.copied(k=k)

    def for_part(self, records: int, of: int) -> Self:  # noqa: ARG002 (for those who share something out)
        """What partitions so many of the records: itself, but where a budget is to be shared."""
        return self

    def _least(self) -> int:
        """The least number of records in a cell."""
        return self.k

    def _remember_columns(self, X: Any, d: int) -> None:
        self.n_features_in_ = d
        names = getattr(X, "columns", None)
        self.__dict__.pop("feature_names_in_", None)
        if names is not None and not callable(names) and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.asarray(names, dtype=object)

    def __repr__(self) -> str:
        parts = (f"{name}={value!r}" for name, value in self.get_params(deep=False).items())
        return f"{type(self).__name__}({', '.join(parts)})"

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's own tools ask for; nobody else calls it."""
        from sklearn.utils import InputTags, Tags, TargetTags  # noqa: PLC0415 (not a dependency)

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags())


def unless_interrupted(estimator: Fitted) -> Fitted:
    """The same, unless Ctrl-C ended its search, which was only a part of the work: then it ends the rest, too.

    Raises
    ------
    KeyboardInterrupt
        It did.
    """
    if getattr(estimator, "interrupted_", False):
        raise KeyboardInterrupt
    return estimator


class Partition(Estimator):
    """Base of the partitions into cells of at least k records.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cell of each record, numbered in order of creation.
    centroids_ : ndarray of shape (cells, d)
        The average record of each cell, in the terms of the input.
    sizes_ : ndarray of shape (cells,)
        The number of records in each cell.
    sse_ : float
        The sum of squared distances between the records and their cells' averages.
    n_features_in_ : int
        The number of columns.
    """

    labels_: Labels
    centroids_: Floats
    sizes_: Labels
    sse_: float

    #: Whether ordinal and nominal columns are understood.
    mixed: ClassVar[bool] = True

    def fit(
        self,
        X: ArrayLike | Matrix,
        y: object = None,  # noqa: ARG002 (scikit-learn's signature)
        *,
        strata: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Partition records into cells.

        Parameters
        ----------
        X : array-like of shape (n, d) or Matrix
            The records; compared as they are, so standardise columns of different units first.
        y : ignored
            For scikit-learn's sake.
        strata : array-like of shape (n,) or (n, columns), optional
            No cell holds records of different strata; each needs at least k.
        weights : array-like of shape (n,), optional
            Positive weights of the records in `centroids_`; they do not change the cells.
        progress : callable, optional
            Called with the records done and the records in all, some twenty times a second and at the end.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        InvalidInput
            The records or the parameters are not usable, or there are fewer than k records.
        """
        self._check_parameters()
        matrix = self._matrix(X)
        check_records(matrix.n, self._least())
        masses = check_weights(weights, matrix.n)
        self.labels_ = self._labels(matrix, strata, progress)
        self._summarise(matrix, masses)
        return self

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn's own tools ask for; nobody else calls it."""
        tags = super().__sklearn_tags__()
        tags.estimator_type = "clusterer"
        return tags

    def fit_predict(self, X: ArrayLike | Matrix, y: object = None, **how: Any) -> Labels:
        """Fits, and returns `labels_`."""
        return self.fit(X, y, **how).labels_

    def __init__(self, k: int = 5) -> None:
        self.k = k

    def _partition(self, matrix: Matrix, progress: Progress | None) -> Labels:
        """The labels of at least k records of one stratum."""
        raise NotImplementedError

    def _check_parameters(self) -> None:
        check_k(self._least())
        if getattr(self, "ordinal_average", "median") not in ORDINAL_AVERAGES:
            raise InvalidInput(f"unknown ordinal_average: expected one of {', '.join(ORDINAL_AVERAGES)}")
        check_threads(getattr(self, "threads", None))

    def _matrix(self, X: ArrayLike | Matrix) -> Matrix:
        matrix = checked(X) if isinstance(X, Matrix) else Matrix.of(self._array(X))
        if not self.mixed and any(matrix.levels):
            raise InvalidInput(f"{type(self).__name__} partitions continuous columns only")
        self._remember_columns(X, matrix.d)
        return matrix

    def _array(self, X: ArrayLike) -> ArrayLike:
        return as_floats(X)

    def _labels(self, matrix: Matrix, strata: ArrayLike | None, progress: Progress | None) -> Labels:
        if strata is None:
            return self._partition(matrix, progress)
        groups = group_rows(strata_codes(strata, matrix.n))
        check_group_sizes(groups, self._least())
        labels = np.empty(matrix.n, dtype=np.int64)
        before = cells = 0
        for rows in groups:
            part = self._partition(matrix.rows(rows), part_of(progress, before, matrix.n))
            labels[rows] = part + cells
            before, cells = before + len(rows), cells + int(part.max()) + 1
        return labels

    def _summarise(self, matrix: Matrix, weights: Floats | None) -> None:
        cells = int(self.labels_.max()) + 1
        self.sizes_ = aggregate.sizes(self.labels_, cells)
        average: OrdinalAverage = getattr(self, "ordinal_average", "median")
        self.centroids_ = aggregate.representatives(
            matrix, self.labels_, cells, ordinal_average=average, weights=weights
        )
        self.sse_ = sum_of_squared_errors(matrix, self.labels_, self.centroids_)


def sum_of_squared_errors(matrix: Matrix, labels: Labels, centroids: Floats) -> float:
    """The sum of squared distances between the records and their cells' averages; inf where it overflows."""
    space = Space.of(matrix)
    squares = space.squared_distances(space.encode(centroids, matrix)[labels])
    with np.errstate(over="ignore", under="ignore"):
        return float(np.ldexp(np.sum(squares), -2 * space.exponent))


def checked(matrix: Matrix) -> Matrix:
    """A matrix that was made by hand, with the checks of `Matrix.of`: the kernels rely on them."""
    return Matrix.of(matrix.values, matrix.kinds, matrix.levels)


def check_k(k: object, name: str = "k") -> None:
    """Refuse what is not a whole number of at least 1.

    Raises
    ------
    InvalidInput
        `k` is none.
    """
    if isinstance(k, bool) or not isinstance(k, numbers.Integral):
        raise InvalidInput(f"{name} must be a whole number of at least 1, not {_described(k)}")
    if int(k) < 1:
        raise InvalidInput(f"{name} must be at least 1, not {int(k)}")
    if int(k) > 2**30:
        raise InvalidInput(f"{name} must be at most 2**30")


def check_threads(threads: object) -> None:
    """Refuse what is neither None nor a whole number of at least 1.

    Raises
    ------
    InvalidInput
        `threads` is.
    """
    if threads is None:
        return
    if isinstance(threads, bool) or not isinstance(threads, numbers.Integral) or int(threads) < 1:
        raise InvalidInput("threads must be None or a whole number of at least 1")


def kernel_threads(threads: int | None) -> int:
    """The number as the kernels want it: 0 for as many as help; more than two never do."""
    return 0 if threads is None else min(int(threads), 2)


def check_records(n: int, k: int) -> None:
    """Refuse fewer than k records, and more than the kernels can number.

    Raises
    ------
    InvalidInput
        There are.
    """
    if n < k:
        raise InvalidInput(f"n_samples={n} records are fewer than k={k}: no cell can be formed")
    if n > 2**30:
        raise InvalidInput(f"{n} records are more than one partition can hold (2**30): split the table")


def check_weights(weights: ArrayLike | None, n: int) -> Floats | None:
    """The weights as an array: one for each record, finite and positive.

    Raises
    ------
    InvalidInput
        They are not.
    """
    if weights is None:
        return None
    masses = as_array(weights)
    if masses.dtype.kind not in "iufb" or masses.shape != (n,):
        raise InvalidInput(f"weights must be numbers, one for each of the {n} records")
    masses = masses.astype(np.float64)
    bad = int(np.count_nonzero(~(np.isfinite(masses) & (masses > 0))))
    if bad:
        raise InvalidInput(f"{bad} weights are not finite and positive")
    return masses


def _described(value: object) -> str:
    fraction = isinstance(value, float) and not value.is_integer()
    return f"{value:g}" if fraction else f"of type {type(value).__name__}"
