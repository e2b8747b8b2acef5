"""The command line: words in, words out, no logic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from covey import process
from covey.commands.anonymize import anonymize
from covey.commands.bound import bound
from covey.commands.figures import compare, tradeoff
from covey.commands.report import report
from covey.commands.schema import schema
from covey.commands.verify import verify
from covey.options import Commands

if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLES = """
\b
Examples:
  covey schema patients.csv -o patients.toml       draft a schema, then edit it
  covey anonymize patients.csv --schema patients.toml -k 5 -o release.parquet
  covey anonymize patients.csv --quasi age,sex --identifier name --confidential tsh -k 5 -o release.csv
  covey compare patients.csv --schema patients.toml -k 3,5,10 --plot curves.png
  covey bound patients.csv --schema patients.toml -k 5
  covey report release.csv --recipe release.json -o report.html
  covey tradeoff patients.csv --schema patients.toml -k 5,10 --plot tradeoff.png
  covey verify release.csv --quasi age,sex -k 5
"""


@click.group(
    cls=Commands, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(package_name="covey")
def cli() -> None:
    """Publish microdata in which nobody stands alone.

    Every record of a release shares its quasi-identifiers with at least k − 1 others.
    """


for command in (schema, anonymize, compare, tradeoff, bound, verify, report):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process."""
    process.run_and_exit(cli, arguments)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line within a process that goes on; returns the exit code."""
    return process.run(cli, arguments)
