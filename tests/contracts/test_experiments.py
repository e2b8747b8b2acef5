"""The experiments run: on few records here, where their figures mean nothing."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    found = importlib.util.spec_from_file_location("pcl_experiment", ROOT / "experiments" / "pcl.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    for name, value in (("OUT", tmp_path), ("N", 2**9), ("COUNTS", range(2000, 3001, 500))):
        monkeypatch.setattr(module, name, value)
    return module


def test_figures_of_gaussian_records(experiment: ModuleType, tmp_path: Path) -> None:
    """Every figure of drawn records leaves its table and its picture."""
    experiment.main(["fig3", "fig4", "fig5", "fig6"])
    for name in ("fig3", "fig4", "fig5", "fig6"):
        assert len((tmp_path / f"{name}.csv").read_text().splitlines()) > 2
    assert sorted(path.name for path in tmp_path.glob("fig[456].png")) == ["fig4.png", "fig5.png", "fig6.png"]


def test_unknown_figures(experiment: ModuleType) -> None:
    """A figure that there is not ends the run with the names of those that there are."""
    with pytest.raises(SystemExit, match="fig3, fig4"):
        experiment.main(["fig99"])
