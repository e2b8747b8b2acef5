# The same commands everywhere: on a new machine, on a developer's, and in .ci/run.
#   make demo       install into .venv and anonymize the example
#   make test       every test           make lint    style and types (make format mends the style)
#   make sanitize   tests of partitions, enforcement and bounds on kernels built with the address and undefined-behaviour sanitizers
#   make bench      the tables of benchmarks/ (BENCH_OPTIONS=--long for the longest)
#   make experiments  the papers' figures, in experiments/out
#   make wheel      the built package, in dist/          make clean   remove all that make made
# PYTHON=... chooses the interpreter that makes .venv; it must be 3.11 or newer.

PYTHON ?= python3
CXX ?= c++
WORKERS ?= 2
BENCH_OPTIONS ?=

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NATIVE := CMakeLists.txt $(wildcard native/*.cpp native/*.hpp)
BENCHES := golden univariate mdav methods pcl contenders mixed refine bounds enforcement measures linkage tradeoff cli report
ASAN := build/sanitized

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint format bench experiments sanitize wheel clean

help:
	@sed -n 's/^#   //p' Makefile

demo: .venv/.installed
	@$(BIN)/python examples/demo.py

test: .venv/.installed .venv/.test
	$(BIN)/python -m pytest -n $(WORKERS) $(PYTEST_OPTIONS)

lint: .venv/.installed .venv/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.installed .venv/.test
	@for name in $(BENCHES); do $(BIN)/python benchmarks/bench_$$name.py $(BENCH_OPTIONS) || exit 1; done

experiments: .venv/.installed .venv/.test
	$(BIN)/python experiments/pcl.py
	$(BIN)/python experiments/dependence.py

wheel: .venv/.pip
	rm -rf dist
	$(PIP) wheel --no-deps --wheel-dir dist .
	@ls dist/*.whl

# -S keeps the editable install out of the way, so that the sanitized copy is the one that is imported. libstdc++ is
# loaded early because the sanitizer must see the C++ exceptions that the bindings throw. CPython leaks on purpose.
sanitize: $(ASAN)/.built .venv/.test
	@test -f "$$($(CXX) -print-file-name=libasan.so)" || { \
	  echo "make sanitize needs GCC's address sanitizer: $(CXX) has no libasan.so" >&2; exit 1; }
	CI=1 COVEY_SANITIZED=1 ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so):$$($(CXX) -print-file-name=libstdc++.so.6)" \
	PYTHONPATH="$(ASAN):$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" \
	$(BIN)/python -S -m pytest -p no:xdist -p no:cacheprovider \
	  tests/unit/partition tests/unit/enforcement tests/unit/test_bounds.py tests/unit/test_certify.py \
	  tests/unit/measures/test_linkage.py

clean:
	rm -rf build dist .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis examples/out experiments/out

# What is installed, and from what. Edits of src/covey take effect at once; a change of the kernels rebuilds them.

.venv/.python:
	@command -v "$(PYTHON)" >/dev/null || { echo "covey needs Python 3.11 or newer: there is no '$(PYTHON)'" \
	  "on the PATH. Install it, or name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "covey needs Python 3.11 or newer," \
	  "but '$(PYTHON)' is $$("$(PYTHON)" --version). Name a newer one: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo "'$(PYTHON)' cannot make virtual environments." \
	  "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@"$(PYTHON)" -c 'import pathlib, sys, sysconfig; \
	  sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' || { echo \
	  "'$(PYTHON)' has no C headers (Python.h). On Debian and Ubuntu: apt install python3-dev" >&2; exit 1; }
	@command -v "$(firstword $(CXX))" >/dev/null || { echo "covey needs a C++20 compiler: there is no '$(CXX)' on the" \
	  "PATH. On Debian and Ubuntu: apt install g++" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear .venv
	@touch $@

# Older versions of pip know no dependency groups.
.venv/.pip: .venv/.python
	$(PIP) install --upgrade 'pip>=25.1'
	@touch $@

.venv/.installed: .venv/.pip pyproject.toml $(NATIVE)
	$(PIP) install --editable .
	@touch $@

# pyCANON, to compare with, pins old versions of NumPy, pandas and SciPy, and does as well with new ones.
.venv/.test: .venv/.pip pyproject.toml
	$(PIP) install --group test
	$(PIP) install --no-deps pycanon==1.3.6
	@touch $@

.venv/.lint: .venv/.pip pyproject.toml
	$(PIP) install --group lint
	@touch $@

$(ASAN)/.built: .venv/.pip pyproject.toml $(NATIVE) $(wildcard src/covey/*.py src/covey/*/*.py)
	rm -rf $(ASAN)
	$(PIP) install --no-deps --target $(ASAN) --config-settings=cmake.define.COVEY_SANITIZE=ON \
	  --config-settings=build-dir=build/sanitize .
	@touch $@
