"""Which pictures can be drawn here."""

from __future__ import annotations

from covey.errors import InvalidInput

FORMATS = ("png", "svg")


def require(format: str) -> None:  # noqa: A002 (the word users know)
    """Refuse, before any work is done, a picture that could not be drawn.

    Raises
    ------
    InvalidInput
        There is no such format, or matplotlib is not installed.
    """
    if format not in FORMATS:
        raise InvalidInput(f"pictures are {' or '.join(FORMATS)}: name the file so, such as curves.png")
    missing = False
    try:
        import matplotlib as mpl  # noqa: F401, PLC0415 (an extra)
    except ImportError:
        missing = True
    if missing:
        raise InvalidInput("pictures need matplotlib, which is not installed: pip install 'covey[report]'")
