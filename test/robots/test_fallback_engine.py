"""The fallback engine of a detector, from the robot file to the command line of bring_up."""

from dla_ros.errors import RobotError
from dla_ros.robots.arguments import LaunchArguments
from dla_ros.robots.fallback_engine import FallbackEngine
from dla_ros.robots.start import Start
import pytest

FILE = 'dla_cores: 2\ndetectors: {{eye: {{engine: /a.dla, fallback_engine: {}}}}}'


def test_another_engine_with_its_settings_is_read(read, tmp_path):
    (tmp_path / 'b.onnx').write_bytes(b'')
    words = '{engine: b.onnx, onnx_threads: 2, retry_s: 30}'
    found = read(FILE.format(words)).detectors[0].fallback_engine
    values = {'engine_file_path': str(tmp_path / 'b.onnx'), 'onnx_threads': 2}
    assert found == FallbackEngine(values, 30.0)


def test_the_other_core_is_read(read):
    found = read(FILE.format('{dla_core: 1}')).detectors[0].fallback_engine
    assert found == FallbackEngine({'dla_core': 1}, 60.0)


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        ('{}', "'detectors.eye.fallback_engine' is empty; name another engine"),
        ('{dla_core: 2}', "fallback_engine.dla_core' is 2, but dla_cores is 2"),
        ('{engin: /b.onnx}', "did you mean 'engine'?"),
        ('{image_topics: [a]}', "fallback_engine.image_topics' is not known"),
        ('{dla_core: 1, retry_s: 0}', "retry_s' is 0; it must be a number from 1.0 to 86400.0"),
        ('/b.onnx', 'write "key: value" lines'),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(read, words, said):
    with pytest.raises(RobotError) as caught:
        read(FILE.format(words))
    assert said in str(caught.value)


def test_the_launch_hands_it_to_bring_up(write):
    path = write(FILE.format('{dla_core: 1}'))
    words = Start.of(LaunchArguments.parse({'robot': str(path)})).bring_up_words
    place = words.index('--fallback')
    assert words[place + 1] == '/eye'
    assert FallbackEngine.of_json(words[place + 2]) == FallbackEngine({'dla_core': 1}, 60.0)


def test_without_recovery_it_would_never_take_over_and_that_is_refused(write):
    path = write(FILE.format('{dla_core: 1}'))
    start = Start.of(LaunchArguments.parse({'robot': str(path), 'recover': '0'}))
    with pytest.raises(RobotError, match="'eye' has a fallback_engine"):
        start.bring_up_words  # noqa: B018


@pytest.mark.parametrize(
    'text', ['', '[]', '{}', '{"parameters": 1, "retry_s": 2}', '{"retry_s": 0}']
)
def test_other_words_are_refused(text):
    with pytest.raises(RobotError, match='as a launch writes it'):
        FallbackEngine.of_json(text)
