"""Optimal transport and the probability-constrained Lloyd algorithm, as the paper writes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


def distances(X: Floats, points: Floats) -> Floats:
    return np.asarray([[float(np.sum((x - point) ** 2)) for point in points] for x in X])


def transport(distortions: Floats, sizes: NDArray[np.int64]) -> Labels:
    """Records to cells of these sizes at the least total distortion: each cell is as many seats as its size."""
    seats = np.repeat(np.arange(len(sizes)), sizes)
    rows, columns = linear_sum_assignment(distortions[:, seats])
    labels = np.full(len(distortions), -1, dtype=np.int64)
    labels[rows] = seats[columns]
    return labels


def pcl(X: Floats, points: Floats, sizes: NDArray[np.int64], speed: float, steps: int) -> list[Labels]:
    """The cells of each step."""
    cells = []
    for _ in range(steps):
        labels = transport(distances(X, points), sizes)
        cells.append(labels)
        means = np.asarray([X[labels == q].mean(axis=0) for q in range(len(sizes))])
        points = speed * means + (1 - speed) * points
    return cells
