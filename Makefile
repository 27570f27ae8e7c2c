# The commands of this project. Every goal installs what it needs first; a second run installs nothing.

SHELL := /bin/bash
BIN := .venv/bin
# Arguments of the demo, for example: make demo ARGS="--speed 120 --seed 7"
ARGS ?=
LOCK := uv pip compile --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --quiet
# Everything a table unit on a Pi may have wired to it.
TABLE := --extra hub --extra pi --extra evdev --extra oled

.DEFAULT_GOAL := help
.PHONY: help demo test check bench docs setup lock clean

help:
	@echo "Bottone: runs live Texas Hold'em tournaments. Commands:"
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 14

demo:  ## a room on this machine: broker, hub, three tables of nine; a tournament in a few minutes
	@scripts/setup demo
	@$(BIN)/bottone demo $(ARGS)

test:  ## all tests, with a real Mosquitto and a real Chromium
	@scripts/setup test
	@$(BIN)/pytest -n 2 --dist loadscope $(ARGS)

check:  ## style, types, import contracts, generated pages of the rules
	@scripts/setup test
	@scripts/check

bench:  ## a table of speeds, each beside its peer
	@scripts/setup test
	@$(BIN)/python -m benchmarks $(ARGS)

docs:  ## pictures and generated documents
	@scripts/setup test
	@scripts/docs

setup:  ## what the tests and the development need, and nothing else
	@scripts/setup test

lock:  ## new lock files in requirements/ from pyproject.toml
	@scripts/setup test
	@$(BIN)/$(LOCK) requirements/uv.in -o requirements/uv.txt
	@$(BIN)/$(LOCK) pyproject.toml --extra hub -o requirements/run.txt
	@$(BIN)/$(LOCK) -c requirements/run.txt pyproject.toml $(TABLE) -o requirements/pi.txt
	@$(BIN)/$(LOCK) -c requirements/run.txt pyproject.toml $(TABLE) --extra rpigpio -o requirements/rpigpio.txt
	@$(BIN)/$(LOCK) -c requirements/run.txt pyproject.toml --extra hub --extra evdev --extra oled --extra dev -o requirements/test.txt

clean:  ## removes what was built, the virtual environment too
	rm -rf .venv build dist var .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
