# `make run` and `make test` need only Python 3.11 or newer on Linux and macOS; CONTRIBUTING.md says how on Windows.
SHELL := /bin/bash
.DEFAULT_GOAL := help

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
NPM := $(shell command -v npm)
PAGE := src/commonplace/interfaces/web/static/index.html
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
PINS := pyproject.toml constraints.txt packages/commonplace-multilingual/pyproject.toml
ON_PATH = command -v commonplace >/dev/null || echo "To type \`commonplace\` alone: export PATH=\"$(CURDIR)/$(VENV)/bin:\$$PATH\""
ROUNDS ?= 1000
ARGS ?=
PYTEST = $(PY) -m pytest --dist loadfile --no-loadscope-reorder
# Compiled modules are kept, whatever the shell says: a test run starts some hundred processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: coverage docs packages help run tour page test installed suite suite-web lint check-web browser fuzz torture bench bench-quality bench-pg bench-hooks bench-interfaces bench-page bench-all pictures clean

help: ## show what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

run: $(VENV)/.runs page ## install, build the page where Node is, and start the server on this machine
	@$(ON_PATH)
	@$(VENV)/bin/commonplace serve $(ARGS)

tour: $(VENV)/.runs ## install and run the guided tour on a temporary book
	@$(VENV)/bin/commonplace tour $(ARGS)
	@$(ON_PATH)

test: ## install everything and run every check and test
	@$(MAKE) --no-print-directory -j3 installed
	@# All run side by side: a third of the time is waiting for programs that the tests start.
	@$(MAKE) --no-print-directory -j4 suite suite-web lint check-web

installed: $(VENV)/.frameworks browser page $(if $(NPM),tests/node/node_modules/.installed)

suite:
	@# A test that fails while others use the machine is tried once more alone, and both answers are shown.
	$(PYTEST) -n 3 --durations=15 --ignore tests/web $(ARGS) || $(PY) -m pytest --last-failed --ignore tests/web $(ARGS)

suite-web:
	@# The browser tests run apart, because the driver keeps an event loop; they print and remember apart too.
	@log=$$(mktemp); web="-o cache_dir=.pytest_cache/web tests/web"; \
	($(PYTEST) -n 1 $$web || $(PY) -m pytest $$web --last-failed) > $$log 2>&1; status=$$?; cat $$log; rm $$log; exit $$status

coverage: $(VENV)/.tests ## run the tests and report branch coverage of src
	$(PYTEST) -n 2 --ignore tests/web --cov commonplace --cov-branch --cov-report term:skip-covered $(ARGS)

lint: $(VENV)/.tests ## style and types
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy --strict

docs: $(VENV)/.tests ## build the documentation site into build/site
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --quiet

packages: $(VENV)/.tests page ## build wheel and sdist, install them in clean environments and try them; ARGS="--tests whole"
	$(PY) tools/check_packages.py $(ARGS)

fuzz: $(VENV)/.tests ## damaged imports and made-up requests
	COMMONPLACE_FUZZ_ROUNDS=10000 COMMONPLACE_FUZZ_EXAMPLES=200 $(PY) -m pytest --timeout 0 tests/interfaces/rest/test_fuzz.py tests/interfaces/rest/test_schema.py $(ARGS)

torture: $(VENV)/.tests ## kill and storm the stores, ROUNDS=1000 by default
	COMMONPLACE_TORTURE_ROUNDS=$(ROUNDS) $(PY) -m pytest -m torture --timeout 0 -s $(ARGS)

bench: $(VENV)/.tests ## speed and size on SQLite
	$(PY) benchmarks/speed.py $(ARGS)

bench-all: $(VENV)/.tests ## one report: speed, quality, months, forgetting, torture; ARGS=--quick for a slice
	$(PY) -m benchmarks.report --charts docs/images/measured $(ARGS)

bench-quality: $(VENV)/.tests ## what recall finds
	$(PY) benchmarks/quality.py $(ARGS)

