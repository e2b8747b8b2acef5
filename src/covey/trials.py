"""What several trials on the same records share: the records, the values of k, and what a trial loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from covey.averaging import averaged_column
from covey.checks import check_schema
from covey.encoding import encode, encode_like
from covey.errors import CoveyError, InvalidInput
from covey.frames import assemble, read_frame
from covey.measures import column_loss, joint_loss
from covey.methods import Method, make_method
from covey.partition.base import Estimator, check_k

if TYPE_CHECKING:
    from covey.encoding import Encoded
    from covey.frames import Frame
    from covey.groups import Missing
    from covey.matrix import Labels
    from covey.schema import Column, Schema

Maker = Callable[[int], Method]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """What is the same for all trials."""

    frame: Frame
    averaged: list[Column]
    originals: list[Encoded]
    strata: tuple[str, ...]
    missing: Missing


def read_records(table: Any, schema: Schema, strata: tuple[str, ...], missing: Missing) -> Records:
    """The records, encoded."""
    frame = read_frame(table)
    averaged = check_schema(frame, schema, strata, None)
    return Records(frame, averaged, encode(frame, averaged), strata, missing)


def to_maker(method: Any) -> Maker:
    """A function of k that makes an estimator: of a name, of an estimator, or it is one already."""
    if isinstance(method, str):
        make_method(method, 2)  # unknown names are refused before any work is done
        return lambda k: make_method(method, k)
    if isinstance(method, Estimator):
        return cast("Maker", method.with_k)
    if callable(method):
        return cast("Maker", method)
    raise InvalidInput("each method is a name, an estimator of covey.partition, or a function of k that makes one")


def checked_ks(ks: Any) -> list[int]:
    """Values of k, each once."""
    values = list(ks) if isinstance(ks, Iterable) else [ks]
    for k in values:
        check_k(k)
    if not values:
        raise InvalidInput("ks is empty: expected one at least")
    return list(dict.fromkeys(map(int, values)))


def cell_sizes(labels: Labels) -> Labels:
    """The records of each cell; of several columns of labels, one after another. Withheld records count nowhere."""
    by_column = labels.reshape(len(labels), -1)
    return np.concatenate([np.unique(column[column >= 0], return_counts=True)[1] for column in by_column.T])


def published_distortion(records: Records, labels: Labels, *, convex: bool) -> float:
    """D of what a release would publish; one column of labels is for all."""
    labels = labels.reshape(len(labels), -1)
    rows = np.flatnonzero(labels[:, 0] >= 0)
    parts = [original.take(rows) for original in records.originals]
    cells = np.broadcast_to(labels[rows], (len(rows), len(parts))).T
    published = {
        part.column.name: averaged_column(part, own, convex=convex) for part, own in zip(parts, cells, strict=True)
    }
    _, table = assemble(records.frame, list(published), rows, published)
    return joint_loss(column_loss(part, encode_like(table, part)) for part in parts).distortion


def tried(what: str, trial: Callable[[], Any]) -> Any:
    """What the trial gives, or one sentence that says which one it was."""
    failure = ""
    try:
        return trial()
    except CoveyError as error:
        failure = str(error)
    raise InvalidInput(f"{what}: {failure}")
