"""Preservation of statistical dependence, as sections III and IV of the paper define it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def standardised(values: Floats) -> Floats:
    """Columns of zero mean and unit (population) variance."""
    return (values - values.mean(axis=0)) / values.std(axis=0)


def centroids(values: Floats, labels: Labels) -> Floats:
    """Each record's: the mean of its cell."""
    return np.array([values[labels == labels[i]].mean(axis=0) for i in range(len(values))])


def distortion(values: Floats, labels: Labels) -> float:
    """D = SSE/SST of standardised columns, which is the MSE per dimension."""
    values = standardised(values)
    n, m = values.shape
    return float(sum(np.sum((values[i] - x) ** 2) for i, x in enumerate(centroids(values, labels)))) / (m * n)


def error_probability(values: Sequence[Hashable], labels: Labels) -> float:
    """P(Y ≠ Ŷ), where Ŷ is the most frequent value of the cell."""
    right = 0
    for cell in set(labels.tolist()):
        own = [value for value, label in zip(values, labels, strict=True) if label == cell]
        right += Counter(own).most_common(1)[0][1]
    return 1 - right / len(values)


def lagrangian(X: Floats, Y: Floats, labels: Labels, weight: float) -> float:
    """D = (1 − λ)·D_X + λ·D_Y."""
    return (1 - weight) * distortion(X, labels) + weight * distortion(Y, labels)


def extended(X: Floats, Y: Floats, weight: float) -> Floats:
    """(X, β·Y) with β = √(λ/(1−λ)·m_X/m_Y); X for λ = 0 and Y for λ = 1."""
    X, Y = standardised(X), standardised(Y)
    if weight == 0:
        return X
    if weight == 1:
        return Y
    beta = math.sqrt(weight / (1 - weight) * X.shape[1] / Y.shape[1])
    return np.hstack([X, beta * Y])
