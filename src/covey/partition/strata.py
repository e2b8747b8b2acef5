"""A partition within each stratum, and records of one group at a time in general."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.errors import InvalidInput
from covey.matrix import as_array

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from covey.matrix import Labels, Rows

    Progress = Callable[[int, int], None]


def group_rows(codes: Labels) -> list[Rows]:
    """The rows of each group, groups in the order of their codes, rows in ascending order."""
    order = np.argsort(codes, kind="stable")
    _, starts = np.unique(codes[order], return_index=True)
    return np.split(order, starts[1:])


def strata_codes(strata: ArrayLike, n: int) -> Labels:
    """A code for each record's stratum, of one column or of several.

    Raises
    ------
    InvalidInput
        There is not one stratum for each record, or they cannot be told apart.
    """
    array = as_array(strata)
    if array.ndim not in (1, 2) or array.shape[0] != n or array.size == 0:
        raise InvalidInput(f"strata has shape {array.shape}: expected one row for each of the {n} records")
    columns = [array] if array.ndim == 1 else list(array.T)
    codes = np.zeros(n, dtype=np.int64)
    for column in columns:
        missing = _missing(column)
        if missing:
            raise InvalidInput(f"strata has {missing} missing values: every record needs a stratum")
        try:
            _, code = np.unique(column, return_inverse=True)
        except TypeError:
            code = None
        if code is None:
            raise InvalidInput("strata mixes types that have no order among them: use texts or numbers")
        _, codes = np.unique(codes * (int(code.max()) + 1) + code, return_inverse=True)
    return codes


def _missing(column: NDArray[Any]) -> int:
    if column.dtype.kind in "fcmM":
        return int(np.count_nonzero(column != column))  # noqa: PLR0124 (so NaN and NaT are told)
    if column.dtype.kind == "O":
        return sum(x is None or _is_missing(x) for x in column)
    return 0


def _is_missing(value: Any) -> bool:
    try:
        return bool(value != value)  # noqa: PLR0124 (NaN and NaT)
    except TypeError:
        return True  # of pandas' NA it cannot be told whether it equals itself


def check_group_sizes(groups: Sequence[Rows], k: int) -> None:
    """Refuse strata that cannot hold a cell."""
    small = sum(len(rows) < k for rows in groups)
    if small:
        raise InvalidInput(f"{small} of {len(groups)} strata have fewer than k={k} records: merge strata or lower k")


def part_of(progress: Progress | None, before: int, n: int) -> Progress | None:
    """Progress of a part as progress of the whole: the part begins when `before` of n records are done."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, n)


def pass_of(progress: Progress | None, done: int, passes: int) -> Progress | None:
    """Progress of one of several passes over the same records, as progress of them all."""
    if progress is None:
        return None
    return lambda records, n: progress(done * n + records, passes * n)
