"""The command that drafts a schema."""

from __future__ import annotations

import click

from covey.commands.outputs import write
from covey.options import Once, reading
from covey.process import say


@click.command(cls=Once, short_help="Draft a schema that a person edits.")
@reading
@click.option("-o", "--output", default="-", metavar="FILE", help="Where the TOML goes; by default to the terminal.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
def schema(data: str, output: str, *, null: tuple[str, ...], input_format: str | None, force: bool) -> None:
    """Draft a schema of DATA (.csv, .tsv, .parquet, .arrow, .feather, or - for a pipe) from its types and names.

    Look at every role before you release anything: the draft takes columns that look like identifiers for such, and
    all others for quasi-identifiers, the cautious guess.
    """
    from covey import infer, io
    from covey.inference import doubts

    io.check_outputs([output], inputs=[data], force=force)
    table = io.read_table(data, format=input_format, null=("", *null))
    draft = infer(table)
    write([io.Output(output, draft.to_toml())], force=force)
    for doubt in doubts(table, [column.name for column in draft.quasi]):
        say(f"Note: {doubt}.")
    say(f"{len(draft.columns)} columns drafted: look at every role, and order the categories of ordinal columns")
