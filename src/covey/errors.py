"""The exceptions that covey raises on purpose.

A message says what was expected, what was found and what to do: column names, counts and types, never
the value of a cell.
"""


class CoveyError(Exception):
    """Base of everything that covey raises on purpose."""


class InvalidInput(CoveyError, ValueError):  # noqa: N818 (reads as what it says)
    """The table, the schema or an option is not usable as given."""


class GuaranteeError(CoveyError, RuntimeError):
    """The promised property does not hold on the output, so nothing is released."""


class FileError(CoveyError, OSError):
    """A file cannot be read or written as asked."""
