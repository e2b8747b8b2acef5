"""Criteria stronger than k-anonymity: what the confidential values of every cell must be like."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.errors import InvalidInput
from covey.measures.diversity import GROUNDS, Ground, earth_movers, effective_values, recursive_constants

if TYPE_CHECKING:
    from covey.matrix import Floats, Labels, Mask
    from covey.measures.counts import CellCounts
    from covey.schema import Schema

DiversityKind = Literal["distinct", "entropy", "recursive"]
DIVERSITY_KINDS: tuple[DiversityKind, ...] = ("distinct", "entropy", "recursive")
Enforcement = Literal["best", "merge", "first"]
ENFORCEMENTS: tuple[Enforcement, ...] = ("best", "merge", "first")
TOLERANCE = 1e-9  # of what is computed in floating point: entropies and earth mover's distances


@dataclass(frozen=True, slots=True)
class PSensitive:
    """p-sensitivity: every cell has at least `p` different values of the column.

    A missing value is a value of its own.

    Parameters
    ----------
    p : int
        At least 1.

    References
    ----------
    T. M. Truta, B. Vinay, "Privacy protection: p-sensitive k-anonymity property", ICDE Workshops 2006.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30.0, 31.0, 50.0, 51.0, 70.0, 71.0], "flu": list("yyynny")})
    >>> schema = covey.Schema.of(["age"], confidential=["flu"])
    >>> release = covey.anonymize(table, schema, 2, p_sensitive=2)
    >>> release.statement["also"][0]["attained"], release.measures.cells
    (2, 2)
    """

    p: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", _whole(self.p, "p of p-sensitivity"))

    @property
    def name(self) -> str:
        """What it is called."""
        return "p-sensitivity"

    @property
    def asked(self) -> int:
        """The p."""
        return self.p

    def attained(self, counts: CellCounts, values: Floats | None, overall: Labels | None) -> Floats | Labels:  # noqa: ARG002
        """Of each cell, the number of different values."""
        return counts.distinct

    def meets(self, attained: Floats | Labels) -> Mask:
        """Whether that suffices."""
        return np.asarray(attained >= self.p)

    def worst(self, attained: Floats | Labels) -> int:
        """The least of several cells' numbers."""
        return int(attained.min())

    @property
    def about_shares(self) -> bool:
        """Whether it matters how frequent the values are."""
        return False

    def request(self) -> str:
        """What is asked, in words."""
        return f"p-sensitivity with p={self.p}"

    def attainable(self, best: float) -> str:
        """The best there could be, in words."""
        return f"it would have {best:g} different values"

    def says(self, column: str, attained: float) -> str:
        """The guarantee in a sentence."""
        return (
            f"The records of every published combination of quasi-identifiers have at least {self.p} different"
            f" values of {column} (the least has {attained:g}); counted on the released table itself."
        )


