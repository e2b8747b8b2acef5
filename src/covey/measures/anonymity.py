"""How many records share each combination of values: counted on a table, whatever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey.arrays import combined
from covey.frames import value_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from covey.matrix import Labels


def combination_sizes(table: pa.Table, columns: Sequence[str]) -> Labels:
    """For each combination of values that occurs in the columns, how many records have it.

    Missing values count as a value of their own, and so does −0.0 beside 0.0, because it looks different.
    Time: O(n log n) a column. Exact: values are compared as they are, not by a hash.
    """
    return np.bincount(combination_codes(table, columns)).astype(np.int64)


def combination_codes(table: pa.Table, columns: Sequence[str]) -> Labels:
    """For each record a number of its combination of values, from 0; what `combination_sizes` counts."""
    codes = np.zeros(table.num_rows, dtype=np.int64)
    for name in columns:
        code = value_codes(combined(table.column(name)))
        _, codes = np.unique(codes * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    return codes
