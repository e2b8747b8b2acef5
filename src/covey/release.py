"""The one recipe: a table with a schema goes in, a table in which nobody stands alone comes out."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from covey.averaging import averaged_column
from covey.checks import check_demands, check_method, check_options, check_schema, check_strata
from covey.column_blocks import check_column_blocks
from covey.criteria import to_demands
from covey.dependence import dependence_notes, to_dependence, to_extension
from covey.encoding import Encoded, encode, encode_like, encode_weights
from covey.enforcement import require
from covey.forming import form_cells
from covey.frames import assemble, ordered_categories, read_frame
from covey.groups import Missing, form_groups
from covey.measures import Measures, column_loss, joint_loss, predictability
from covey.methods import Method, choose_method
from covey.notes import mended_note, release_notes
from covey.recipe import describe
from covey.schema import Column, Kind, Role, Schema
from covey.verdict import jointly_held, verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from covey.column_blocks import Guarantee
    from covey.criteria import Close, Diverse, PSensitive
    from covey.dependence import Dependence
    from covey.frames import Frame
    from covey.matrix import Floats, Labels, OrdinalAverage, Rows
    from covey.measures import ColumnLoss, Predictability
    from covey.partition.strata import Progress
    from covey.report import Report


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A table that may be published, with how it was made and what it guarantees.

    Attributes
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        Of the kind that came in.
    recipe : dict
        How it was made: version, schema, parameters, digest of the input. Plain JSON values.
    statement : dict
        The guarantee, what it assumes and what it does not give. Plain JSON values.
    measures : Measures
        What was lost.
    notes : tuple of str
        What the publisher should know, such as constant columns.
    labels : ndarray
        The cell of each record *of the input*, −1 where it was withheld; a column for each quasi-identifier after
        individual ranking. It links the release to the input: covey never writes it unless asked.
    rows : ndarray
        The record *of the input* that each published record was, in the order of the release; as secret as the labels.
    """

    table: Any
    recipe: dict[str, Any]
    statement: dict[str, Any]
    measures: Measures
    notes: tuple[str, ...]
    labels: Labels = field(repr=False)
    rows: Rows = field(repr=False)

    def __repr__(self) -> str:
        m = self.measures
        return (
            f"Release({self.statement['property']}, k={self.statement['k']}, records={m.records}, cells={m.cells},"
            f" smallest_cell={m.smallest_cell}, D={m.distortion:.4f})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the table and the labels, as plain JSON values."""
        return {
            "recipe": self.recipe,
            "statement": self.statement,
            "measures": self.measures.to_dict(),
            "notes": list(self.notes),
        }

    def report(
        self,
        original: Any = None,
        *,
        public: bool = False,
        scatter: Sequence[str] | None = None,
        tradeoff: Any = None,
    ) -> Report:
        """The release as one HTML page for people: what was done, what holds, what was lost, what is at risk.

        Parameters
        ----------
        original : pandas.DataFrame, polars.DataFrame or pyarrow.Table, optional
            The input. With it the report is internal: it shows original records, and says so.
        public : bool
            Leave out whatever cannot be computed from the released table and its recipe, though the original is given.
        scatter : (str, str), optional
            The quasi-identifiers to draw against each other; by default the two continuous ones that lost most.
        tradeoff : Tradeoff, optional
            A sweep to be drawn, in an internal report.

        Returns
        -------
        Report
            `html`, and whether it is `internal`.

        Raises
        ------
        InvalidInput
            The original is not the input of this release, or an option does not fit.
        """
        from covey.report import make_report  # noqa: PLC0415 (an outer layer, for those who ask for it)

        document = json.loads(self.to_json())
        return make_report(
            self.table,
            document,
            original=original,
            rows=self.rows,
            public=public,
            scatter=scatter,
            tradeoff=tradeoff,
        )

    def labels_table(self) -> pa.Table:
        """What became of each record, in the order of the input.

        A column `cell`, or one for each quasi-identifier, −1 where the record was withheld; and `row`, the place of the
        record in the release, counted from 0.
        """
        places = np.full(len(self.labels), -1, dtype=np.int64)
        places[self.rows] = np.arange(len(self.rows))
        if self.labels.ndim == 1:
            return pa.table({"cell": self.labels, "row": places})
        names = [column.name for column in self.measures.columns]
        cells = {f"cell of {name}": self.labels[:, i] for i, name in enumerate(names)}
        return pa.table({**cells, "row": places})

    def to_json(self) -> str:
        """`to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n"


def anonymize(
    table: Any,
    schema: Schema,
    k: int | None = None,
    *,
    method: str | Method = "mdav",
    dependence: float | Dependence | None = None,
    column_blocks: int | Sequence[Sequence[str]] | None = None,
    guarantee: Guarantee = "joint",
    missing: Missing = "error",
    strata: str | Sequence[str] = (),
    weights: str | None = None,
    p_sensitive: int | PSensitive | Mapping[str, int | PSensitive] | None = None,
    l_diverse: float | Diverse | Mapping[str, float | Diverse] | None = None,
    t_close: float | Close | Mapping[str, float | Close] | None = None,
    ordinal_average: OrdinalAverage | None = None,
    preserve_variance: bool = False,
    keep_order: bool = False,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Release:
    """A table in which every record shares its quasi-identifiers with at least k − 1 others.

    Identifiers are dropped, quasi-identifiers replaced by the averages of cells of at least k similar records
    (mean, median or mode), other columns published as they are. Continuous quasi-identifiers are standardised
    before they are compared; their means are preserved.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The records.
    schema : Schema
        What each column is; every column of the table has a role.
    k : int, optional
        The least number of records that share their quasi-identifiers. May be left out when `method` is an
        estimator, which has its own.
    method : {"mdav", "md", "vmdav", "mst", "tfrp", "mu-approx", "univariate", "individual-ranking"} or estimator
        How cells are formed; an estimator of `covey.partition` for its options.
    dependence : float or Dependence, optional
        λ from 0 to 1: how much it counts that cells predict the confidential columns well, beside how little the
        quasi-identifiers are changed. By default, and for 0, not at all; if it is given, how well they do is measured.
    column_blocks : int or sequence of sequences of str, optional
        Form cells for each block of quasi-identifiers by itself: so many columns in a block, or their names. Less is
        lost, but k holds in each block alone, so it must be asked for: `guarantee="per-block"`.
    guarantee : {"joint", "per-block"}
        What the release is to hold: k-anonymity of all quasi-identifiers jointly, or of each column block alone.
    missing : {"error", "own-cells", "drop"}
        What becomes of records that lack a quasi-identifier: an error; cells within each pattern of missingness,
        where patterns of fewer than k records are withheld; or they are left out.
    strata : str or sequence of str
        Columns whose values no cell mixes. A quasi-identifier among them is published as it is, and counts.
    weights : str, optional
        A column of positive record weights for the averages.
    p_sensitive, l_diverse, t_close : number, criterion or mapping, optional
        Criteria of the confidential values of every cell, `covey.PSensitive`, `covey.Diverse` and `covey.Close`: for
        every confidential column, or by the names of some. Cells that fall short are mended.
    ordinal_average : {"median", "convex"}, optional
        The average of ordinal columns: by default the estimator's own, or the median.
    preserve_variance : bool
        Rescale continuous quasi-identifiers to their original variance, about their mean.
    keep_order : bool
        Publish records in the order of the input, which may tell who they are. By default they are shuffled.
    seed : int, optional
        For a repeatable shuffle; whoever knows it can undo the shuffle, so it is not in the recipe.
    progress : callable, optional
        Called with the records done and the records in all, some twenty times a second.

    Returns
    -------
    Release
        The table, how it was made, and what it guarantees.

    Raises
    ------
    InvalidInput
        The table, the schema or an option is not usable; nothing is released.
    GuaranteeError
        The output, recounted, does not hold what was promised; nothing is released.

    Notes
    -----
    *Guarantee*: k-anonymity of the quasi-identifiers jointly (of each alone after individual ranking), and the criteria
    asked for, recounted on the output table. Without criteria it says nothing of attribute disclosure.

    Examples
    --------
    >>> import pyarrow as pa, covey
    >>> table = pa.table({"age": [31, 34, 62, 65], "tsh": [1.2, 0.7, 3.1, 2.2]})
    >>> schema = covey.Schema.of(quasi=["age"], confidential=["tsh"])
    >>> covey.anonymize(table, schema, k=2).measures.smallest_cell
    2
    """
    estimator = choose_method(method, k, ordinal_average)
    check_options(missing, seed, progress, keep_order=keep_order, preserve_variance=preserve_variance)
    frame = read_frame(table)
    strata = check_strata(strata)
    averaged = check_schema(frame, schema, strata, weights)
    check_method(estimator, averaged, preserve_variance=preserve_variance)
    blocks = check_column_blocks(column_blocks, guarantee, [column.name for column in averaged])
    dependence = to_dependence(dependence)
    demands = to_demands(schema, p_sensitive, l_diverse, t_close)
    check_demands(estimator, demands, blocks)

    originals = encode(frame, averaged)
    masses = None if weights is None else encode_weights(frame, weights)
    confidential = [] if dependence is None else encode(frame, schema.confidential)
    groups = form_groups(frame, originals, strata, int(estimator.k), missing)
    formed = form_cells(
        estimator,
        originals,
        groups,
        blocks=blocks,
        extension=to_extension(confidential, dependence, estimator),
        requirements=require(frame, schema, demands, groups),
        progress=progress,
    )
    rows = _published_rows(formed.labels, seed, keep_order=keep_order)
    represent = partial(_represent, originals, rows, masses, estimator, preserve_variance=preserve_variance)

    names, levels = _published_names(frame, schema), _declared_levels(frame, schema, averaged)
    output, counted = assemble(frame, names, rows, represent(labels=formed.labels), levels)
    statement, sizes = verdict(counted, schema, estimator, jointly_held(schema, estimator, blocks, strata), demands)
    losses = _losses(originals, rows, counted)
    notes = [
        *groups.notes,
        *dependence_notes(confidential, dependence),
        *release_notes(originals, losses, len(rows), estimator, preserve_variance=preserve_variance),
    ]
    if formed.enforced is not None:
        without = joint_loss(_losses(originals, rows, pa.table(represent(labels=formed.plain))))
        notes.append(mended_note(formed.enforced, without.distortion, joint_loss(losses).distortion, len(sizes)))
    predicted = predictability(counted, schema) if confidential and statement["jointly"] else None
    parameters = {
        "dependence": None if dependence is None else dependence.describe(),
        "column_blocks": [list(block) for block in blocks],
        "missing": missing,
        "strata": list(strata),
        "weights": weights,
        **({"criteria": [demand.to_dict() for demand in demands]} if demands else {}),
        "preserve_variance": preserve_variance,
        "shuffled": not keep_order,
    }
    return Release(
        table=output,
        recipe=describe(frame, schema, estimator, parameters),
        statement=statement,
        measures=_measured(losses, sizes, len(rows), withheld=len(frame) - len(rows), predicted=predicted),
        notes=tuple(notes),
        labels=formed.labels,
        rows=rows,
    )


def _published_rows(labels: Labels, seed: int | None, *, keep_order: bool) -> Rows:
    """The records to publish, in the order in which they are."""
    rows = np.flatnonzero((labels if labels.ndim == 1 else labels[:, 0]) >= 0)
    if keep_order:
        return rows
    return np.random.default_rng(secrets.randbits(128) if seed is None else seed).permutation(rows)


def _represent(
    originals: Sequence[Encoded],
    rows: Rows,
    weights: Floats | None,
    estimator: Method,
    *,
    labels: Labels,
    preserve_variance: bool,
) -> dict[str, pa.Array]:
    """The published columns: every value replaced by the average of its cell.

    Averages are taken over the records in the order of the input, so that not even their last digits depend on the lot.
    """
    convex = getattr(estimator, "ordinal_average", "median") == "convex"
    ordered = np.sort(rows)
    places = np.searchsorted(ordered, rows)
    masses = None if weights is None else weights[ordered]
    published = {}
    for i, original in enumerate(originals):
        cells = (labels if labels.ndim == 1 else labels[:, i])[ordered]
        part = original.take(ordered)
        published[part.column.name] = averaged_column(
            part, cells, masses, convex=convex, preserve_variance=preserve_variance
        ).take(pa.array(places))
    return published


# What comes out


def _published_names(frame: Frame, schema: Schema) -> list[str]:
    return [name for name in frame.columns if schema[name].role is not Role.IDENTIFIER]


def _declared_levels(frame: Frame, schema: Schema, averaged: Sequence[Column]) -> dict[str, frozenset[object]]:
    """The levels of each column that may be told though no published record has them.

    They are declared by the schema, or by the ordered type of a quasi-identifier averaged as ordinal.
    """
    declared = {column.name: frozenset[object](column.categories) for column in schema.columns}
    for column in averaged:
        if column.kind is Kind.ORDINAL:
            ordered = ordered_categories(frame, column.name)
            declared[column.name] |= frozenset(() if ordered is None else ordered.to_pylist())
    return declared


def _losses(originals: Sequence[Encoded], rows: Rows, table: pa.Table) -> list[ColumnLoss]:
    """What each column lost, summed in the order of the input, so that not even last digits depend on the lot."""
    places = np.argsort(rows)
    return [column_loss(part.take(rows[places]), encode_like(table, part).take(places)) for part in originals]


def _measured(
    losses: Sequence[ColumnLoss], sizes: Labels, records: int, *, withheld: int, predicted: Predictability | None
) -> Measures:
    """What was lost, at a glance."""
    return Measures(
        records=records,
        withheld=withheld,
        cells=len(sizes),
        smallest_cell=int(sizes.min()),
        largest_cell=int(sizes.max()),
        loss=joint_loss(losses),
        columns=tuple(losses),
        predictability=predicted,
    )
