"""What each column of a table is: its role in a release and its kind of values.

A schema is written in code (`Schema.of`), drafted from a table (`infer`) or kept in a TOML file that a
person edits (`Schema.to_toml`, `Schema.from_toml`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from numbers import Integral
from typing import Any, TypeVar

from covey.errors import InvalidInput

Category = str | int | float | bool
Word = TypeVar("Word", bound=StrEnum)
MOST_DECIMALS = 15  # a float64 carries no more significant digits than that


class Role(StrEnum):
    """What becomes of a column in a release."""

    IDENTIFIER = "identifier"  #: dropped
    QUASI = "quasi"  #: replaced by the value of its cell
    CONFIDENTIAL = "confidential"  #: published as it is
    OTHER = "other"  #: published as it is


class Kind(StrEnum):
    """How the values of a column are compared and averaged."""

    CONTINUOUS = "continuous"  #: numbers and dates; the mean
    ORDINAL = "ordinal"  #: ordered categories; the median
    NOMINAL = "nominal"  #: categories without order; the mode


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, role and kind.

    Parameters
    ----------
    name
        As in the table.
    role
        A `Role` or its word.
    kind
        A `Kind` or its word: how quasi-identifiers are averaged, and how far apart confidential values count.
    categories
        The categories of an ordinal column from the lowest to the highest; empty when the type of the
        column in the table orders them. For a nominal column they may be left out: the data supply them.
    decimals
        Decimals that the published means of a continuous column are rounded to.

    Raises
    ------
    InvalidInput
        The parts contradict each other.
    """

    name: str
    role: Role
    kind: Kind
    categories: tuple[Category, ...] = field(default=(), repr=False)
    decimals: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InvalidInput(f"a column name must be a string, not {type(self.name).__name__}")
        object.__setattr__(self, "role", _word(Role, self.role, f"role of column {self.name!r}"))
        object.__setattr__(self, "kind", _word(Kind, self.kind, f"kind of column {self.name!r}"))
        object.__setattr__(self, "categories", _check_categories(self.name, self.kind, self.categories))
        object.__setattr__(self, "decimals", _check_decimals(self.name, self.kind, self.decimals))


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table, in order.

    Raises
    ------
    InvalidInput
        A column is named twice.
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not all(isinstance(column, Column) for column in self.columns):
            raise InvalidInput("a schema is made of columns: build them with covey.schema.Column")
        _refuse_repeats([column.name for column in self.columns], "the schema names a column twice")

    @property
    def quasi(self) -> tuple[Column, ...]:
        """The quasi-identifiers."""
        return self._having(Role.QUASI)

    @property
    def identifiers(self) -> tuple[Column, ...]:
        """The columns that no release contains."""
        return self._having(Role.IDENTIFIER)

    @property
    def confidential(self) -> tuple[Column, ...]:
        """The confidential columns."""
        return self._having(Role.CONFIDENTIAL)

    @property
    def other(self) -> tuple[Column, ...]:
        """The columns that are neither identifying nor confidential."""
        return self._having(Role.OTHER)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def _having(self, role: Role) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.role is role)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise InvalidInput(f"the schema has no column {name!r}")

    def __contains__(self, name: object) -> bool:
        return name in self.names

    @classmethod
    def of(
        cls,
        quasi: Sequence[str],
        *,
        identifiers: Sequence[str] = (),
        confidential: Sequence[str] = (),
        other: Sequence[str] = (),
        ordinal: Mapping[str, Sequence[Category]] | None = None,
        nominal: Sequence[str] | Mapping[str, Sequence[Category]] = (),
        continuous: Sequence[str] = (),
        decimals: Mapping[str, int] | None = None,
        table: Any = None,
    ) -> Schema:
        """Schema from lists of names.

        Parameters
        ----------
        quasi, identifiers, confidential, other
            Names of the columns of each role.
        ordinal
            For each ordinal column its categories, from the lowest to the highest.
        nominal
            Names of the nominal columns (or a mapping that also declares their categories).
        continuous
            Names of columns that are continuous, whatever the types in `table` say.
        decimals
            Decimals of continuous columns.
        table
            A data frame from whose types the kinds not given here are inferred. Without it such
            quasi-identifiers are continuous and other columns nominal.

        Raises
        ------
        InvalidInput
            A column has two roles or kinds, or none.
        """
        roles = _roles(
            {
                Role.QUASI: quasi,
                Role.IDENTIFIER: identifiers,
                Role.CONFIDENTIAL: confidential,
                Role.OTHER: other,
            }
        )
        ordinal, decimals = ordinal or {}, decimals or {}
        if not (isinstance(ordinal, Mapping) and isinstance(decimals, Mapping)):
            raise InvalidInput("ordinal and decimals are mappings: from each column to its categories, or decimals")
        kinds = _named_kinds(ordinal, _nominal_categories(nominal), _names(continuous, "continuous"))
        for given, what in ((kinds, "a kind"), (decimals, "decimals")):
            unknown = [name for name in given if name not in roles]
            if unknown:
                raise InvalidInput(f"{_listed(unknown)} given {what} but no role: name it under quasi or another role")
        found = {} if table is None else _found_kinds(table, roles)

        def column(name: str, role: Role) -> Column:
            plain = Kind.CONTINUOUS if role is Role.QUASI or name in decimals else Kind.NOMINAL
            kind, categories = kinds.get(name) or found.get(name) or (plain, ())
            if role is not Role.QUASI and name not in kinds:
                categories = ()  # those of its type were not declared, and no average needs their order
            return Column(name, role, kind, categories, decimals.get(name))

        return cls(tuple(column(name, role) for name, role in roles.items()))

    def to_toml(self) -> str:
        """TOML text of the schema, with a few lines that say how to edit it."""
        from covey.schema_toml import write_schema

        return write_schema(self)

    @classmethod
    def from_toml(cls, text: str) -> Schema:
        """Schema read from TOML text.

        Raises
        ------
        InvalidInput
            The text is not TOML or does not describe a schema.
        """
        from covey.schema_toml import read_schema

        return read_schema(text)


