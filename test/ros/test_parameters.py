from dla_ros.config import DetectorConfig, settings
from dla_ros.errors import ConfigError
from dla_ros.ros import parameters
import pytest
from rcl_interfaces.msg import ParameterType
import rclpy
from rclpy.node import Node
from rclpy.parameter import Parameter


@pytest.fixture
def open_node(ros_context):
    nodes = []

    def make(*overrides):
        arguments = [word for pair in overrides for word in ('-p', pair)]
        cli = ['--ros-args', *arguments] if arguments else []
        nodes.append(Node(f'n{len(nodes)}', cli_args=cli))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()


def test_the_defaults_of_the_table_are_the_parameters(open_node):
    node = open_node()
    assert parameters.declare(node) == {}
    assert parameters.read(node) == DetectorConfig()


def test_every_parameter_is_described_with_its_meaning_and_range(open_node):
    node = open_node()
    parameters.declare(node)
    for name, row in settings().items():
        described = node.describe_parameter(name)
        assert described.description == row.meaning
        assert row.words() in described.additional_constraints
    assert node.describe_parameter('dla_core').integer_range[0].to_value == 15
    assert node.describe_parameter('confidence_threshold').floating_point_range[0].to_value == 1.0
    assert node.describe_parameter('label_list').type == ParameterType.PARAMETER_STRING_ARRAY


def test_values_of_the_command_line_are_read(open_node):
    node = open_node('dla_core:=1', 'image_topics:=[/a/image, /b/image]', 'image_mean:=[1.5]')
    assert parameters.declare(node) == {}
    config = parameters.read(node)
    assert (config.dla_core, config.image_mean) == (1, (1.5,))
    assert config.image_topics == ('/a/image', '/b/image')


def test_a_whole_number_will_do_for_a_number(open_node):
    node = open_node('confidence_threshold:=1')
    assert parameters.declare(node) == {}
    assert parameters.read(node).confidence_threshold == 1.0


def test_an_empty_list_is_an_empty_list(open_node):
    node = open_node('label_list:=[]')
    assert parameters.declare(node) == {}
    assert parameters.read(node).label_list == ()


@pytest.mark.parametrize(
    ('override', 'words'),
    [
        ('dla_core:=99', 'whole number from 0 to 15'),
        ('dla_core:=-1', 'whole number from 0 to 15'),
        ('dla_core:=one', 'whole number from 0 to 15'),
        ('confidence_threshold:=1.5', 'a number from 0.0 to 1.0'),
        ('confidence_threshold:=high', 'a number from 0.0 to 1.0'),
        ('input_qos:=BANANA', "one of 'SYSTEM_DEFAULT'"),
        ('image_mean:=[1, 2, 3]', 'a number with a point'),
        ('slots:=true', 'whole number from 1 to 8'),
    ],
)
def test_a_wrong_value_at_start_is_told_and_the_node_lives(open_node, override, words):
    node = open_node(override)
    name = override.partition(':=')[0]
    faults = parameters.declare(node)
    assert list(faults) == [name]
    assert name in faults[name]
    assert words in faults[name]


@pytest.mark.parametrize('value', ['hot', True, [0.5], float('nan'), -0.1])
def test_a_wrong_change_is_refused_with_a_sentence(open_node, value):
    node = open_node()
    parameters.declare(node)
    change = Parameter('confidence_threshold', value=value)
    result = parameters.refuse_changes([change], is_configured=True)
    assert not result.successful
    assert 'must be a number from 0.0 to 1.0' in result.reason


def test_only_live_parameters_change_while_configured(open_node):
    live = Parameter('nms_threshold', value=0.5)
    fixed = Parameter('dla_core', value=1)
    assert parameters.refuse_changes([live], is_configured=True).successful
    refused = parameters.refuse_changes([fixed], is_configured=True)
    assert 'cleanup' in refused.reason
    assert parameters.refuse_changes([fixed], is_configured=False).successful
    assert parameters.live_values([live, fixed]) == {'nms_threshold': 0.5}


def test_a_parameter_of_somebody_else_is_none_of_our_business(open_node):
    use_sim_time = Parameter('use_sim_time', value=True)
    assert parameters.refuse_changes([use_sim_time], is_configured=True).successful


def test_a_config_refuses_unknown_choices_by_name():
    with pytest.raises(ConfigError, match="padding_type is 'LEFT'; it must be one of"):
        DetectorConfig(padding_type='LEFT')


def test_rclpy_is_real():
    assert rclpy.utilities.get_rmw_implementation_identifier() == 'rmw_fastrtps_cpp'
