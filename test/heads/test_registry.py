from importlib.metadata import distributions
import sys

from dla_ros.errors import HeadError
from dla_ros.heads.nanodet import NanoDet
from dla_ros.heads.registry import find_head, GROUP, HEADS
import pytest


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Give a function (points, code) that installs a package 'robot-heads' with entry points."""

    def run(points, code):
        info = tmp_path / 'robot_heads-1.0.dist-info'
        info.mkdir()
        (info / 'METADATA').write_text('Metadata-Version: 2.1\nName: robot-heads\nVersion: 1.0\n')
        (info / 'entry_points.txt').write_text(f'[{GROUP}]\n{points}\n')
        (tmp_path / 'robot_heads.py').write_text(code)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, 'robot_heads', raising=False)
        assert 'robot-heads' in {found.name for found in distributions()}

    yield run
    sys.modules.pop('robot_heads', None)


def test_a_head_is_found_by_its_name():
    assert find_head('nanodet') is NanoDet


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(
        HeadError, match=r"'yolov99' is not known; known heads: centernet, .*yolox"
    ):
        find_head('yolov99')


def test_another_package_brings_a_head(install):
    install(
        'own = robot_heads:Own',
        'class Own:\n    open = classmethod(lambda cls, *_: cls())\n    def decode(self): ...',
    )
    assert find_head('own').__name__ == 'Own'


def test_heads_of_other_packages_are_listed_too(install):
    install('own = robot_heads:Own', '')
    with pytest.raises(HeadError, match=r'known heads: .*own'):
        find_head('nothing')


def test_a_name_of_this_package_cannot_be_taken_over(install):
    install('nanodet = robot_heads:Own', 'class Own: ...')
    assert find_head('nanodet') is NanoDet


@pytest.mark.parametrize(
    ('code', 'reason'),
    [
        ('import no_such_module', 'ModuleNotFoundError: .*no_such_module'),
        ('', 'AttributeError'),
        ('class Own: ...', 'is no head: it lacks open and decode'),
    ],
)
def test_a_broken_head_is_named_with_its_package(install, code, reason):
    install('own = robot_heads:Own', code)
    with pytest.raises(HeadError, match=rf"'own' \(robot_heads:Own\) of robot-heads .*{reason}"):
        find_head('own')


def test_names_are_sorted_for_reading():
    assert list(HEADS) == sorted(HEADS)
