"""The experiments run: on few records here, where their figures mean nothing."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


def load(name: str) -> ModuleType:
    """The program experiments/<name>.py, not run."""
    found = importlib.util.spec_from_file_location(f"{name}_experiment", ROOT / "experiments" / f"{name}.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture
def pcl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = load("pcl")
    for name, value in (("OUT", tmp_path), ("N", 2**9), ("COUNTS", range(2000, 3001, 500))):
        monkeypatch.setattr(module, name, value)
    return module


@pytest.fixture
def dependence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The experiments with dependence, few and small, on drawn records in place of the papers' data sets."""
    monkeypatch.syspath_prepend(str(ROOT / "experiments"))
    module = load("dependence")
    records = np.random.default_rng(1).normal(size=(60, 13)).cumsum(axis=1)
    heading = ",".join(f"c{i}" for i in range(13))
    for name in ("census", "tarragona"):
        np.savetxt(tmp_path / f"{name}.csv", records, delimiter=",", header=heading, comments="")
    few = {"OUT": tmp_path / "out", "DATA": tmp_path, "KS": (3, 5), "K": 3, "N": 200, "STEPS": 1000}
    for name, value in {**few, "GAUSSIAN_KS": (5, 10), "SEEDS": range(2), "LAMBDAS": (0.0, 0.1, 0.5, 1.0)}.items():
        monkeypatch.setattr(module, name, value)
    return module


def test_figures_of_gaussian_records(pcl: ModuleType, tmp_path: Path) -> None:
    """Every figure of drawn records leaves its table and its picture."""
    pcl.main(["fig3", "fig4", "fig5", "fig6"])
    for name in ("fig3", "fig4", "fig5", "fig6"):
        assert len((tmp_path / f"{name}.csv").read_text().splitlines()) > 2
    assert sorted(path.name for path in tmp_path.glob("fig[456].png")) == ["fig4.png", "fig5.png", "fig6.png"]


def test_experiments_with_dependence(dependence: ModuleType, tmp_path: Path) -> None:
    """Every experiment with dependence leaves a table of as many rows as it has points, and its picture."""
    dependence.main([])
    lines = {"gaussian": 16, "census": 8, "tarragona": 8, "prepartition": 16, "methods": 16, "expected": 24}
    for name, count in lines.items():
        assert len((tmp_path / "out" / f"dependence {name}.csv").read_text().splitlines()) == 1 + count
    pictures = {path.stem.removeprefix("dependence ") for path in (tmp_path / "out").glob("*.png")}
    assert pictures == {*lines, "gaussian extremes"}


@pytest.mark.parametrize(("name", "known"), [("pcl", "fig3, fig4"), ("dependence", "gaussian, census")])
def test_unknown_figures(name: str, known: str, request: pytest.FixtureRequest) -> None:
    """An experiment that there is not ends the run with the names of those that there are."""
    with pytest.raises(SystemExit, match=known):
        request.getfixturevalue(name).main(["fig99"])
