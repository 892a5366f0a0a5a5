# ImpactBench: the commands of every day. `make help` lists them.

SHELL := /bin/sh
PORT ?= 8000
# How long `make chaos` kills, and how many conversations `make fullscale` holds.
MINUTES ?= 10
N ?= 48540
# How many tests run side by side, each process with servers of its own; servers named in the environment are shared.
PROCESSES ?= $(if $(DATABASE_URL)$(REDIS_URL),0,2)
# The test database is made for the first of the stages, and the others go on with it.
PYTEST = $(RUN) pytest -n $(PROCESSES) --dist worksteal --reuse-db
.DEFAULT_GOAL := help
.PHONY: help setup demo serve test lint bench chaos fullscale faults limits fuzz browser audit docs screenshots load webchaos twomachines

# uv and the browser's files need a place of their own: an account without a home folder gets one here.
ifeq ($(strip $(HOME)),)
export HOME := $(CURDIR)/.impactbench/home
endif

# What Python compiles, it keeps: else each of the hundreds of processes that tests start compiles all of Django anew.
unexport PYTHONDONTWRITEBYTECODE

# uv installs everything else. Where it is missing it is put into .uv/, beside nothing of yours.
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --frozen --no-sync

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-11s %s\n' "$$name" "$$text"; done

setup: $(if $(filter .uv/bin/uv,$(UV)),.uv/bin/uv) ## install everything that the project needs, into .venv/
	@$(UV) sync --frozen --quiet
	@echo "setup: everything is installed in .venv/"

.uv/bin/uv:
	@echo "setup: uv is not on this machine; installing it into .uv/"
	@sh .ci/install-uv

demo: setup ## run a real, small evaluation on this machine, publish it and serve the site
	@PORT=$(PORT) $(RUN) python manage.py demo

serve: setup ## serve the site on PORT (8000)
	@PORT=$(PORT) $(RUN) python -m gunicorn -c docker/gunicorn.conf.py impactbench.wsgi

docs: setup ## build the documentation as a site into site/docs/; `make serve` shows it under /docs/
	@$(RUN) sphinx-build -q -W --keep-going -d .impactbench/doctrees docs site/docs
	@echo "docs: site/docs/index.html"

screenshots: setup browser ## take the pictures of docs/images/ anew, on generated data
	@$(RUN) python -m tests.support.screenshots

browser: setup ## find or install the Chromium that the browser tests need
	@$(RUN) python -m tests.support.browser

lint: setup ## style, types, missing migrations
	@$(RUN) ruff check .
	@$(RUN) ruff format --check --quiet .
	@$(RUN) djlint --quiet --lint templates
	@$(RUN) mypy .
	@$(RUN) python manage.py makemigrations --check --dry-run
	@echo "lint: clean"

test: lint browser ## everything: lint, types, all tests on real servers, then those in a real browser
	@$(PYTEST) --create-db -m "not browser and not alone"
	@$(PYTEST) -m "alone and not browser" tests/evaluation/management tests/impactbench tests/journeys
	@$(PYTEST) -m browser tests/journeys

bench: setup ## speed and memory, as ratios within one run; the engine beside Inspect AI
	@$(RUN) python -m tests.bench

load: setup ## 300 API requests a second, then beside slow clients and floods, on 48,540 conversations and ten times that
	@$(RUN) python -m tests.bench.api_load

chaos: setup ## kill workers, broker and database during a run for MINUTES (10), then count what was lost or doubled
	@$(RUN) python -m tests.bench.chaos --minutes $(MINUTES)

webchaos: setup ## kill web processes, database and broker while programs read and write; count what was lost
	@$(RUN) python -m tests.bench.web_kills

twomachines: setup ## two web servers with a home each on one database and broker
	@$(RUN) python -m tests.bench.two_machines

fullscale: setup ## a run of N (48540) conversations, measured from planning to the verified release
	@$(RUN) python -m tests.bench.full_scale --conversations $(N)

faults: setup ## 200 conversations against models that fail in every way, beside the same against sound ones
	@$(RUN) python -m tests.bench.faults

limits: setup ## 600 requests a minute kept by two workers, beside a model that refuses everything
	@$(RUN) python -m tests.bench.limits

fuzz: setup browser ## feed the parsers and the API long and strange input, and look at everything that `make test` samples
	@HYPOTHESIS_PROFILE=fuzz $(RUN) pytest -m fuzz

audit: setup ## look for unsafe code and for secrets in the history, then ask OSV.dev about the packages of uv.lock (needs the network)
	@$(RUN) python -m tests.support.secrets_in_text
	@$(RUN) bandit --quiet --configfile pyproject.toml --recursive impactbench evaluation submissions labels manage.py docker 2>/dev/null
	@$(UV) audit --frozen --no-dev
