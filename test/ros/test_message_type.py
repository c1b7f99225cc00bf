"""Types that a bag names: only installed messages are imported."""

import sys

from dla_ros.errors import DlaRosError
from dla_ros.ros.message_type import message_class
import pytest
from sensor_msgs.msg import Image


def test_a_message_is_found_by_its_name():
    assert message_class('sensor_msgs/msg/Image') is Image


@pytest.mark.parametrize(
    ('name', 'words'),
    [
        ('os/msg/path', 'is no message type'),
        ('os/msg/Path', "'os' is not installed"),
        ('std_msgs/msg/Nothing', "'std_msgs' has no message 'Nothing'"),
        ('std_srvs/srv/Empty', 'is no message type'),
        ('std_msgs/msg/_string', 'is no message type'),
        ('std_msgs/msg/String\n', 'is no message type'),
        ('../../std_msgs/msg/String', 'is no message type'),
        ('std_msgs/String', 'is no message type'),
        ('', 'is no message type'),
        ('x' * 300_000, 'is no message type'),
        ('x' * 300 + '/msg/X', 'is not installed'),
    ],
)
def test_a_type_that_is_none_is_refused(name, words):
    with pytest.raises(DlaRosError, match=words):
        message_class(name)


def test_a_package_that_is_no_package_of_messages_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / 'trap').mkdir()
    (tmp_path / 'trap' / '__init__.py').write_text('raise SystemExit("imported")')
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DlaRosError, match="'trap' is not installed"):
        message_class('trap/msg/Trap')
    assert 'trap' not in sys.modules
