"""The example packages, importable as where they are installed."""

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / 'examples'


@pytest.fixture(autouse=True)
def dla_tracker(monkeypatch):
    """Make the tracker importable."""
    monkeypatch.syspath_prepend(EXAMPLES / 'dla_tracker')
