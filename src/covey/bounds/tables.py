"""The bound of a table: what distortion no k-anonymous release of it goes below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from covey.bounds.shares import continuous_matrix, gap, lower_bound
from covey.checks import check_schema
from covey.encoding import encode, to_matrix
from covey.errors import InvalidInput
from covey.frames import read_frame
from covey.partition.mdav import MDAV
from covey.words import columns as listed

if TYPE_CHECKING:
    from covey.partition.strata import Progress
    from covey.schema import Schema


@dataclass(frozen=True, slots=True)
class TableBound:
    """How far from optimal MDAV's release of a table can be.

    Attributes
    ----------
    records : int
        In the table.
    distortion : float
        No partition into cells of at least k has a lower D = SSE/SST over the quasi-identifiers.
    mdav : float
        The distortion of MDAV's partition.
    gap : float
        The excess of the latter over the former, in parts of the former.
    """

    records: int
    distortion: float
    mdav: float
    gap: float


def bound_table(table: Any, schema: Schema, k: int, *, progress: Progress | None = None) -> TableBound:
    """The least distortion that a k-anonymous release of a table can have, from below, and MDAV's.

    Raises
    ------
    InvalidInput
        The table or k is not usable, a quasi-identifier is not continuous, or values are missing.
    """
    frame = read_frame(table)
    encoded = encode(frame, check_schema(frame, schema, (), None))
    missing = [part.column.name for part in encoded if part.missing.any()]
    if missing:
        raise InvalidInput(f"values are missing in {listed(missing)}: a bound needs all of them")
    matrix = to_matrix(encoded)[0]
    if not matrix.d:
        raise InvalidInput("no quasi-identifier varies: every release has distortion 0")
    continuous_matrix(matrix)
    spread = float(matrix.values.size)  # the SST of standardised columns
    bound = lower_bound(matrix, k, progress=progress) / spread
    mdav = MDAV(k).fit(matrix).sse_ / spread
    return TableBound(matrix.n, bound, mdav, gap(mdav, bound))
