"""A run of the command line as a process: signals, standard streams, last words and exit codes."""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

import click

from covey.errors import CoveyError, FileError, GuaranteeError
from covey.stopping import Stop, discreet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXIT_FAULT, EXIT_INPUT, EXIT_STOPPED = 1, 2, 130
EXIT_CODES: dict[type[CoveyError], int] = {GuaranteeError: 3, FileError: 4}
# What Python's sentences call by the names of arguments has other names on the command line.
FLAGS = {
    "missing=own-cells": "--missing own-cells",
    "missing=drop": "--missing drop",
    "preserve_variance": "--preserve-variance",
    "keep_order": "--keep-order",
    "p_sensitive is about": "--p-sensitive is about",
    "l_diverse is about": "--l-diverse is about",
    "t_close is about": "--t-close is about",
    "column_blocks forms": "--column-blocks forms",
    "individual-ranking forms": "--method individual-ranking forms",
    "declare what they are": "name them under --quasi, --identifier, --confidential or --other, or in the schema",
}
FLAG = re.compile(rf"(?<!['\w])({'|'.join(map(re.escape, FLAGS))})(?!['\w])")


def tell(words: Callable[[], None]) -> None:
    """Say words on standard error; that nobody can read them is no failure of the work."""
    if sys.stderr is not None:
        with suppress(OSError):
            words()


def say(sentence: str) -> None:
    """A line for people, out of the way of data on standard output."""
    tell(lambda: click.echo(sentence, err=True))


def run_and_exit(cli: click.Group, arguments: Sequence[str] | None = None) -> None:
    """Run the command line and end the process.

    0 done; 2 unusable input or options; 3 the guarantee does not hold; 4 a file cannot be read or written; 130
    stopped; 1 a fault of covey.
    """
    stop = Stop()
    stop.listen()
    occupy_standard_streams()
    sys.meta_path.insert(0, WithoutPandas())
    with discreet():
        end(work(cli, arguments, stop))


def end(code: int) -> NoReturn:
    """End at once with the exit code that was told.

    Arrow's threads may only just be starting when a wrong input ends the work, and what Python and C++ tidy up at their
    end then aborts now and then. All files are closed; what waits for the standard streams goes out first.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.flush()
    os._exit(code)


def run(cli: click.Group, arguments: Sequence[str] | None = None) -> int:
    """Run the command line within a process that goes on; returns the exit code."""
    stop = Stop()
    try:
        stop.listen()
        with discreet():
            return work(cli, arguments, stop)
    finally:
        stop.leave()


def work(cli: click.Group, arguments: Sequence[str] | None, stop: Stop) -> int:
    """Run the command line; returns the exit code, and cannot be stopped any more when that is known."""
    try:
        return command(cli, list(sys.argv[1:] if arguments is None else arguments), stop)
    except KeyboardInterrupt as error:
        stop.be_deaf()
        return explain(error, stop)


def command(cli: click.Group, arguments: list[str], stop: Stop) -> int:
    """Run the command line unless it is stopped; returns the exit code."""
    try:
        with cli.make_context("covey", arguments, obj=stop) as context:
            cli.invoke(context)
        code = 0
    except click.exceptions.Exit as error:
        code = error.exit_code
    except Exception as error:  # a traceback could quote the data
        stop.be_deaf()
        code = explain(error, stop)
    stop.be_deaf()
    return code


class WithoutPandas:
    """An importer to which pandas is not installed.

    Arrow would load it at its first array, which takes half a second, only to ask whether the data are of pandas.
    """

    def find_spec(self, name: str, *_: object) -> None:
        """Refuse pandas, and leave everything else to the other importers."""
        if name == "pandas":
            raise ModuleNotFoundError("the command line does without pandas", name=name)


def occupy_standard_streams() -> None:
    """Open what is closed of the three, lest a file of ours get its number and others' words."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)


def explain(error: BaseException, stop: Stop) -> int:
    """One sentence on what went wrong, and the exit code."""
    if stop.asked or isinstance(error, click.Abort | KeyboardInterrupt):  # a library may have made its own of it
        below = "\n" if sys.stderr is not None and sys.stderr.isatty() else ""  # the ^C of the terminal
        say(f"{below}covey: stopped; {stop.outcome()}")
        return EXIT_STOPPED
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        say(error.format_message())
        return error.exit_code
    if isinstance(error, click.ClickException):
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "covey"
        say(f"covey: {error.format_message()[:1].lower()}{error.format_message()[1:]} (see {command} --help)")
        return error.exit_code
    if isinstance(error, CoveyError):
        say(f"covey: {FLAG.sub(lambda found: FLAGS[found[0]], str(error))}")
        return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), EXIT_INPUT)
    if isinstance(error, OSError) and error.errno in (errno.EPIPE, errno.ENOSPC, errno.EIO):  # in printing help
        let_go_of_standard_output()
        say(f"covey: cannot write standard output: {error.strerror}")
        return EXIT_CODES[FileError]
    if isinstance(error, MemoryError):
        say(f"covey: there is not enough memory for this table; {stop.outcome()}")
    else:
        say(f"covey: a fault of covey ({type(error).__name__} {place(error)}); {stop.outcome()}: please report it")
    return EXIT_FAULT


def let_go_of_standard_output() -> None:
    """Forget what could not be printed, lest Python try again at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def place(error: BaseException) -> str:
    """Where an error arose: module and line, and nothing of what it says."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "somewhere"
    return f"at {trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"
