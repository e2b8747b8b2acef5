"""The command that counts on a table of any origin."""

from __future__ import annotations

from typing import Any

import click

from covey import process
from covey.commands.asked import to_k
from covey.commands.outputs import to_paths, write
from covey.errors import GuaranteeError
from covey.options import Once, least, listing, reading


@click.command(cls=Once, short_help="Whether a table is k-anonymous, and which columns are to blame if not.")
@reading
@least
@click.option("--schema", "schema_file", metavar="FILE", help="The schema that names them, in TOML; or --quasi.")
@listing("--quasi", help="Columns by which a person may be recognised.")
@click.option("--most", type=int, metavar="N", help="Look for culprits among combinations of at most N columns.")
@click.option("-o", "--output", metavar="FILE", help="Write what was found as JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON, for scripts, and no summary.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option("-q", "--quiet", is_flag=True, help="No summary: the exit code tells.")
def verify(data: str, output: str | None, *, as_json: bool, force: bool, quiet: bool, **asked: Any) -> None:
    """Count whether K records share each combination of quasi-identifiers of DATA, a table of any origin.

    Ends with exit code 0 if they do and with 3 if they do not; then the combinations of columns that are to blame are
    shown, and what leaving out a column would do. Columns without a role are no matter.
    """
    from covey import Schema, io
    from covey.verification import verify as verify_table

    if bool(asked["schema_file"]) == bool(asked["quasi"]):
        raise click.UsageError("say what the quasi-identifiers are: either --schema FILE or --quasi COLUMNS")
    outputs = to_paths(output, as_json=as_json)
    io.check_outputs(outputs, inputs=to_paths(data, asked["schema_file"]), force=force)
    text = io.read_text(asked["schema_file"]) if asked["schema_file"] else None
    table = io.read_table(data, format=asked["input_format"], null=("", *asked["null"]))
    schema = asked["quasi"] if text is None else Schema.from_toml(text)
    found = verify_table(table, schema, to_k(asked["k"]), most=asked["most"])
    figures = [io.Output(path, found.to_json()) for path in outputs]
    if not (quiet or "-" in outputs):
        from covey.terminal import verification_text

        figures.append(io.Output("-", verification_text(found)))
    write(figures, force=force)
    if not found.holds:
        click.get_current_context().exit(process.EXIT_CODES[GuaranteeError])
