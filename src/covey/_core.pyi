"""
Kernels of covey. That values are finite, and codes are codes, is not checked here: use covey.partition.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Average(enum.Enum):
    """What the average of a column is."""

    mean = 0

    median = 1

    convex_median = 2

    mode = 3

class Search(enum.Enum):
    """Which index answers the queries; the answers are the same."""

    automatic = 0

    tree = 1

    flat = 2

class Tail(enum.Enum):
    """How MDAV deals with the records left in the end."""

    split = 0

    adjoin = 1

class Split(enum.Enum):
    """How cells of 2k records or more are dealt with."""

    md = 0

    none = 1

def mdav(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, tail: Tail, search: Search, threads: int, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def md(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, search: Search, threads: int, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def mst(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, split: Split, search: Search, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def mu_approx(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, search: Search, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def tfrp(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, search: Search, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def vmdav(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, gamma: float, search: Search, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

def refine(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], averages: Sequence[Average], levels: Sequence[int], k: int, labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: int, seconds: float, seed: int, progress: Callable[[int, int], None] | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], int, bool]:
    """
    Labels, numbered anyhow, of the best partition found; the steps taken; whether Ctrl-C ended them.
    """

def univariate(sorted: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Where each cell of the optimal partition begins."""

def link(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], numeric: int, exact_masks: bool, counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], queries: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int, progress: Callable[[int, int], None] | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]:
    """
    Of each query the least squared distance, and what the records at just that distance count together.
    """

class Market:
    """Records at hand for one transport after another."""

    def __init__(self, X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], ratios: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, loads: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def adjust(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], filled: bool) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Labels of the least distortion with these sizes, and the costs that make them.
        """

    def centre(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Costs that make the same labels, as far from others as can be."""

def closeness_first(points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], widths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int, progress: Callable[[int, int], None] | None = None) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """
    Labels of so many cells, each with a record of every subset; `order` has the records subset by subset.
    """

class Shortfall:
    """How far cells are from meeting a criterion."""

    def whole(self, records: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """That of a cell of these records."""

    def changed(self, records: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: int, into: int) -> float:
        """
        After a record of the cell with the value `out` left, and one with `into` came; -1 for none.
        """

def distinct(codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: int, p: float) -> Shortfall: ...

def entropy(codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: int, l: float) -> Shortfall: ...

def recursive(codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: int, c: float, l: int) -> Shortfall: ...

def equal(codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Shortfall: ...

def ordered(codes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], t: float, reached: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], under: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Shortfall: ...

class Mending:
    """Cells at hand, to be mended and then made better."""

    def __init__(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int, shortfalls: Sequence[Shortfall], scanned: int) -> None: ...

    @property
    def failing(self) -> int:
        """The number of cells that fall short."""

    @property
    def count(self) -> int:
        """The number of cells."""

    @property
    def squared_errors(self) -> float:
        """About the means of the cells."""

    def labels(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Cells are numbered by their lowest records."""

    def mend(self, looks: int, fewest: int, progress: Callable[[int, int], None] | None = None) -> bool:
        """
        Until no cell falls short; False if fewer than `fewest` cells were left.
        """

    def descend(self, visits: int, everywhere: bool, progress: Callable[[int, int], None] | None = None) -> None:
        """
        While the squared errors fall, from the cells that were mended or from all.
        """

def assign(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
    """Of each record the cell of least d + c, the lowest of several."""

def allocate(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], filled: bool) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

def least_shares(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, rounds: int, progress: Callable[[int, int], None] | None = None) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """What no partition has a lower SSE than, and the share of each record."""

def price_cells(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], prices: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], k: int, each: int, most_nodes: int, most_candidates: int, seconds: float, progress: Callable[[int, int], None] | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], bool]:
    """
    Cells of least excess: their rows, where each begins, a bound for each record, whether all was seen.
    """
