"""Estimates of E[Y|X]: functions of the quasi-identifiers alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from covey.encoding import Categorical, Continuous
from covey.errors import InvalidInput
from covey.schema import Kind
from covey.words import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.matrix import Floats

EXPECTATIONS = ("linear", "neighbours")
NEIGHBOURS = 50  # records that are averaged
CHUNK = 512  # records whose neighbours are looked up between two looks at Ctrl-C
MOST_CATEGORIES = 256  # of a nominal column: each is a column of a matrix


def expected(name: str, X: Floats, Y: Floats) -> Floats:
    """The estimate of E[Y|X] at each record; records alike in X have the same.

    Parameters
    ----------
    name : {"linear", "neighbours"}
        Least squares, with an intercept: O(n·d²). Or the mean of the 50 records nearest in X, the record itself among
        them: O(n·log n) in few columns.
    X, Y : ndarray of shape (n, ·)
        The records, one a row.
    """
    return _linear(X, Y) if name == "linear" else _neighbours(X, Y)


def design(quasi: Sequence[Encoded]) -> Floats:
    """Quasi-identifiers as columns of numbers: standardised, ranks over their number, 0 or √½ for each category.

    A missing value is the mean, or a category of its own. Constant columns are left out.

    Raises
    ------
    InvalidInput
        A nominal column has too many categories.
    """
    n = len(quasi[0].missing)
    many = [part.column.name for part in quasi if isinstance(part, Categorical) and is_too_varied(part)]
    if many:
        raise InvalidInput(
            f"E[Y|X] is not estimated from nominal {columns(many)} of more than {MOST_CATEGORIES} values: declare"
            " numbers continuous, or leave the estimator out"
        )
    parts = [values for part in quasi for values in [_columns(part)] if values is not None]
    return np.hstack(parts) if parts else np.zeros((n, 0))


def is_too_varied(part: Categorical) -> bool:
    """Whether a column has too many categories without an order to be as many columns."""
    return part.column.kind is Kind.NOMINAL and part.levels > MOST_CATEGORIES


def _columns(part: Encoded) -> Floats | None:
    if isinstance(part, Continuous):
        values = part.standardised()
        return None if values is None else values[:, None]
    if part.column.kind is Kind.NOMINAL:
        _, codes = np.unique(part.codes, return_inverse=True)
        return np.asarray(np.eye(int(codes.max()) + 1)[codes] * math.sqrt(0.5))
    ranks = part.codes.astype(np.float64)
    ranks[part.missing] = ranks[~part.missing].mean() if (~part.missing).any() else 0.0
    return ranks[:, None] / part.levels


def _linear(X: Floats, Y: Floats) -> Floats:
    with_intercept = np.hstack([np.ones((len(X), 1)), X])
    coefficients, *_ = np.linalg.lstsq(with_intercept, Y, rcond=None)
    # By distinct records, so that those alike in X agree to the last bit.
    distinct, places = np.unique(with_intercept, axis=0, return_inverse=True)
    return np.asarray((distinct @ coefficients)[places.ravel()])


def _neighbours(X: Floats, Y: Floats) -> Floats:
    from scipy.spatial import cKDTree  # noqa: PLC0415 (an import of a quarter of a second)

    if not X.shape[1]:  # all records are alike
        return np.broadcast_to(Y.mean(axis=0), Y.shape)
    distinct, places = np.unique(X, axis=0, return_inverse=True)
    places = places.ravel()
    tree = cKDTree(X)
    count = min(NEIGHBOURS, len(X))
    means = np.empty((len(distinct), Y.shape[1]))
    for first in range(0, len(distinct), CHUNK):
        _, found = tree.query(distinct[first : first + CHUNK], count)
        means[first : first + CHUNK] = Y[found.reshape(-1, count)].mean(axis=1)
    return means[places]
