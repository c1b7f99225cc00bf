from dla_ros.config import DetectorConfig, settings
from dla_ros.errors import ConfigError
from dla_ros.ros import parameters
from dla_ros.ros.checked_parameters import CheckedParameters
import pytest
from rcl_interfaces.msg import ParameterType
import rclpy
from rclpy.parameter import Parameter


class Node(CheckedParameters):
    """A node with the detector's table and nothing else."""

    rows = settings()
    is_configured = False


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
    assert node.faults == {}
    assert parameters.read(node) == DetectorConfig()


def test_every_parameter_is_described_with_its_meaning_and_range(open_node):
    node = open_node()
    for name, row in settings().items():
        described = node.describe_parameter(name)
        assert described.description == row.meaning
        assert row.words() in described.additional_constraints
    assert node.describe_parameter('dla_core').integer_range[0].to_value == 15
    assert node.describe_parameter('confidence_threshold').floating_point_range[0].to_value == 1.0
    assert node.describe_parameter('label_list').type == ParameterType.PARAMETER_STRING_ARRAY


def test_values_of_the_command_line_are_read(open_node):
    node = open_node('dla_core:=1', 'image_topics:=[/a/image, /b/image]', 'image_mean:=[1.5]')
    assert node.faults == {}
    config = parameters.read(node)
    assert (config.dla_core, config.image_mean) == (1, (1.5,))
    assert config.image_topics == ('/a/image', '/b/image')


def test_a_whole_number_will_do_for_a_number(open_node):
    node = open_node('confidence_threshold:=1', 'image_mean:=[1, 2, 3]')
    assert node.faults == {}
    assert parameters.read(node).confidence_threshold == 1.0
    assert parameters.read(node).image_mean == (1.0, 2.0, 3.0)
    assert node.set_parameters_atomically([Parameter('image_mean', value=[4, 5, 6])]).successful
    assert parameters.read(node).image_mean == (4.0, 5.0, 6.0)


def test_an_empty_list_is_an_empty_list(open_node):
    node = open_node('label_list:=[]')
    assert node.faults == {}
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
        ('image_mean:=[a]', 'a list, each a number'),
        ('slots:=true', 'whole number from 1 to 8'),
    ],
)
def test_a_wrong_value_at_start_is_told_and_the_node_lives(open_node, override, words):
    node = open_node(override)
    name = override.partition(':=')[0]
    assert list(node.faults) == [name]
    assert name in node.faults[name]
    assert words in node.faults[name]
    assert getattr(parameters.read(node), name) == getattr(DetectorConfig(), name)


@pytest.mark.parametrize('value', ['hot', True, [0.5], float('nan'), -0.1])
def test_a_wrong_change_is_refused_with_a_sentence(open_node, value):
    node = open_node()
    change = Parameter('confidence_threshold', value=value)
    result = node.set_parameters_atomically([change])
    assert not result.successful
    assert 'must be a number from 0.0 to 1.0' in result.reason


def test_only_live_parameters_change_while_configured(open_node):
    node = open_node()
    live = Parameter('nms_threshold', value=0.5)
    fixed = Parameter('dla_core', value=1)
    node.is_configured = True
    assert node.set_parameters_atomically([live]).successful
    assert 'cleanup' in node.set_parameters_atomically([fixed]).reason
    node.is_configured = False
    assert node.set_parameters_atomically([fixed]).successful
    assert parameters.live_values([live, fixed]) == {'nms_threshold': 0.5}


def test_what_is_read_at_start_does_not_change(open_node):
    node = open_node()
    result = node.set_parameters_atomically([Parameter('executor', value='single')])
    assert result.reason == 'executor may change at start only; start the node again with it'


def test_of_changes_together_none_is_made_where_one_is_wrong(open_node):
    node = open_node()
    changes = [Parameter('slots', value=3), Parameter('dla_core', value=99)]
    assert 'dla_core is 99' in node.set_parameters_atomically(changes).reason
    assert node.get_parameter('slots').value == 2
    first, second = node.set_parameters(changes)
    assert (first.successful, second.successful) == (True, False)


def test_everything_may_be_set_to_what_it_is_while_configured(open_node):
    node = open_node('image_topics:=[/a, /b]', 'image_mean:=[1.5]', 'use_sim_time:=true')
    node.is_configured = True
    same = [node.get_parameter(name) for name in node.list_parameters([], 0).names]
    assert len(same) > len(settings())
    assert all(result.successful for result in node.set_parameters(same))
    assert node.set_parameters_atomically(same).successful


@pytest.mark.parametrize('kind', ['NOT_SET', 'BOOL_ARRAY', 'BYTE_ARRAY', 'INTEGER_ARRAY',
                                  'DOUBLE_ARRAY', 'STRING_ARRAY'])  # fmt: skip
@pytest.mark.parametrize('name', ['label_list', 'image_mean'])
def test_a_list_is_emptied_by_an_empty_list_of_any_type(open_node, kind, name):
    node = open_node("label_list:=['a', 'b']", 'image_mean:=[1.0]')
    empty = None if kind == 'NOT_SET' else []
    assert node.set_parameters_atomically(
        [Parameter(name, Parameter.Type[kind], empty)]
    ).successful
    assert node.get_parameter(name).value == []
    assert getattr(parameters.read(node), name) == ()


def test_a_config_refuses_unknown_choices_by_name():
    with pytest.raises(ConfigError, match="padding_type is 'LEFT'; it must be one of"):
        DetectorConfig(padding_type='LEFT')


def test_rclpy_is_real():
    assert rclpy.utilities.get_rmw_implementation_identifier() == 'rmw_fastrtps_cpp'
