from dla_ros.emulator.devices import HANDLES_PER_CORE as EMULATED_HANDLES
from dla_ros.errors import RobotError
from dla_ros.robots.check import HANDLES_PER_CORE
import pytest


def many(count, core=0):
    lines = [
        f'  d{i}: {{engine: /a.dla, namespace: n{i}, dla_core: {core}}}' for i in range(count)
    ]
    return 'detectors:\n' + '\n'.join(lines)


def test_a_core_has_as_many_handles_as_the_emulated_one():
    assert HANDLES_PER_CORE == EMULATED_HANDLES


def test_sixteen_detectors_fit_on_a_core(read):
    assert read(many(16)).handles == {0: 16, 1: 0}


def test_the_seventeenth_detector_on_a_core_is_refused(read):
    with pytest.raises(
        RobotError, match=r"line 18: 'detectors.d16' is detector 17 on DLA core 0.*16 device"
    ):
        read(many(17))


def test_a_core_that_the_computer_lacks_is_refused(read):
    with pytest.raises(RobotError, match=r"line 3: 'detectors.d0.*' is 1, but dla_cores is 1"):
        read('dla_cores: 1\n' + many(1, core=1))


def test_two_detectors_of_one_image_topic_are_refused(read):
    with pytest.raises(
        RobotError, match=r"line 3: 'detectors.b' would publish '/detections', as 'a' does"
    ):
        read('detectors:\n  a: {engine: /a.dla}\n  b: {engine: /a.dla}')


def test_renaming_lets_two_networks_look_at_one_camera(read):
    robot = read("""
        detectors:
          people: {engine: /people.dla}
          signs: {engine: /signs.dla, remap: {detections: signs, label_info: sign_labels}}
    """)
    assert [list(entry.topics().values()) for entry in robot.detectors] == [
        ['/detections'],
        ['/signs'],
    ]


def test_class_names_of_different_networks_do_not_mix(read):
    with pytest.raises(
        RobotError, match=r"'detectors.b' would publish '/label_info', as 'a' does"
    ):
        read("""
            detectors:
              a: {engine: /a.dla, image_topics: [left/image]}
              b: {engine: /b.dla, image_topics: [right/image]}
        """)


def test_the_same_network_may_say_its_class_names_twice(read):
    robot = read("""
        detectors:
          a: {engine: /a.dla, image_topics: [left/image]}
          b: {engine: /a.dla, image_topics: [right/image], dla_core: 1}
    """)
    assert robot.handles == {0: 1, 1: 1}


def test_an_image_topic_that_is_remapped_to_a_form_of_one_is_refused(read):
    with pytest.raises(RobotError, match=r"'/cam/compressed': the compressed form is not named"):
        read('detectors: {a: {engine: /a.dla, remap: {image: /cam/compressed}}}')


@pytest.mark.parametrize(
    ('source', 'hint'),
    [
        ('detection', "did you mean 'detections'"),
        ('debug_images', "did you mean 'debug_image'"),
        ('__node', 'its topics are: image, '),
        ('/detections', "did you mean 'detections'"),
    ],
)
def test_a_topic_that_the_node_has_not_cannot_be_remapped(read, source, hint):
    with pytest.raises(RobotError, match=rf"line 4: 'detectors.a.remap.{source}' is no .* {hint}"):
        read(f"""
            detectors:
              a: {{engine: /a.dla, namespace: front,
                   remap: {{{source}: x}}}}
        """)


@pytest.mark.parametrize('source', ['~/debug/inference_ms', '/front/detections', '/diagnostics',
                                    'cam/image', 'cam/image/compressed'])  # fmt: skip
def test_a_topic_may_be_called_by_each_of_its_names(read, source):
    text = 'detectors: {a: {engine: /a.dla, namespace: front, image_topics: [cam/image, image], '
    assert read(f'{text} remap: {{{source}: x}}}}}}').detectors[0].remap == {source: 'x'}
