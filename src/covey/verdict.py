"""Whether a released table holds what was promised: counted on the table itself, or nothing is released."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from covey.enforcement import recount, require
from covey.errors import GuaranteeError
from covey.frames import read_frame
from covey.measures import combination_labels, combination_sizes, homogeneity
from covey.partition.individual_ranking import IndividualRanking
from covey.statement import blockwise_statement, columnwise_statement, joint_statement, with_criteria

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from covey.column_blocks import ColumnBlocks
    from covey.criteria import Demand
    from covey.matrix import Labels
    from covey.methods import Method
    from covey.schema import Schema


def jointly_held(
    schema: Schema, estimator: Method, blocks: ColumnBlocks, strata: Sequence[str]
) -> list[tuple[str, ...]]:
    """The sets of quasi-identifiers of which k is to hold jointly: one of all, but where columns have own cells."""
    quasi = tuple(column.name for column in schema.quasi)
    if isinstance(estimator, IndividualRanking):
        return [(name,) for name in quasi]
    kept = tuple(name for name in quasi if name in strata)
    return [(*block, *kept) for block in blocks] or [quasi]


def verdict(
    output: pa.Table,
    schema: Schema,
    estimator: Method,
    held: Sequence[tuple[str, ...]],
    demands: Sequence[Demand] = (),
) -> tuple[dict[str, Any], Labels]:
    """The statement that the output table bears out, and the sizes of its cells.

    Raises
    ------
    GuaranteeError
        The output does not hold what was promised.
    """
    quasi, k = [column.name for column in schema.quasi], int(estimator.k)
    labels = combination_labels(output, quasi)
    jointly = len(held) == 1 and not isinstance(estimator, IndividualRanking)
    sizes = np.concatenate(
        [np.bincount(labels) if jointly else combination_sizes(output, names) for names in held]
    ).astype(np.int64)
    smallest = int(sizes.min())
    if smallest < k:
        raise GuaranteeError(
            f"{int(np.count_nonzero(sizes < k))} groups of the output have fewer than k={k} records (the smallest has"
            f" {smallest}): nothing is released. This is a fault of covey: please report it"
        )
    if jointly:
        statement = joint_statement(k, quasi, smallest)
    elif isinstance(estimator, IndividualRanking):
        statement = columnwise_statement(k, quasi, smallest, int(np.bincount(labels).min()))
    else:
        statement = blockwise_statement(k, held, smallest, int(np.bincount(labels).min()))
    measured = [found.to_dict() for found in homogeneity(output, labels, schema)]
    also = recount(labels, require(read_frame(output), schema, demands))
    return {**with_criteria(statement, also), "measured_diversity": measured}, sizes
