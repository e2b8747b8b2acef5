"""How many records share each combination of values: counted on a table, whatever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from covey.frames import combined

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from covey.matrix import Labels


def combination_sizes(table: pa.Table, columns: Sequence[str]) -> Labels:
    """For each combination of values that occurs in the columns, how many records have it.

    Missing values count as a value of their own. Time: O(n log n) a column. Exact: values are compared as they
    are, not by a hash.
    """
    codes = np.zeros(table.num_rows, dtype=np.int64)
    for name in columns:
        code = _codes(combined(table.column(name)))
        _, codes = np.unique(codes * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    return np.bincount(codes).astype(np.int64)


def _codes(column: pa.Array) -> Labels:
    encoded = pc.dictionary_encode(column, null_encoding="encode")
    return np.asarray(encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)).astype(
        np.int64
    )
