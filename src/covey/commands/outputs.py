"""How commands write what they have, and show how far they are."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from covey.stopping import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from covey.io import Output


def to_paths(*paths: str | None, as_json: bool = False) -> list[str]:
    """The files that are asked for, and standard output if JSON is to go there, which then is for nothing else."""
    given = [path for path in paths if path is not None]
    if as_json and "-" in given:
        raise click.UsageError("--json prints on standard output, so the table needs a file: -o FILE")
    return [*given, "-"] if as_json else given


def write(outputs: Sequence[Output], *, force: bool) -> None:
    """Write all the outputs or none, and remember what there is, for the words with which the command ends."""
    from covey import io

    stop = click.get_current_context().find_object(Stop) or Stop()
    stop.streamed = any(output.path == "-" for output in outputs)
    stop.check()
    files = [str(output.path) for output in outputs if output.path != "-"]
    io.write_outputs(outputs, force=force, renaming=stop.holding(files))


@contextmanager
def progress_bar(task: str, *, quiet: bool) -> Iterator[Any]:
    """A bar on a terminal, and nothing elsewhere."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from covey.terminal import progress_bar as bar

    with bar(task) as progress:
        yield progress
