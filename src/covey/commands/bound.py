"""The command that tells how little any release could lose."""

from __future__ import annotations

from typing import Any

import click

from covey.commands.asked import note_doubts, to_k, to_schema
from covey.commands.outputs import progress_bar, write
from covey.options import Once, describing, least, reading


@click.command(cls=Once, short_help="How little any release could lose.")
@reading
@least
@describing
def bound(data: str, **asked: Any) -> None:
    """Print a distortion that no k-anonymous release of DATA goes below, and how far above it that of mdav can be.

    For continuous quasi-identifiers without missing values.
    """
    from covey import io
    from covey.bounds.tables import bound_table

    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    columns = to_schema(asked, table)
    with progress_bar("bounding", quiet=False) as progress:
        found = bound_table(table, columns, to_k(asked["k"]), progress=progress)
    note_doubts(asked, table, quiet=False)
    sentence = (
        f"{found.records:,} records: no release has a distortion below D = {found.distortion:.4f}; that of mdav is"
        f" {found.mdav:.4f}, at most {100 * found.gap:.0f} % above the least\n"
    )
    write([io.Output("-", sentence)], force=False)
