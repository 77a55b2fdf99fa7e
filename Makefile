# The only commands there are. Each sets up what it needs in .venv; PYTHON chooses the interpreter (3.11 or newer).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Hundreds of kernels are started: each would compile all of Cellwright where this variable is set.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help lab test check fuzz bench clean

help:
	@echo "make lab    open JupyterLab at the tour notebook"
	@echo "make test   run all checks and tests"
	@echo "make check  run formatter, linter and type checker only"
	@echo "make fuzz   attack what must hold, for FUZZ_SECONDS (300) or until stopped"
	@echo "make bench  measure, as ratios in one run"
	@echo "make clean  remove the environment"

lab: $(READY)
	$(BIN)/cellwright lab

test: check
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz.long

bench: $(READY)
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV)

$(READY): pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Cellwright needs Python 3.11 or newer: make PYTHON=python3.12 ...')"
	@echo "Setting up $(VENV): this takes a minute or two, once."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(READY)
