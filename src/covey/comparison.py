"""Several methods over several k: what each loses, and how long it takes."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from covey.checks import check_method, check_options, check_strata
from covey.errors import InvalidInput
from covey.groups import Missing, form_groups, partition_groups
from covey.matrix import as_floats
from covey.methods import Method, choose_method
from covey.partition.base import Estimator, unless_interrupted
from covey.partition.strata import pass_of
from covey.schema import Schema
from covey.trials import Maker, Records, cell_sizes, checked_ks, published_distortion, read_records, to_maker, tried

if TYPE_CHECKING:
    from covey.matrix import Floats
    from covey.partition.strata import Progress

    Methods = Sequence[str | Method] | Mapping[str, str | Method | Maker]

METHODS = ("mdav", "vmdav", "mst", "mu-approx")
KS = (3, 5, 10)


@dataclass(frozen=True, slots=True)
class Trial:
    """One method with one k.

    Attributes
    ----------
    method : str
        Its name.
    k : int
        The least number of records in a cell.
    distortion : float
        D of the quasi-identifiers, as a release would have it.
    seconds : float
        The time that forming the cells took.
    cells, smallest_cell, largest_cell : int
        How many cells there are, and the records of the smallest and the largest.
    """

    method: str
    k: int
    distortion: float
    seconds: float
    cells: int
    smallest_cell: int
    largest_cell: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Trials of several methods over several k.

    Attributes
    ----------
    trials : tuple of Trial
        For each k in turn, every method.
    frame : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The same as a table, of the kind that came in; of an array a pyarrow.Table.
    """

    trials: tuple[Trial, ...]
    frame: Any

    def __repr__(self) -> str:
        methods, ks = ({getattr(trial, name) for trial in self.trials} for name in ("method", "k"))
        return f"Comparison({len(methods)} methods, {len(ks)} values of k)"

    def to_table(self) -> pa.Table:
        """The trials as a pyarrow table."""
        return pa.table(_columns(self.trials))

    def to_json(self) -> str:
        """The trials as JSON text."""
        return json.dumps([asdict(trial) for trial in self.trials], indent=2) + "\n"

    def picture(self, format: str = "png") -> bytes:  # noqa: A002 (the word users know)
        """Curves of the information loss against k, drawn: the bytes of a PNG or SVG file.

        Raises
        ------
        InvalidInput
            There is no such format, or matplotlib is not installed.
        """
        from covey.curves import draw  # noqa: PLC0415 (an extra)

        return draw(self.trials, format)


def compare(
    table: Any,
    schema: Schema | None = None,
    *,
    methods: Methods = METHODS,
    ks: Sequence[int] = KS,
    missing: Missing = "error",
    strata: str | Sequence[str] = (),
    progress: Progress | None = None,
) -> Comparison:
    """What several methods lose over several k on the same records, and how long they take.

    Nothing is released: cells are formed and averaged as `anonymize` would, and measured.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame, pyarrow.Table or array-like of shape (n, d)
        The records. All columns of an array are continuous quasi-identifiers.
    schema : Schema, optional
        What each column of a table is; of an array there is none.
    methods : sequence or mapping
        Names of methods and estimators; or names of your own, each with such or with a function of k that makes an
        estimator. An estimator's own k gives way to each of `ks`.
    ks : sequence of int
        Values of k.
    missing, strata
        As in `anonymize`.
    progress : callable, optional
        Called with the records done and the records in all, counted once for each method and k.

    Returns
    -------
    Comparison
        D, time, number of cells, smallest and largest cell of each method with each k.

    Raises
    ------
    InvalidInput
        The table, the schema or an option is not usable, or a method fails with one k: the sentence names both.

    Examples
    --------
    >>> import numpy as np, covey
    >>> X = np.random.default_rng(1).normal(size=(500, 3))
    >>> comparison = covey.compare(X, methods=["mdav", "tfrp"], ks=[3, 5])
    >>> [(trial.method, trial.k, trial.smallest_cell) for trial in comparison.trials]
    [('mdav', 3, 3), ('tfrp', 3, 3), ('mdav', 5, 5), ('tfrp', 5, 5)]
    """
    check_options(missing, None, progress)
    makers = _makers(methods)
    records = _read(table, schema, check_strata(strata), missing)
    runs = [(name, k) for k in checked_ks(ks) for name in makers]
    trials = [
        tried(f"{name} with k={k}", partial(_trial, name, makers[name], k, records, pass_of(progress, i, len(runs))))
        for i, (name, k) in enumerate(runs)
    ]
    frame = nw.from_dict(_columns(trials), backend=records.frame.implementation)
    return Comparison(tuple(trials), frame.to_native())


def _columns(trials: Sequence[Trial]) -> dict[str, list[Any]]:
    return {field.name: [getattr(trial, field.name) for trial in trials] for field in fields(Trial)}


# The records


def _read(table: Any, schema: Schema | None, strata: tuple[str, ...], missing: Missing) -> Records:
    if isinstance(table, np.ndarray | list | tuple):
        if schema is not None:
            raise InvalidInput("an array has no columns that a schema could name: leave it out, or give a table")
        table, schema = _named_columns(as_floats(table))
    if schema is None:
        raise InvalidInput("the schema is missing: what each column of the table is; covey.infer drafts one")
    return read_records(table, schema, strata, missing)


def _named_columns(X: Floats) -> tuple[pa.Table, Schema]:
    names = [f"column {j}" for j in range(X.shape[1])]
    return pa.table([np.ascontiguousarray(column) for column in X.T], names=names), Schema.of(names)


# The methods


def _makers(methods: Methods) -> dict[str, Maker]:
    """For each name a function of k that makes an estimator."""
    if isinstance(methods, str | Estimator):
        methods = [methods]
    if isinstance(methods, Mapping):
        return {name: to_maker(method) for name, method in methods.items()} or _refuse("methods is empty")
    makers = {method if isinstance(method, str) else type(method).__name__: to_maker(method) for method in methods}
    if len(makers) < len(methods):
        raise InvalidInput("two methods have the same name: give a mapping with a name of your own for each")
    return makers or _refuse("methods is empty")


def _refuse(sentence: str) -> Any:
    raise InvalidInput(f"{sentence}: expected one at least")


# A trial


def _trial(name: str, maker: Maker, k: int, records: Records, progress: Progress | None) -> Trial:
    estimator = choose_method(maker(k), k, None)
    check_method(estimator, records.averaged, preserve_variance=False)
    groups = form_groups(records.frame, records.originals, records.strata, k, records.missing)
    begin = time.perf_counter()
    labels = partition_groups(estimator, records.originals, groups, progress)
    unless_interrupted(estimator)
    seconds = time.perf_counter() - begin
    sizes = cell_sizes(labels)
    convex = getattr(estimator, "ordinal_average", "median") == "convex"
    distortion = published_distortion(records, labels, convex=convex)
    return Trial(name, k, distortion, seconds, len(sizes), int(sizes.min()), int(sizes.max()))
