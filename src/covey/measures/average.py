"""ℓ_avg: how many different confidential values a cell has on average."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.encoding import Continuous
from covey.measures.counts import CellCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.encoding import Encoded
    from covey.matrix import Labels


def average_diversity_of(confidential: Sequence[Encoded], labels: Labels, width: float) -> float:
    """The mean over cells of the least number of different values among the confidential columns."""
    cells = int(labels.max()) + 1
    distinct = [CellCounts.of(labels, _codes(part, width), cells).distinct for part in confidential]
    return float(np.mean(np.min(distinct, axis=0)))


def _codes(part: Encoded, width: float) -> Labels:
    values = part.codes if not isinstance(part, Continuous) else part.standardised()
    if values is None:
        values = np.zeros(len(part.missing))
    if isinstance(part, Continuous):
        values = np.floor(values / width)
        values[part.missing] = np.inf
    return np.unique(values, return_inverse=True)[1].astype(np.int64)
