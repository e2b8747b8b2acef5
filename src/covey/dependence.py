"""Cells that also keep how confidential columns depend on the quasi-identifiers: only the matrix changes.

With the distortion D_X of the quasi-identifiers and the error D_Y with which cells predict the confidential columns,
D = (1 − λ)·D_X + λ·D_Y is proportional to the distortion of records extended by β·Y. So any partition lowers it that
lowers a distortion, if it is given the extended records.

Reference: docs/methods/dependence.md.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa

from covey.encoding import Categorical, Continuous, to_matrix
from covey.errors import InvalidInput
from covey.expectation import EXPECTATIONS, MOST_CATEGORIES, design, expected, is_too_varied
from covey.matrix import Matrix
from covey.measures.utility import spread
from covey.partition.individual_ranking import IndividualRanking
from covey.schema import Kind
from covey.words import columns, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.matrix import Floats
    from covey.methods import Method

Expectation = Literal["linear", "neighbours"]
MANY_NUMBERS = 20  # from which on they look like a quantity rather than codes
ALWAYS = -1  # the place of a column of the matrix that no record is missing


@dataclass(frozen=True, slots=True)
class Dependence:
    """How much the prediction of confidential columns counts when cells are formed.

    Parameters
    ----------
    weight : float
        λ, from 0 (the quasi-identifiers alone, as usual) to 1 (the confidential columns alone).
    expected : {"linear", "neighbours"}, optional
        Form cells by an estimate of E[Y|X] in place of Y: then they depend on the confidential values only through that
        function of the quasi-identifiers. "linear" is the least-squares fit, "neighbours" the mean over the 50 records
        that are nearest by their quasi-identifiers.

    Raises
    ------
    InvalidInput
        λ is no number from 0 to 1, or there is no such estimator.
    """

    weight: float
    expected: Expectation | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", check_weight(self.weight))
        if self.expected is not None and self.expected not in EXPECTATIONS:
            raise InvalidInput(f"unknown estimator of E[Y|X]: expected one of {', '.join(EXPECTATIONS)}")
        if self.expected is not None and not self.weight:
            raise InvalidInput("expected has no effect where dependence is 0: leave it out")

    def describe(self) -> dict[str, Any]:
        """For the recipe, as plain JSON values."""
        return {"lambda": self.weight, "expected": self.expected}


def to_dependence(given: float | Dependence | None) -> Dependence | None:
    """What was asked for, λ alone or with more."""
    return given if given is None or isinstance(given, Dependence) else Dependence(given)


def check_weight(weight: Any) -> float:
    """λ as a float.

    Raises
    ------
    InvalidInput
        It is no number from 0 to 1.
    """
    number = isinstance(weight, numbers.Real) and not isinstance(weight, bool)
    if not number or not 0 <= weight <= 1:
        raise InvalidInput("dependence must be λ, a number from 0 (quasi-identifiers alone) to 1 (confidential ones)")
    return float(weight)


def to_extension(confidential: Sequence[Encoded], dependence: Dependence | None, estimator: Method) -> Extension | None:
    """The confidential columns as they are to count; nothing if they are not to.

    Raises
    ------
    InvalidInput
        There is none, none of them varies, or one has too many categories; or the method treats each column alone.
    """
    if dependence is None or not dependence.weight:
        return None
    if isinstance(estimator, IndividualRanking):
        raise InvalidInput(
            "individual-ranking treats each column alone, so that confidential ones cannot count: form column_blocks of"
            " one column each"
        )
    if not confidential:
        raise InvalidInput(f"dependence is {dependence.weight:g} but the schema has no confidential column")
    if not any(map(varies, confidential)):
        names = [part.column.name for part in confidential]
        raise InvalidInput(
            f"confidential {columns(names)} {verb(names, 'holds', 'hold')} a single value: there is nothing to predict"
        )
    fractions = [part.column.name for part in confidential if isinstance(part, Categorical) and _has_fractions(part)]
    if fractions:
        raise InvalidInput(
            f"{columns(fractions)} {verb(fractions, 'is nominal but holds', 'are nominal but hold')} fractions: declare"
            " what is a quantity continuous"
        )
    many = [part.column.name for part in confidential if isinstance(part, Categorical) and is_too_varied(part)]
    if many:
        raise InvalidInput(
            f"{columns(many)} {verb(many, 'is', 'are')} nominal with more than {MOST_CATEGORIES} values, too many to be"
            " predicted: declare numbers continuous, and columns that are not to count other"
        )
    return Extension(confidential, dependence)


def dependence_notes(confidential: Sequence[Encoded], dependence: Dependence | None) -> list[str]:
    """What the publisher should know of confidential columns that counted."""
    if dependence is None or not dependence.weight:
        return []
    idle = [part.column.name for part in confidential if not varies(part)]
    gaps = [
        part.column.name
        for part in confidential
        if part.column.kind is not Kind.NOMINAL and part.missing.any() and part.column.name not in idle
    ]
    notes = []
    numerous = [part.column.name for part in confidential if isinstance(part, Categorical) and _has_many_numbers(part)]
    if numerous:
        notes.append(
            f"confidential {columns(numerous)} {verb(numerous, 'holds', 'hold')} many whole numbers but counted as"
            " nominal: declare what is a quantity continuous"
        )
    if dependence.expected is None:
        notes.append(
            "cells were formed by confidential values too, and so tell them better than the quasi-identifiers did: that"
            " is no evidence of dependence between them"
        )
    if idle:
        notes.append(f"confidential {columns(idle)} {verb(idle, 'holds', 'hold')} a single value: nothing to predict")
    if gaps:
        notes.append(f"where confidential {columns(gaps)} {verb(gaps, 'is', 'are')} missing, the mean counted instead")
    return notes


def _has_fractions(part: Categorical) -> bool:
    if part.column.kind is not Kind.NOMINAL or not pa.types.is_floating(part.categories.type):
        return False
    values = part.categories.to_numpy(zero_copy_only=False)
    return bool(np.any(values != np.floor(values)))


def _has_many_numbers(part: Categorical) -> bool:
    kind = part.categories.type
    numbers_only = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return bool(numbers_only and part.column.kind is Kind.NOMINAL and part.levels > MANY_NUMBERS)


def varies(part: Encoded) -> bool:
    """Whether a column has two different values, a missing one being a value of a nominal column."""
    if isinstance(part, Continuous):
        return part.standardised() is not None
    return len(np.unique(part.codes if part.column.kind is Kind.NOMINAL else part.codes[part.codes >= 0])) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Extension:
    """The confidential columns, and how much they count beside the quasi-identifiers."""

    confidential: Sequence[Encoded]
    dependence: Dependence

    def of(self, quasi: Sequence[Encoded]) -> tuple[Matrix, list[int]]:
        """The matrix (X, β·Y) that cells are formed by, and the place in `quasi` of each of its columns.

        For λ = 1 it is Y. Of the columns of Y the place is ALWAYS: they are known of every record. With an estimator of
        E[Y|X] its estimates take the place of Y.

        Continuous columns of Y are standardised, ordinal ones by their ranks; a nominal one is as many columns as it
        has categories, so that two records differ by β² in squared distance if their categories differ. A missing
        number counts as the mean, a missing category as one more category.
        """
        X, places = to_matrix(quasi)
        varying = [part for part in self.confidential if varies(part)]
        Y = np.hstack([_to_predict(part) for part in varying])
        if self.dependence.expected is not None:
            Y = expected(self.dependence.expected, design(quasi), Y)
        spread_of_X = sum(map(spread, quasi))
        if self.dependence.weight == 1 or not spread_of_X:
            return _joined(Y), [ALWAYS] * Y.shape[1]
        scale = beta(self.dependence.weight, spread_of_X, len(varying))
        return _joined(scale * Y, X), [*places, *[ALWAYS] * Y.shape[1]]


def beta(weight: float, spread_of_X: float, spread_of_Y: float) -> float:
    """The scale of Y beside X, √(λ/(1−λ)·m_X/m_Y), for 0 ≤ λ < 1.

    Parameters
    ----------
    weight : float
        λ.
    spread_of_X, spread_of_Y : float
        SST/n of each side: the numbers of columns, m_X and m_Y, where all are continuous and standardised.

    Examples
    --------
    >>> beta(0.5, 6, 7) == (6 / 7) ** 0.5
    True
    """
    return math.sqrt(weight / (1 - weight) * spread_of_X / spread_of_Y)


def _to_predict(part: Encoded) -> Floats:
    """The columns by which a confidential column is predicted, of which squared differences add up."""
    if isinstance(part, Continuous):
        return np.asarray(part.standardised())[:, None]
    if part.column.kind is Kind.ORDINAL:
        return _standardised(part.codes)[:, None]
    _, codes = np.unique(part.codes, return_inverse=True)
    return np.asarray(np.eye(int(codes.max()) + 1)[codes] * math.sqrt(0.5))


def _standardised(codes: Any) -> Floats:
    """Ranks of mean 0 and variance 1 where not missing, and 0 there."""
    known = codes >= 0
    ranks = codes[known].astype(np.float64)
    values = np.zeros(len(codes))
    values[known] = (ranks - ranks.mean()) / ranks.std()
    return values


def _joined(Y: Floats, X: Matrix | None = None) -> Matrix:
    """The columns of X and, behind them, those of Y, which are continuous."""
    kinds, levels = (Kind.CONTINUOUS,) * Y.shape[1], (0,) * Y.shape[1]
    if X is None:
        return Matrix(np.ascontiguousarray(Y), kinds, levels)
    return Matrix(np.ascontiguousarray(np.hstack([X.values, Y])), X.kinds + kinds, X.levels + levels)