@dataclass(frozen=True, slots=True)
class Diverse:
    """ℓ-diversity: the values of the column are well represented in every cell.

    A missing value is a value of its own.

    Parameters
    ----------
    l : int or float
        At least 1; whole but for entropy.
    kind : {"distinct", "entropy", "recursive"}
        At least ℓ different values; an entropy of at least log ℓ, that is, as diverse as ℓ values that are all as
        frequent; or r₁ < c·(r_ℓ + … + r_m), where r₁ ≥ r₂ ≥ … are the frequencies of the cell's m values: the most
        frequent one is not too frequent, even for somebody who rules out ℓ − 2 others.
    c : float, optional
        The constant of recursive (c, ℓ)-diversity, above 0; 1 by default.

    References
    ----------
    A. Machanavajjhala, J. Gehrke, D. Kifer, M. Venkitasubramaniam, "ℓ-diversity: privacy beyond k-anonymity", ACM TKDD
    1, 2007.

    Examples
    --------
    >>> import covey
    >>> covey.Diverse(3, "recursive", c=2).request()
    'recursive l-diversity with l=3 and c=2'
    """

    l: float  # noqa: E741 (the papers' ℓ)
    kind: DiversityKind = "distinct"
    c: float | None = None

    def __post_init__(self) -> None:
        if self.kind not in DIVERSITY_KINDS:
            raise InvalidInput(f"unknown kind of l-diversity: expected one of {', '.join(DIVERSITY_KINDS)}")
        if self.kind == "entropy":
            object.__setattr__(self, "l", _number(self.l, "l of entropy l-diversity", 1.0, math.inf))
        else:
            object.__setattr__(self, "l", _whole(self.l, f"l of {self.kind} l-diversity"))
        if self.c is not None and self.kind != "recursive":
            raise InvalidInput(f"c is for recursive l-diversity, not for {self.kind}: leave it out")
        if self.kind == "recursive":
            c = _number(1.0 if self.c is None else self.c, "c of recursive l-diversity", 0.0, math.inf)
            if not c:
                raise InvalidInput("c of recursive l-diversity must be a number above 0")
            object.__setattr__(self, "c", c)

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.kind} l-diversity"

    @property
    def asked(self) -> float:
        """The ℓ, or the c of recursive ℓ-diversity."""
        return self.l if self.c is None else self.c

    def attained(self, counts: CellCounts, values: Floats | None, overall: Labels | None) -> Floats | Labels:  # noqa: ARG002
        """Of each cell, how many values it has, or is as diverse as; or what c must exceed."""
        if self.kind == "distinct":
            return counts.distinct
        return effective_values(counts) if self.kind == "entropy" else recursive_constants(counts, int(self.l))

    def meets(self, attained: Floats | Labels) -> Mask:
        """Whether that suffices."""
        if self.c is not None:
            return np.asarray(attained < self.c)
        return np.asarray(attained >= self.l * (1 - TOLERANCE))

    def worst(self, attained: Floats | Labels) -> float:
        """The least diverse cell's number."""
        found = attained.max() if self.c is not None else attained.min()
        return int(found) if self.kind == "distinct" else float(found)

    @property
    def about_shares(self) -> bool:
        """Whether it matters how frequent the values are."""
        return self.kind != "distinct"

    def request(self) -> str:
        """What is asked, in words."""
        return f"{self.name} with l={self.l:g}" + ("" if self.c is None else f" and c={self.c:g}")

    def attainable(self, best: float) -> str:
        """The best there could be, in words."""
        if self.kind == "distinct":
            return f"it would have {best:g} different values"
        if self.kind == "entropy":
            return f"l would be {math.floor(best * 1000) / 1000:g}"
        if math.isinf(best):
            return f"it would have fewer than l={self.l:g} different values"
        return f"c would have to be above {math.ceil(best * 1000) / 1000:g}"

    def says(self, column: str, attained: float) -> str:
        """The guarantee in a sentence."""
        cells = "Within the records of every published combination of quasi-identifiers"
        if self.kind == "distinct":
            return f"{cells} there are at least {self.l} different values of {column} (the least has {attained:g})."
        if self.kind == "entropy":
            return (
                f"{cells} the values of {column} are at least as uncertain as {self.l:g} values that are all as"
                f" frequent (the least as {attained:.4g})."
            )
        return (
            f"{cells} the most frequent value of {column} occurs less than {self.c:g} times as often as all but the"
            f" {self.l - 1} most frequent together (at most {attained:.4g} times)."
        )


