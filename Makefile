# Each target installs what it needs and says so (scripts/setup.sh); the second time that takes no time.

PYTHON_ENV = .venv/bin
# Files of tests side by side; tests of one file share what is dear to make, and stay together in their order.
SIDE_BY_SIDE = -n logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder
# Matches take all cores themselves, and some are killed at moments of theirs: these files run by themselves.
ALONE = tests/matches tests/checks/test_kill.py tests/cli/test_dask.py
PYTEST = $(PYTHON_ENV)/python -m pytest --nothing-skipped
CASES ?= $(patsubst %/cases.json,%,$(wildcard ../shared/cases/engines/cases.json))
.PHONY: help demo test cases bench lint types docs docs-check clean

help:
	@echo "make demo        the whole of it on real engines, in about four minutes; ARGS='--lang de' passes options on"
	@echo "make test        all tests; fails when one was skipped; ARGS='tests/law -x' passes options on"
	@echo "make cases       CASES=DIR: plays every case of misbehaving engines and odd files in DIR, counts those that hold"
	@echo "make bench       every figure beside its peer or limit, to results.md; ARGS='--fastchess PATH --ordo PATH'"
	@echo "make lint        ruff: rules and format"
	@echo "make types       mypy, strict"
	@echo "make docs        the documentation as a site, in build/docs; a warning is an error"
	@echo "make docs-check  that, and README and docs against the code"
	@echo "make clean       removes the environment, the fetched engines and the demo's folder"

demo:
	@scripts/setup.sh demo
	@$(PYTHON_ENV)/anchorhold demo $(ARGS)

test:
	@scripts/setup.sh test
ifeq ($(strip $(ARGS)),)
	@$(PYTEST) $(SIDE_BY_SIDE) $(ALONE:%=--ignore=%)
	@$(PYTEST) $(ALONE)
else
	@$(PYTEST) $(ARGS)
endif

cases:
	@scripts/setup.sh test
	@$(PYTHON_ENV)/python scripts/play_cases.py "$(CASES)" $(ARGS)

bench:
	@scripts/setup.sh test
	@$(PYTHON_ENV)/python bench/run_all.py $(ARGS)

lint:
	@scripts/setup.sh test
	@$(PYTHON_ENV)/ruff check .
	@$(PYTHON_ENV)/ruff format --check .

types:
	@scripts/setup.sh test
	@$(PYTHON_ENV)/mypy

docs:
	@scripts/setup.sh test
	@$(PYTHON_ENV)/python -m sphinx -W --keep-going -n -q -b html docs build/docs
	@echo "build/docs/index.html"

docs-check: docs
	@$(PYTEST) tests/test_docs.py

clean:
	rm -rf .venv .engines .tools demo
