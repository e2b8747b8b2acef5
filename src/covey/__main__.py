"""The command `covey`, and `python -m covey`."""

import os
import signal
import sys
from types import FrameType


def main() -> None:
    """Run the command line, which can be stopped even before it is there."""
    for signum in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, _end)
    from covey.cli import main as run  # noqa: PLC0415 (a tenth of a second, in which one may be stopped)

    run(sys.argv[1:])


def _end(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 (signal's signature)
    """End at once: nothing has been begun, and an exception could be lost in what is being imported."""
    os.write(2, b"covey: stopped; nothing was written\n")
    os._exit(130)


if __name__ == "__main__":
    main()