bench-pg: $(VENV)/.tests ## speed and size on PostgreSQL
	$(PY) benchmarks/postgres.py $(ARGS)

bench-hooks: $(VENV)/.tests ## a hook from cold start to answer
	$(PY) benchmarks/hooks.py $(ARGS)

bench-interfaces: $(VENV)/.tests ## CLI, MCP and REST
	$(PY) benchmarks/interfaces.py $(ARGS)

bench-page: $(VENV)/.tests browser page ## the page with 100,000 memories in Chromium; ARGS="--book FOLDER" keeps the filled book
	$(PY) benchmarks/page.py $(ARGS)

pictures: $(VENV)/.tests browser page ## take the pictures in docs/images again
	PICTURES=docs/images $(PY) -m pytest -q tests/web/test_pictures.py

clean: ## remove the environment and everything that was made
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis web/node_modules web/dist clients/typescript/node_modules clients/typescript/dist tests/node/node_modules
	rm -rf src/commonplace/interfaces/web/static

$(VENV)/bin/python:
	@found=; for python in python3 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; done; \
	if [ -z "$$found" ]; then echo "Commonplace needs Python 3.11 or newer" >&2; exit 1; fi; \
	if ! $$found -c 'import ensurepip' 2>/dev/null && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get install -y --no-install-recommends python3-venv; fi; \
	$$found -m venv $(VENV)

$(VENV)/.runs: $(PINS) | $(VENV)/bin/python
	@echo "Installing into $(VENV); this takes about a minute the first time."
	@$(PIP) install -q -c constraints.txt -e '.[server]'
	@touch $@

$(VENV)/.tests: $(PINS) | $(VENV)/bin/python
	@echo "Installing everything the tests need into $(VENV)."
	@$(PIP) install -q -c constraints.txt -e '.[all,dev]' -e packages/commonplace-multilingual
	@touch $@ $(VENV)/.runs

# Heavy, and many: where one of them cannot be had, the tests of its adapter are skipped and say so.
$(VENV)/.frameworks: $(VENV)/.tests
	@# The wheel of claude-agent-sdk carries a program of 366 MB that no test starts.
	@# What of them is imported is compiled then.
	@$(PIP) install -q --no-compile --no-binary claude-agent-sdk -c constraints.txt -e '.[all,dev,adapters-test]' -e packages/commonplace-multilingual && touch $@ \
	  || echo "the agent frameworks could not be installed: tests of their adapters will be skipped" >&2

browser:
ifeq ($(CHROMIUM),)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -q && apt-get install -yq --no-install-recommends chromium; \
	else echo "no Chromium found: install it, the tests of the page need it" >&2; fi
endif

tests/node/node_modules/.installed: tests/node/package-lock.json
	@cd tests/node && npm ci --no-audit --no-fund --no-update-notifier --loglevel=error > /dev/null
	@touch $@

ifneq ($(wildcard web/package.json),)
web/node_modules/.installed: web/package.json $(wildcard web/package-lock.json)
	@echo "Installing what the page is built with."
	@cd web && npm $(if $(wildcard web/package-lock.json),ci,install) --no-audit --no-fund --no-update-notifier --loglevel=error > /dev/null
	@touch $@

check-web: page ## the page's own checks
	cd web && npm run --if-present lint && npm run --if-present typecheck && npm test --if-present
else
check-web:
endif

ifneq ($(and $(NPM),$(wildcard web/package.json)),)
page: $(PAGE)

$(PAGE): web/node_modules/.installed $(shell find web/src web/public web/index.html web/vite.config.ts -type f 2>/dev/null)
	@echo "Building the page."
	@cd web && npm run build --silent > /dev/null
	@touch $@
else
page:
	@[ -f $(PAGE) ] || echo "no npm found: the server starts without its page; install Node 20.19 or newer for it" >&2
endif
