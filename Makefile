# Two commands do all set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := uv==0.13.9

.PHONY: demo test check slow wheel lock clean

demo: $(STAMP)
	$(BIN)/aidg demo

test: $(STAMP)
	$(BIN)/python -m pytest -n 2

# Longer tests: simulations, the browser, the built wheel.
slow: $(STAMP)
	$(BIN)/python -m pytest -n 2 -m "slow or integration"

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, found " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(UV)"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	touch $(STAMP)

lock:
	$(BIN)/uv pip compile --quiet --all-extras --generate-hashes --no-emit-index-url --no-header \
		--universal --python-version 3.11 pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) runs
