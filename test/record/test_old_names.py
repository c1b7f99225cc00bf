import importlib

from dla_ros.record import local_platform
import pytest


def test_a_module_that_the_docs_named_is_found_by_its_old_name_for_one_release():
    with pytest.warns(DeprecationWarning, match=r'now dla_ros\.record\.local_platform'):
        old = importlib.import_module('dla_ros.record.here')
    assert old.platform_here is local_platform.platform_here
