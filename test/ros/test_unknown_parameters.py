"""What was given at start and no parameter takes is told."""

from dla_ros.ros.detector_node import DetectorNode
from dla_ros.ros.unknown_parameters import unknown, warn_of_unknown
import pytest
from rclpy.parameter import Parameter

KNOWN = ('confidence_threshold', 'nms_threshold', 'image_topics', 'use_sim_time')


def test_a_misspelt_name_is_told_with_the_right_one():
    assert unknown(['confidence_treshold', 'image_topics'], KNOWN) == [
        "unknown parameter 'confidence_treshold', did you mean 'confidence_threshold'? "
        '(it has no effect)'
    ]


def test_a_name_that_resembles_nothing_is_told_alone():
    assert unknown(['zebra'], KNOWN) == ["unknown parameter 'zebra' (it has no effect)"]


@pytest.fixture
def open_node(ros_context):
    nodes = []

    def make(*words, kind=DetectorNode):
        nodes.append(kind(cli_args=['--ros-args', *words]))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()


class OwnNode(DetectorNode):
    """A detector that a team made its own."""

    def __init__(self, **options):
        super().__init__(**options)
        self.declare_parameter('own_thing', 1)


def test_what_a_node_has_is_not_told(open_node, log):
    words = [word for name in ('slots:=3', 'use_sim_time:=true', 'own_thing:=7',
                               'start_type_description_service:=false',
                               'qos_overrides./image.subscription.depth:=2')
             for word in ('-p', name)]  # fmt: skip
    node = open_node(*words, kind=OwnNode)
    warn_of_unknown(node)
    assert node.get_parameter('own_thing').value == 7
    assert 'unknown' not in log.text


def test_a_file_with_nothing_for_the_node_is_told(open_node, log, tmp_path):
    file = tmp_path / 'mine.yaml'
    file.write_text('/detector:\n  ros__parameters:\n    slots: 3\n')
    words = ['--params-file', str(file)]
    warn_of_unknown(open_node(*words), ['detector_node', '--ros-args', *words])
    assert log.tells(f"nothing in '{file}' is for this node; its first line should be")
    assert log.tells("'/dla_detector:', or '/**:' for every node")


def test_an_override_of_qos_for_another_topic_is_told_by_configure(open_rig, log):
    rig = open_rig(
        **{
            'qos_overrides./imag.subscription.depth': 3,
            'qos_overrides./image.subscription.durability': 'volatile',
            'qos_overrides./image.subscription.depth': 3,
        }
    )
    assert rig.lifecycle.change('configure')
    for wrong, meant in (
        ('/imag.subscription.depth', '/image.subscription.depth'),
        ('/image.subscription.durability', '/image.subscription.'),
    ):
        name = f'qos_overrides.{wrong}'
        assert log.tells(f"unknown parameter '{name}', did you mean 'qos_overrides.{meant}")
    assert log.text.count('unknown parameter') == 2


def test_a_parameter_that_is_not_there_is_not_set(open_node):
    node = open_node()
    result = node.set_parameters_atomically([Parameter('slot', value=3)])
    assert not result.successful
    assert result.reason.startswith("unknown parameter 'slot', did you mean 'slots'?")


def test_the_log_says_when_a_node_is_activated_and_deactivated(open_rig, log):
    rig = open_rig()
    rig.activate()
    assert log.tells('[dla_detector]: activated')
    assert 'deactivated' not in log.text
    assert rig.lifecycle.change('deactivate')
    assert log.tells('[dla_detector]: deactivated')
    assert rig.lifecycle.change('activate')
    assert rig.lifecycle.change('shutdown')
    assert log.text.count('[dla_detector]: deactivated') == 2
