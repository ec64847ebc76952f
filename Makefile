# Everything a fresh machine needs: Python 3.11, pip, venv, make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SPREAD := $(shell nproc 2>/dev/null || echo 2)

.PHONY: serve test lint demo soak bench clean

serve: $(READY)
	$(BIN)/chancery serve

test: $(READY)
	$(BIN)/python -m pytest -n $(SPREAD) --dist loadfile

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict domain/kernel

demo: $(READY)
	CHANCERY_DB=$${CHANCERY_DB:-$$(mktemp -d)/demo.db} BIN=$(BIN) sh docs/demo.sh

soak: $(READY)
	$(BIN)/chancery fuzz column-of-fire --games 2000 --coverage --strict
	$(BIN)/chancery fuzz generalship --games 1000 --coverage --strict
	$(BIN)/chancery fuzz pax-renaissance --games 1000 --coverage --strict
	CHANCERY_SOAK=1 $(BIN)/python -m pytest -n $(SPREAD) --dist loadfile

bench: $(READY)
	$(BIN)/chancery bench

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $(READY)

clean:
	rm -rf $(VENV)
