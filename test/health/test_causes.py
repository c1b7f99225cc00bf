"""The likely causes of a silence are those that this process can see."""

from dla_ros.health.causes import silence_causes
import pytest

FAST_DDS = 'rmw_fastrtps_cpp'


def test_another_user_is_named_with_fast_dds_and_not_with_others():
    assert 'it runs as another user' in silence_causes(FAST_DDS)
    said = silence_causes('rmw_cyclonedds_cpp')
    assert 'user' not in said
    assert 'too large for the settings of rmw_cyclonedds_cpp' in said


@pytest.mark.parametrize('version', ['DDS', 'RTPS'])
def test_the_profile_is_named_where_there_is_none(version):
    name = f'FAST{version}_DEFAULT_PROFILES_FILE'
    assert 'set the profile for both' in silence_causes(FAST_DDS, {})
    assert 'set the profile' not in silence_causes(FAST_DDS, {name: '/a.xml'})


def test_little_shared_memory_is_named_with_its_figures(monkeypatch):
    class Small:
        f_frsize, f_bavail, f_blocks = 1 << 20, 3, 64

    monkeypatch.setattr('os.statvfs', lambda _: Small)
    assert '/dev/shm is too small for images (3 of 64 MB free)' in silence_causes(FAST_DDS)