@dataclass(frozen=True, slots=True)
class Close:
    """t-closeness: the values of the column are distributed in every cell nearly as in the whole table.

    Parameters
    ----------
    t : float
        The greatest earth mover's distance of a cell from the table, 0 to 1.
    ground : {"equal", "ordered", "numeric"}, optional
        How far apart two values are: 1 if they differ; their difference in rank; their difference, over the range. By
        default equal for nominal columns, ordered for ordinal ones, numeric for continuous ones. With `equal` a missing
        value is a value of its own; the others have no place for it, and refuse such a column.
    method : {"best", "merge", "first"}
        How cells are made that meet it. `merge`: those of the partition are mended by exchanges and mergers. `first`:
        cells are formed anew, each with one record of each quantile of the column, whose values must have an order.
        `best`: whichever of both loses less.

    References
    ----------
    N. Li, T. Li, S. Venkatasubramanian, "t-closeness: privacy beyond k-anonymity and ℓ-diversity", ICDE 2007.
    J. Soria-Comas, J. Domingo-Ferrer, D. Sánchez, S. Martínez, "t-closeness through microaggregation: strict privacy
    with enhanced utility preservation", IEEE TKDE 27, 2015.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [30.0, 31.0, 50.0, 51.0], "wage": [1.0, 2.0, 3.0, 4.0]})
    >>> schema = covey.Schema.of(["age"], confidential=["wage"], continuous=["wage"])
    >>> release = covey.anonymize(table, schema, 2, t_close=covey.Close(0.2, "ordered"))
    >>> release.labels.tolist(), round(release.statement["also"][0]["attained"], 3)
    ([0, 1, 0, 1], 0.167)
    """

    t: float
    ground: Ground | None = None
    method: Enforcement = "best"

    def __post_init__(self) -> None:
        object.__setattr__(self, "t", _number(self.t, "t of t-closeness", 0.0, 1.0))
        if self.ground is not None and self.ground not in GROUNDS:
            raise InvalidInput(f"unknown ground of t-closeness: expected one of {', '.join(GROUNDS)}")
        if self.method not in ENFORCEMENTS:
            raise InvalidInput(f"unknown method of t-closeness: expected one of {', '.join(ENFORCEMENTS)}")
        if self.method == "first" and self.ground == "equal":
            raise InvalidInput("t-closeness first goes by the order of the values: ground must be ordered or numeric")

    @property
    def name(self) -> str:
        """What it is called."""
        return "t-closeness"

    @property
    def asked(self) -> float:
        """The t."""
        return self.t

    def attained(self, counts: CellCounts, values: Floats | None, overall: Labels | None) -> Floats | Labels:
        """Of each cell, the earth mover's distance from the whole table."""
        return earth_movers(counts, self.ground or "equal", values, overall)

    def meets(self, attained: Floats | Labels) -> Mask:
        """Whether that suffices."""
        return np.asarray(attained <= self.t + TOLERANCE)

    def worst(self, attained: Floats | Labels) -> float:
        """The greatest of several cells' distances."""
        return float(attained.max())

    @property
    def about_shares(self) -> bool:
        """Whether it matters how frequent the values are."""
        return True

    def request(self) -> str:
        """What is asked, in words."""
        return f"t-closeness with t={self.t:g}"

    def attainable(self, best: float) -> str:
        """The best there could be, in words."""
        return f"t would be {math.ceil(best * 1000) / 1000:g}"

    def says(self, column: str, attained: float) -> str:
        """The guarantee in a sentence."""
        return (
            f"The values of {column} among the records of every published combination of quasi-identifiers are"
            f" distributed as in the whole release but for an earth mover's distance of at most {self.t:g} (ground"
            f" distance"
            f" {self.ground}; the greatest is {attained:.4g}); computed on the released table itself."
        )


Criterion = PSensitive | Diverse | Close
"""What can be asked of the confidential values of every cell."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A criterion and the confidential column that it is asked of."""

    criterion: Criterion
    column: str

    def to_dict(self) -> dict[str, Any]:
        """For the recipe."""
        given = {name: value for name, value in asdict(self.criterion).items() if value is not None}
        return {"criterion": self.criterion.name, "column": self.column, **given}


