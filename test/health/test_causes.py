"""The likely causes of a silence are those that this process can see."""

from dla_ros.health.causes import silence_causes

FAST_DDS = 'rmw_fastrtps_cpp'


def test_another_user_and_the_profile_are_named_with_fast_dds_and_not_with_others():
    said = silence_causes(FAST_DDS)
    assert 'it runs as another user' in said
    assert 'its process lacks the Fast DDS profile' in said
    said = silence_causes('rmw_cyclonedds_cpp')
    assert 'user' not in said
    assert 'too large for the settings of rmw_cyclonedds_cpp' in said


def test_little_shared_memory_is_named_with_what_is_left(monkeypatch):
    class Small:
        f_frsize, f_bavail = 1_000_000, 3

    monkeypatch.setattr('os.statvfs', lambda _: Small)
    assert '/dev/shm is full or small (3 MB free)' in silence_causes(FAST_DDS)