def infer(table: Any) -> Schema:
    """Draft of a schema that a person edits before anything is released.

    Ordered categorical types become ordinal; other categories, text and booleans nominal; numbers, dates and
    times continuous. A column that looks like an identifier (by its name, or because no two of its texts or
    consecutive numbers agree) or whose type covey cannot average becomes an identifier, which no release
    contains. Every other column becomes a quasi-identifier: the cautious guess, for then nothing is
    published as it is until a person says so.

    Raises
    ------
    InvalidInput
        The table is not usable: empty, column names repeated, not a data frame.
    """
    from covey.inference import infer_schema

    return infer_schema(table)


def _found_kinds(table: Any, roles: Mapping[str, Role]) -> dict[str, tuple[Kind, tuple[Category, ...]]]:
    from covey.inference import infer_kinds

    return infer_kinds(table, roles)


def _roles(named: Mapping[Role, Sequence[str]]) -> dict[str, Role]:
    roles: dict[str, Role] = {}
    for role, names in named.items():
        for name in _names(names, str(role)):
            if name in roles:
                raise InvalidInput(f"column {name!r} is given two roles: {roles[name]} and {role}")
            roles[name] = role
    return roles


def _nominal_categories(
    nominal: Sequence[str] | Mapping[str, Sequence[Category]],
) -> dict[str, Sequence[Category]]:
    if isinstance(nominal, Mapping):
        return dict(nominal)
    return dict.fromkeys(_names(nominal, "nominal"), ())


def _names(given: object, where: str) -> tuple[str, ...]:
    if not isinstance(given, Iterable):
        raise InvalidInput(f"{where} must be the name of a column or a list of names")
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise InvalidInput(f"a column name must be a string, not {type(name).__name__}: look at {where}")
    return names


def _named_kinds(
    ordinal: Mapping[str, Sequence[Category]], nominal: Mapping[str, Sequence[Category]], continuous: Sequence[str]
) -> dict[str, tuple[Kind, tuple[Category, ...]]]:
    given = {Kind.ORDINAL: ordinal, Kind.NOMINAL: nominal, Kind.CONTINUOUS: continuous}
    for one, other in combinations(given, 2):
        both = [name for name in given[one] if name in given[other]]
        if both:
            raise InvalidInput(f"{_listed(both)} given two kinds: {one} and {other}")
    kinds = {name: (Kind.ORDINAL, _check_list(name, categories)) for name, categories in ordinal.items()}
    kinds |= {name: (Kind.NOMINAL, _check_list(name, categories)) for name, categories in nominal.items()}
    return kinds | dict.fromkeys(continuous, (Kind.CONTINUOUS, ()))


def _word(words: type[Word], given: object, what: str) -> Word:
    for word in words:
        if word == given:
            return word
    raise InvalidInput(f"unknown {what}: expected one of {', '.join(words)}")


def _check_categories(name: str, kind: Kind, categories: Iterable[Category]) -> tuple[Category, ...]:
    categories = _check_list(name, categories)
    # numpy's scalars become Python's own, which TOML and JSON know.
    categories = tuple(
        item() if callable(item := getattr(category, "item", None)) else category for category in categories
    )
    if categories and kind is Kind.CONTINUOUS:
        raise InvalidInput(f"column {name!r} is continuous and so has no categories")
    odd = sum(not isinstance(category, str | int | float) for category in categories)
    odd += sum(isinstance(category, float) and not math.isfinite(category) for category in categories)
    if odd:
        raise InvalidInput(f"{odd} of the categories of column {name!r} are not strings, finite numbers or booleans")
    repeats = len(categories) - len(set(categories))
    if repeats:
        raise InvalidInput(f"the categories of column {name!r} name {repeats} of them twice")
    return categories


def _check_list(name: str, categories: object) -> tuple[Any, ...]:
    if isinstance(categories, str) or not isinstance(categories, Iterable):
        raise InvalidInput(f"the categories of column {name!r} must be a list")
    return tuple(categories)


def _check_decimals(name: str, kind: Kind, decimals: object) -> int | None:
    if decimals is None:
        return None
    number = -1 if isinstance(decimals, bool) or not isinstance(decimals, Integral) else int(decimals)
    if not 0 <= number <= MOST_DECIMALS:
        raise InvalidInput(f"decimals of column {name!r} must be a whole number from 0 to {MOST_DECIMALS}")
    if kind is not Kind.CONTINUOUS:
        raise InvalidInput(f"column {name!r} is {kind} and so has no decimals")
    return number


def _refuse_repeats(names: Sequence[str], sentence: str) -> None:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise InvalidInput(f"{sentence}: {', '.join(map(repr, repeated))}")


def _listed(names: Sequence[str]) -> str:
    plural = "columns" if len(names) > 1 else "column"
    return f"{plural} {', '.join(map(repr, names))}: "[:-2] + (" are" if len(names) > 1 else " is")
