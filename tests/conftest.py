"""Hypothesis profiles, and where the papers' data sets are."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parents[1]

# Whatever runs the tests in the background may have told them to ignore Ctrl-C, which their children would inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
# The sanitizers make the kernels, and what calls them, several times slower.
settings.register_profile("sanitized", settings.get_profile("ci"), max_examples=25)
if os.environ.get("COVEY_SANITIZED"):
    settings.load_profile("sanitized")
else:
    settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(scope="session")
def covey_data() -> Path:
    """The folder of the papers' data sets, which are not the project's to ship."""
    folder = Path(os.environ.get("COVEY_DATA", ROOT.parent / "shared" / "data"))
    missing = [name for name in ("census", "tarragona", "eia", "adult") if not (folder / f"{name}.csv").is_file()]
    if missing:
        pytest.skip(f"COVEY_DATA has no {', '.join(missing)}: the papers' data sets are not shipped")
    return folder