def demand_of(plain: Mapping[str, Any]) -> Demand:
    """The demand that a recipe or a statement tells: what `Demand.to_dict` gave, whatever is told beside it.

    Raises
    ------
    InvalidInput
        It tells none.
    """
    name, column = plain.get("criterion"), plain.get("column")
    if not isinstance(name, str) or not isinstance(column, str):
        raise InvalidInput("a criterion has a name and a column")
    if name == "p-sensitivity":
        return Demand(PSensitive(plain.get("p")), column)  # type: ignore[arg-type]  # which it checks itself
    if name == "t-closeness":
        return Demand(Close(plain.get("t"), plain.get("ground"), plain.get("method", "best")), column)  # type: ignore[arg-type]
    kind = name.removesuffix(" l-diversity")
    return Demand(Diverse(plain.get("l"), kind, plain.get("c")), column)  # type: ignore[arg-type]


def to_demands(
    schema: Schema, p_sensitive: Any = None, l_diverse: Any = None, t_close: Any = None
) -> tuple[Demand, ...]:
    """What is asked of each confidential column.

    Each may be a number, a criterion, or a mapping from names of confidential columns to either; without names it is
    asked of every confidential column.

    Raises
    ------
    InvalidInput
        It is none of that; there is no confidential column, or a column named is none.
    """
    asked = {"p_sensitive": (p_sensitive, PSensitive), "l_diverse": (l_diverse, Diverse), "t_close": (t_close, Close)}
    demands: list[Demand] = []
    for option, (given, kind) in asked.items():
        if given is None:
            continue
        by_column = given if isinstance(given, Mapping) else dict.fromkeys(_confidential(schema, option), given)
        if not by_column:
            raise InvalidInput(f"{option} names no column: leave it out, or name a confidential one")
        for column in by_column:
            _require_confidential(schema, column, option)
        demands += [Demand(_criterion(value, kind), column) for column, value in by_column.items()]
    _refuse_several_firsts(demands)
    return tuple(demands)


def first(demands: tuple[Demand, ...]) -> Demand | None:
    """The demand whose cells are formed anew, if there is one."""
    chosen = [
        demand for demand in demands if isinstance(demand.criterion, Close) and demand.criterion.method == "first"
    ]
    return chosen[0] if chosen else None


def _refuse_several_firsts(demands: list[Demand]) -> None:
    names = [d.column for d in demands if isinstance(d.criterion, Close) and d.criterion.method == "first"]
    if len(names) > 1:
        raise InvalidInput(
            f"t-closeness first goes by the order of one column, and {len(names)} are asked for: name one of them,"
            " as in t_close={'wage': Close(0.2, method='first')}"
        )


def _criterion(value: Any, kind: type[PSensitive] | type[Diverse] | type[Close]) -> Criterion:
    if isinstance(value, PSensitive | Diverse | Close):
        if not isinstance(value, kind):
            raise InvalidInput(f"expected a number or a {kind.__name__}, found a {type(value).__name__}")
        return value
    return kind(value)


def _confidential(schema: Schema, option: str) -> list[str]:
    names = [column.name for column in schema.confidential]
    if not names:
        raise InvalidInput(
            f"{option} is about confidential columns, and the schema has none: declare what is to be protected as such"
        )
    return names


def _require_confidential(schema: Schema, column: Any, option: str) -> None:
    if not isinstance(column, str) or column not in _confidential(schema, option):
        told = f"{column!r} " if isinstance(column, str) and column in schema else ""
        raise InvalidInput(
            f"{option} names a column {told}that is not confidential: name confidential ones of the schema"
        )


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral) or value < 1:
        raise InvalidInput(f"{what} must be a whole number of at least 1")
    return int(value)


def _number(value: Any, what: str, least: float, most: float) -> float:
    number = math.nan
    if not isinstance(value, bool | np.bool_) and isinstance(value, numbers.Real):
        with suppress(OverflowError):
            number = float(value)
    if not least <= number <= most or math.isinf(number):
        limits = f"of at least {least:g}" if math.isinf(most) else f"from {least:g} to {most:g}"
        raise InvalidInput(f"{what} must be a number {limits}")
    return number
