# make setup | test | demo | lint | colcon | clean      (ROS_DISTRO=jazzy and PYTHON=... choose)
# Needs make and Python 3.10-3.13 beforehand; scripts/setup.py says what else is missing.

ROS_DISTRO ?= kilted
PYTHON ?= python3
VENV := .venv$(if $(filter-out kilted,$(ROS_DISTRO)),-$(ROS_DISTRO))
BIN := $(VENV)/bin
export ROS_DISTRO

.PHONY: setup test lint demo docs colcon clean distclean

setup:
	@$(PYTHON) scripts/setup.py --venv $(VENV)

test: setup lint
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

demo: setup
	$(BIN)/python -m dla_ros.demo $(DEMO_ARGS)

docs: setup
	$(BIN)/python scripts/document_parameters.py

colcon: setup
	$(BIN)/python scripts/colcon.py $(PYTEST_ARGS)

clean:
	rm -rf build install log dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv .venv-*
