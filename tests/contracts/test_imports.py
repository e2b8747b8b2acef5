"""Dependencies point one way, and importing covey costs little."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import covey

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "covey"
MODULES = {
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SOURCE.rglob("*.py")
}
# Outermost first: a module imports from its own layer or from a later one.
LAYERS = (
    ("covey.__main__",),
    ("covey.cli",),
    ("covey.commands",),
    ("covey.options", "covey.process", "covey.terminal", "covey.report"),
    ("covey.io", "covey.delimited"),
    (
        *("covey.allocation", "covey.comparison", "covey.curves", "covey.release"),
        *("covey.sweep", "covey.sweep_curves", "covey.verification"),
    ),
    ("covey.trials", "covey.forming", "covey.verdict", "covey.notes"),
    ("covey.bounds", "covey.column_blocks"),
    ("covey.checks", "covey.recipe", "covey.averaging", "covey.statement", "covey.enforcement"),
    ("covey.groups", "covey.criteria"),
    ("covey.dependence", "covey.expectation"),
    ("covey.measures",),
    ("covey.encoding", "covey.inference", "covey.methods"),
    ("covey.frames", "covey.partition"),
    ("covey.aggregate", "covey.arrays", "covey.polytopes"),
    ("covey.matrix",),
    ("covey.schema", "covey.schema_toml"),
    ("covey.pictures",),
    ("covey.errors", "covey.words", "covey.stopping", "covey._core"),
)
DRAWING = ("covey.curves", "covey.sweep_curves", "covey.pictures", "covey.polytopes")
WITH_SCIPY = ("covey.partition.newton", "covey.expectation")
# schema.py offers drafting, which reads tables, and a release its report; they import that when they are asked to.
ALLOWED = {("covey.schema", "covey.inference"), ("covey.release", "covey.report")}


def imports(module: str, *, typing: bool = True) -> set[str]:
    """The modules that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES or name == "covey._core" else node.module for name in full}
    return found


def layer(module: str) -> int:
    """The place of a module's layer."""
    for i, names in enumerate(LAYERS):
        if any(module == name or module.startswith(f"{name}.") for name in names):
            return i
    raise AssertionError(f"{module} is in no layer")


@pytest.mark.parametrize("module", sorted(set(MODULES) - {"covey"}))
def test_dependencies_point_one_way(module):
    """No module imports from a layer further out than its own."""
    inner = {name for name in imports(module) if name.startswith("covey.")}
    wrong = {name for name in inner if layer(name) < layer(module) and (module, name) not in ALLOWED}
    assert wrong == set()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_no_module_imports_what_is_heavy_or_not_installed(module):
    """All of that is imported inside functions only, and but for SciPy each by one module."""
    tree = ast.parse(MODULES[module].read_text())
    heads = {name.partition(".")[0] for name in imports(module)}
    at_top = {
        name.partition(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names])
    }
    assert not at_top & {"pandas", "polars", "sklearn", "scipy", "matplotlib"}
    assert module in DRAWING or "matplotlib" not in heads
    assert module.startswith("covey.bounds.") or module in WITH_SCIPY or "scipy" not in heads
    assert module == "covey.frames" or not heads & {"pandas", "polars"}


@pytest.mark.parametrize("module", sorted(MODULES))
def test_only_io_opens_files(module):
    """No other module of the package opens, reads or writes files."""
    calls = {
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for node in ast.walk(ast.parse(MODULES[module].read_text()))
        if isinstance(node, ast.Call)
    }
    opening = calls & {"open", "read_bytes", "write_bytes", "write_text", "read_csv", "write_table"}
    assert module in ("covey.io", "covey.delimited", "covey.recipe", "covey.process") or not opening


def test_only_the_bindings_know_python():
    """No kernel includes anything of Python."""
    knowing = [
        path.name
        for path in (ROOT / "native").iterdir()
        if re.search(r"#include [<\"](nanobind|Python|pybind)", path.read_text())
    ]
    assert knowing == ["bindings.cpp"]


def loaded(statement: str) -> set[str]:
    """The top-level modules that a statement loads in a fresh process."""
    script = f"import sys; {statement}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_importing_covey_is_light():
    """`import covey` loads nothing but the standard library; partitions need NumPy only."""
    heavy = {"numpy", "pandas", "polars", "pyarrow", "narwhals", "rich", "click", "scipy", "sklearn", "matplotlib"}
    assert not loaded("import covey") & heavy
    assert loaded("import covey; covey.MDAV") & heavy == {"numpy"}


def test_public_names_resolve():
    """Everything in __all__ can be had, and nothing else is offered."""
    assert all(getattr(covey, name) is not None for name in covey.__all__)
    assert set(covey.__all__) <= set(dir(covey))
    with pytest.raises(AttributeError):
        _ = covey.transform
