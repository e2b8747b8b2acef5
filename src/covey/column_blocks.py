"""Prepartition of the columns: each block of quasi-identifiers has cells of its own, and k holds per block only.

Reference: docs/methods/column-blocks.md.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from covey.errors import InvalidInput
from covey.groups import partition_groups
from covey.partition.individual_ranking import IndividualRanking
from covey.partition.refine import Refine
from covey.partition.strata import pass_of
from covey.words import columns, verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from covey.dependence import Extension
    from covey.encoding import Encoded
    from covey.groups import Groups
    from covey.matrix import Labels
    from covey.methods import Method
    from covey.partition.strata import Progress

Guarantee = Literal["joint", "per-block"]
GUARANTEES: tuple[Guarantee, ...] = ("joint", "per-block")
ColumnBlocks = tuple[tuple[str, ...], ...]


def check_column_blocks(given: Any, guarantee: object, averaged: Sequence[str]) -> ColumnBlocks:
    """The blocks of the quasi-identifiers that are averaged; none where they are treated jointly.

    Raises
    ------
    InvalidInput
        They are not blocks of these columns, each in one; or what they give up is not asked for by name.
    """
    if guarantee not in GUARANTEES:
        raise InvalidInput(f"unknown guarantee: expected one of {', '.join(GUARANTEES)}")
    if given is None:
        if guarantee == "per-block":
            raise InvalidInput("guarantee='per-block' is for column_blocks: give them, or leave it out")
        return ()
    blocks = _contiguous(given, averaged) if isinstance(given, numbers.Integral) else _named(given, averaged)
    if len(blocks) < 2:
        raise InvalidInput("column_blocks makes a single block of all quasi-identifiers, which is as usual: omit it")
    if guarantee != "per-block":
        raise InvalidInput(
            f"with {len(blocks)} column_blocks k holds in each block alone, and jointly records may be unique: if"
            " that is what you want, ask for it by name, guarantee='per-block'"
        )
    return blocks


def _contiguous(size: Any, averaged: Sequence[str]) -> ColumnBlocks:
    if isinstance(size, bool) or size < 1:
        raise InvalidInput("column_blocks as a number is that of the columns in a block: at least 1")
    return tuple(tuple(averaged[first : first + int(size)]) for first in range(0, len(averaged), int(size)))


def _named(given: Any, averaged: Sequence[str]) -> ColumnBlocks:
    lists: list[Any] = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [None]
    if not all(isinstance(block, Iterable) and not isinstance(block, str) for block in lists):
        raise InvalidInput("column_blocks must be a number of columns, or lists of names of columns")
    blocks = tuple(tuple(block) for block in lists)
    names = [name for block in blocks for name in block]
    if not all(isinstance(name, str) for name in names) or not all(blocks):
        raise InvalidInput("column_blocks must be a number of columns, or lists of names of columns, none empty")
    wrong = [name for name in names if name not in averaged]
    if wrong:
        raise InvalidInput(
            f"column_blocks names {columns(wrong)}, which {verb(wrong, 'is', 'are')} not averaged as quasi-identifiers"
        )
    left = [name for name in averaged if name not in names]
    if left:
        raise InvalidInput(f"column_blocks leaves out {columns(left)}: every quasi-identifier needs a block")
    if len(set(names)) < len(names):
        raise InvalidInput("column_blocks names a column twice")
    return blocks


def partition_blocks(
    estimator: Method,
    quasi: Sequence[Encoded],
    groups: Groups,
    extension: Extension | None,
    *,
    blocks: ColumnBlocks,
    progress: Progress | None = None,
) -> Labels:
    """The cells of each record, a column for each quasi-identifier: those of a block have the same.

    Each block is partitioned by itself, together with all confidential columns if they are to count.

    Raises
    ------
    InvalidInput
        The method treats each column alone in any case.
    """
    if isinstance(estimator, IndividualRanking):
        raise InvalidInput("individual-ranking treats each column alone: there are no blocks to form")
    names = [part.column.name for part in quasi]
    labels = np.empty((len(quasi[0].missing), len(quasi)), dtype=np.int64)
    interrupted = False
    for number, block in enumerate(blocks):
        places = [names.index(name) for name in block]
        own = [quasi[i] for i in places]
        share = estimator.for_part(0 if interrupted else 1, len(blocks))
        found = partition_groups(share, own, groups, pass_of(progress, number, len(blocks)), extension)
        interrupted = interrupted or getattr(share, "interrupted_", False)
        labels[:, places] = found[:, None]
    if isinstance(estimator, Refine):
        estimator.interrupted_ = interrupted
    return labels
