# make demo   set up and run the main job on the example that ships with gistmeter
# make test   set up and run the default tests (under two minutes)   make test-more  those on research data, in a browser, and longer ones
# make test-all  the slow tests too      make check  ruff, mypy, import-linter, docs
# make mutation  change the code in one place at a time: which change do the tests miss? (hours; goes on where it stopped)
# make bench  speed against the installed peers, as ratios in one run
# make fuzz  5,000 broken files and command lines, into docs/reliability.md
# make figures  agreement of the model measures with people, into docs/ (needs the research data); -j2 for two pages at a time
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
## Modules are compiled when they are first used: compiling all of them takes longer than all else of an installation.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
export GISTMETER_DATA ?= ../shared/data
## Python processes of a test start faster when compiled modules are kept.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help install demo test test-all test-more check docs bench figures fuzz browser wordnet clean mutation

help:
	@sed -n 's/^# //p' $(MAKEFILE_LIST)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	touch $@ $(VENV)/.core

install: $(VENV)/.dev

demo: $(VENV)/.core
	$(BIN)/gistmeter demo

test: $(VENV)/.dev
	$(BIN)/pytest -m 'not slow and not browser and not data and not more' -n 2 --dist worksteal

## Tests on research data, in a real browser, and those of a second or more: CI runs them after the default ones.
test-more: $(VENV)/.dev browser
	$(BIN)/pytest -m '(data or browser or more) and not slow' -n 2 --dist worksteal tests

test-all: $(VENV)/.dev
	GISTMETER_EXAMPLES=thorough $(BIN)/pytest -n 2 --dist worksteal

## Two at a time, those that take longest first; what each says comes in one piece, and all that fail are shown.
TWO_AT_A_TIME = $(MAKE) --jobs 2 --output-sync=target --keep-going --no-print-directory
check: $(VENV)/.dev
	@$(TWO_AT_A_TIME) $(DOCS) $(CHECKS)

docs: $(VENV)/.dev
	@$(TWO_AT_A_TIME) $(DOCS)

DOCS := docs-commands docs-notebooks docs-site docs-made
CHECKS := check-types check-imports check-style
.PHONY: $(CHECKS) $(DOCS)
$(CHECKS) $(DOCS): $(VENV)/.dev

check-style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types:
	$(BIN)/mypy

check-imports:
	$(BIN)/lint-imports

docs-commands:
	$(BIN)/python docs/replay.py --check

docs-notebooks:
	$(BIN)/python docs/notebooks.py --check

docs-site:
	$(BIN)/zensical build --strict
	$(BIN)/python docs/check_site.py

docs-made:
	$(BIN)/python docs/build.py --check
	$(BIN)/python docs/floors.py --check

mutation: $(VENV)/.dev
	PYTHONPATH=scripts $(BIN)/python -m mutation $(MODULES)

bench: $(VENV)/.dev
	$(BIN)/python -m bench
	$(BIN)/python -m bench.encoders
	$(BIN)/python -m bench.plain_estime
	$(BIN)/python -m bench.judging
	$(BIN)/python -m bench.answering
	$(BIN)/python -m bench.ranking

## One target for each page: `make -j2 figures` measures two pages at a time, `make figures-insight` one alone.
PAGES := embedding pyramids baselines questions order trust llm metric_tests people insight probe consistency spansum
MODULE_embedding := bench.figures
MODULE_llm := bench.trust.llm
ARGUMENTS_probe := --keep .cache/probes

## METEOR matches meanings by WordNet on its page, as the paper did, and on no other: pages must not depend on the machine.
$(filter-out figures-embedding,$(PAGES:%=figures-%)): export GISTMETER_WORDNET := none
figures-embedding: export GISTMETER_WORDNET := /usr/share/wordnet
figures-embedding: | wordnet

## Each page is measured on one core: threads of two pages would wait for each other.
$(PAGES:%=figures-%): export OPENBLAS_NUM_THREADS := 1
$(PAGES:%=figures-%): export GISTMETER_THREADS := 1

figures: $(PAGES:%=figures-%)
.PHONY: $(PAGES:%=figures-%)

$(PAGES:%=figures-%): figures-%: $(VENV)/.dev
	@start=$$(date +%s); $(BIN)/python -m $(or $(MODULE_$*),bench.figures.$*) $(ARGUMENTS_$*) \
	  && echo "figures-$*: $$(( $$(date +%s) - start )) s, of processors (the second line):" && times

fuzz: $(VENV)/.dev
	PYTHONPATH=tests $(BIN)/python -m fuzz --cases 5000 --jobs 2 --page

# Pages are tested in a real browser: Debian's Chromium without its windows, or with them where there is no other.
browser:
	@command -v chromium-headless-shell >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq chromium-headless-shell; } || command -v chromium

wordnet:
	@test -f /usr/share/wordnet/index.noun || { apt-get update -qq && apt-get install -y -qq wordnet-base; }

clean:
	rm -rf $(VENV) build dist site report.html scores.parquet
