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


def combination_labels(table: pa.Table, columns: Sequence[str]) -> Labels:
    """The cell of each record: a number for each combination of values that occurs in the columns, from 0.

    Missing values count as a value of their own, and so does −0.0 beside 0.0, because it looks different.
    Time: O(n log n) a column. Exact: values are compared as they are, not by a hash.
    """
    codes = np.zeros(table.num_rows, dtype=np.int64)
    for name in columns:
        code = value_codes(combined(table.column(name)))
        _, codes = np.unique(codes * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    return codes


def combination_sizes(table: pa.Table, columns: Sequence[str]) -> Labels:
    """For each combination of values that occurs in the columns, how many records have it.

    As `combination_labels` numbers them; time and exactness are the same.
    """
    return np.bincount(combination_labels(table, columns)).astype(np.int64)
