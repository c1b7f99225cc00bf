from pathlib import Path
import sys

import dla_ros
from dla_ros.errors import ConfigError
from dla_ros.installation.share import share_file
import pytest

SOURCE = Path(dla_ros.__file__).resolve().parents[1]


def test_a_checkout_has_its_own_files(monkeypatch):
    monkeypatch.setattr(sys, 'prefix', '/nowhere')
    assert share_file('config/fastdds.xml') == SOURCE / 'config/fastdds.xml'


def test_what_is_nowhere_is_refused():
    with pytest.raises(ConfigError, match=r"'config/nothing\.xml' of dla_ros is not installed"):
        share_file('config/nothing.xml')
