# The project's commands. `make compile` and `make test` are all that a newcomer needs.
# Any Python from 3.11 on; `make PYTHON=/path/to/python` names one.
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$each"; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
# The versions that CI installs, on every Python; `make constraints` renews them.
CONSTRAINTS := .ci/constraints.txt
# Corpora, outputs and other compilers: outside of the repository, hundreds of megabytes.
BENCH := ../toolspec-bench
# The tests start hundreds of interpreters: none of them shall compile the compiler once more.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: compile reference test other-validator prove prove-image bench bench-peers check style types format accept wheel constraints clean

compile: $(STAMP) ## compile specs/ into generated/, there and in the example
	$(BIN)/toolspec compile
	cd examples/notes && ../../$(BIN)/toolspec compile

reference: $(STAMP) ## rewrite generated/reference/ and compiled_templates.py from the code; then read the diff
	$(BIN)/pytest tests/test_reference.py --accept

test: $(STAMP) style ## everything that CI runs; what takes one core runs beside the tests
	@$(MAKE) --no-print-directory --keep-going types other-validator > $(VENV)/beside.log 2>&1 & beside=$$!; \
	$(BIN)/pytest -n auto --dist worksteal -m "not prove and not container"; status=$$?; \
	wait $$beside; beside=$$?; cat $(VENV)/beside.log; exit $$((status ? status : beside))

other-validator: $(STAMP) ## the tests of the runtime with the validator that runs where jsonschema-rs has no wheel
	TOOLSPEC_VALIDATOR=jsonschema $(BIN)/pytest -m "not prove" tests/runtime

prove: $(STAMP) ## the long proofs: whole corpora, fuzzing; and all examples of each property
	@$(BIN)/pytest -n auto --dist worksteal -m prove -v -ra; status=$$?; \
	$(BIN)/pytest -n auto --dist worksteal -m "hypothesis and not prove" --all-examples && exit $$status

prove-image: $(STAMP) ## build and run the image of examples/deploying, with docker or podman
	$(BIN)/pytest -m container

bench: $(BENCH)/ours ## the table and chart of benchmarks/README.md, rows not yet measured with this code; ROWS="P3 P9" for some
	$(BENCH)/ours/bin/python -m pip install --quiet --constraint $(CONSTRAINTS) ./compiler . --group dev
	$(BENCH)/ours/bin/python benchmarks/measure.py --scratch $(BENCH) --peers $(BENCH)/peers $(ROWS)

$(BENCH)/ours: $(STAMP)
	$(PYTHON) -m venv $@
	$@/bin/python -m pip install --quiet --upgrade "pip>=25.1"

bench-peers: $(STAMP) ## install the compilers and linters that `make bench` compares with
	$(BIN)/python benchmarks/peers.py $(BENCH)/peers

check: style types ## style, types, layers

style: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

accept: $(STAMP) ## rewrite the expected texts of tests/cases, cli/help.txt and the pages; then read the diff
	$(BIN)/pytest tests/test_cases.py tests/test_help.py tests/test_pages.py --accept

wheel: $(STAMP) ## build both distributions into dist/
	$(BIN)/python -m build --outdir dist compiler
	$(BIN)/python -m build

constraints: $(STAMP) ## upgrade what CI installs to the newest that pyproject.toml allows, and write it down
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable compiler --editable . --group dev
	$(BIN)/python -m pip freeze --exclude-editable --exclude pip > $(CONSTRAINTS)
	touch $(STAMP)

clean:
	rm -rf $(VENV) dist

$(STAMP): pyproject.toml compiler/pyproject.toml $(CONSTRAINTS)
	@test -n "$(PYTHON)" || { echo "toolspec needs Python 3.11 or later, and none is on the PATH: install it, or name one with 'make PYTHON=/path/to/python'" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "toolspec needs Python 3.11 or later: $(PYTHON) is older" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make environments: install its venv package, such as Debian's python3-venv" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint $(CONSTRAINTS) --editable compiler --editable . --group dev
	touch $(STAMP)
