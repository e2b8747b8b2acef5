"""What is shipped: the built wheel, when `COVEY_WHEEL` names it, as .ci/run does."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WHEEL = os.environ.get("COVEY_WHEEL")
pytestmark = pytest.mark.skipif(not WHEEL, reason="COVEY_WHEEL names no wheel: make wheel builds one")


@pytest.fixture
def names() -> list[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(WHEEL) as wheel:
        return wheel.namelist()


def test_every_module_is_shipped(names):
    """Every Python file of src/covey is in the wheel, with py.typed, the kernels and their stub."""
    source = ROOT / "src"
    modules = {str(path.relative_to(source)) for path in (source / "covey").rglob("*.py")}
    assert modules <= set(names)
    assert {"covey/py.typed", "covey/_core.pyi"} <= set(names)
    assert sum(name.startswith("covey/_core.") and name.endswith(".so") for name in names) == 1


def test_nothing_else_is_shipped(names):
    """Neither tests nor data nor sources of the kernels are in the wheel."""
    package = [name for name in names if not name.startswith("covey-")]
    assert all(name.startswith("covey/") for name in package)
    assert {Path(name).suffix for name in package} == {".py", ".pyi", ".so", ".typed"}


def test_the_licence_is_shipped(names):
    """The wheel carries its licence."""
    assert any(name.endswith("licenses/LICENSE") for name in names)
