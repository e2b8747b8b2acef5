"""Records as points whose squared distances are those of the records, or nearly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.schema import Kind

if TYPE_CHECKING:
    from covey.matrix import Floats, Matrix

FEW_CATEGORIES = 32
DIRECTIONS = 16


def embedding(matrix: Matrix) -> Floats:
    """Points whose squared distances are those of the records, but for nominal columns of many categories nearly.

    Continuous columns as they are, ordinal ones as rank over their number; of a nominal one, each category has a
    direction of its own, so that two categories are 1 apart. With many categories directions are drawn at random,
    always the same ones, and are nearly at right angles.
    """
    parts = []
    for j, kind in enumerate(matrix.kinds):
        column = matrix.values[:, j]
        if kind is Kind.NOMINAL:
            parts.append(_directions(matrix.levels[j])[column.astype(np.int64)])
        else:
            parts.append((column / matrix.levels[j] if kind is Kind.ORDINAL else column)[:, None])
    return np.ascontiguousarray(np.concatenate(parts, axis=1)) if parts else np.zeros((matrix.n, 1))


def _directions(levels: int) -> Floats:
    if levels <= FEW_CATEGORIES:
        return np.asarray(np.eye(levels) / np.sqrt(2), dtype=np.float64)
    drawn = np.random.default_rng(levels).normal(size=(levels, DIRECTIONS))
    return np.asarray(drawn / np.linalg.norm(drawn, axis=1)[:, None] / np.sqrt(2), dtype=np.float64)
