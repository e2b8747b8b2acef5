"""The methods by name, for those who do not build estimators themselves."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

from covey.errors import InvalidInput
from covey.partition import MD, MDAV, VMDAV, IndividualRanking, Refine, Univariate
from covey.partition.base import Partition, check_k

if TYPE_CHECKING:
    from covey.matrix import OrdinalAverage

Method = Partition | IndividualRanking

METHODS: dict[str, type[Partition] | type[IndividualRanking]] = {
    "mdav": MDAV,
    "md": MD,
    "vmdav": VMDAV,
    "univariate": Univariate,
    "individual-ranking": IndividualRanking,
}


def make_method(name: str, k: int, **options: Any) -> Method:
    """An estimator from its name; options that are None are left at their defaults.

    Raises
    ------
    InvalidInput
        There is no such method, or it has no such option.
    """
    if not isinstance(name, str) or name not in METHODS:
        raise InvalidInput(f"unknown method: expected one of {', '.join(METHODS)}, or an estimator of covey.partition")
    kind = METHODS[name]
    given = {option: value for option, value in options.items() if value is not None}
    known = kind(k).get_params()
    unknown = [option for option in given if option not in known]
    if unknown:
        raise InvalidInput(f"method {name} has no option {', '.join(unknown)}")
    return kind(k, **given)


def refined(base: Method, *, seconds: float | None = None, steps: int | None = None, seed: int | None = None) -> Refine:
    """The method, and its cells refined for so many seconds or steps.

    Raises
    ------
    InvalidInput
        The method forms no joint cells.
    """
    if isinstance(base, IndividualRanking):
        raise InvalidInput("individual-ranking forms no joint cells: there is nothing to refine")
    average: OrdinalAverage = getattr(base, "ordinal_average", "median")
    return Refine(base, int(base.k), seconds=seconds, steps=steps, seed=seed or 0, ordinal_average=average)


def choose_method(method: str | Method, k: int | None, ordinal_average: str | None) -> Method:
    """A fresh estimator for a release.

    Raises
    ------
    InvalidInput
        The method is not known, k is missing or given twice, or k = 1, which protects nobody.
    """
    if isinstance(method, Partition | IndividualRanking):
        chosen = _copy(method, k, ordinal_average)
    else:
        if k is None:
            raise InvalidInput("k is missing: the least number of records that share their quasi-identifiers")
        check_k(k)
        chosen = make_method(method, k, ordinal_average=ordinal_average)
    check_k(chosen.k)
    if chosen.k < 2:
        raise InvalidInput(f"k={chosen.k} protects nobody: k must be at least 2")
    return chosen


def _copy(method: Method, k: Any, ordinal_average: str | None) -> Method:
    if isinstance(method, Refine):
        method = _with_k(method)
    if k is not None and (not isinstance(k, numbers.Integral) or k != method.k):
        raise InvalidInput(f"k is given twice and differs: the estimator has k={method.k}")
    if ordinal_average is not None:
        raise InvalidInput("ordinal_average is an option of the estimator: give it there")
    return type(method)(**method.get_params(deep=False))


def _with_k(method: Refine) -> Refine:
    """The same, and k is said where it was left to the base."""
    if not isinstance(method.base, Partition):
        raise InvalidInput("the base of Refine must be an estimator here: labels say nothing of a table's groups")
    return Refine(**(method.get_params(deep=False) | {"k": method.base.k if method.k is None else method.k}))
