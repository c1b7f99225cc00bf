"""Any value of any type for any parameter: the node lives, and configure says what is wrong."""

from array import array

from dla_ros.config import settings
from dla_ros.errors import ConfigError
from dla_ros.ros.detector_node import DetectorNode
from hypothesis import given, HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
import pytest
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.msg import ParameterValue
from rclpy.parameter import Parameter

TYPE = Parameter.Type
INTEGERS = st.sampled_from([0, 1, -1, 2, 7, 255, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63)])
DOUBLES = st.one_of(
    st.floats(width=64),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.1, 60.0, 1e308, float('inf'), float('nan')]),
)
ODD = (
    '', ' ', '/', '.', '..', '~', '~nobody_here/x', '\0', 'a\0b', 'a' * 5000, '/dev/null',
    '/proc/self/mem', '/tmp', 'no/such', 'auto', 'raw', '{', '[]', '{}', '{"a": {"b": []}}', '%s',
    'a b', '//', '/a//b', '{node}', 'ä', 'image', 'true', '0', '-1', '1e400', '\n', '\ud7ff',
    'task_ms=nan', 'fail=submit:99999999999999999999',
)  # fmt: skip
STRINGS = st.one_of(
    st.text(st.characters(exclude_categories=['Cs']), max_size=20), st.sampled_from(ODD)
)
VALUES = {
    TYPE.NOT_SET: st.none(),
    TYPE.BOOL: st.booleans(),
    TYPE.INTEGER: INTEGERS,
    TYPE.DOUBLE: DOUBLES,
    TYPE.STRING: STRINGS,
    TYPE.BYTE_ARRAY: st.lists(st.integers(0, 255).map(lambda each: bytes([each])), max_size=3),
    TYPE.BOOL_ARRAY: st.lists(st.booleans(), max_size=3),
    TYPE.INTEGER_ARRAY: st.lists(INTEGERS, max_size=3).map(lambda each: array('q', each)),
    TYPE.DOUBLE_ARRAY: st.lists(DOUBLES, max_size=3).map(lambda each: array('d', each)),
    TYPE.STRING_ARRAY: st.lists(STRINGS, max_size=3),
}
OWN = settings()
OF_RCLPY = ('use_sim_time', 'start_type_description_service')
FIELDS = {
    TYPE.BOOL: 'bool_value', TYPE.INTEGER: 'integer_value', TYPE.DOUBLE: 'double_value',
    TYPE.STRING: 'string_value', TYPE.BYTE_ARRAY: 'byte_array_value',
    TYPE.BOOL_ARRAY: 'bool_array_value', TYPE.INTEGER_ARRAY: 'integer_array_value',
    TYPE.DOUBLE_ARRAY: 'double_array_value', TYPE.STRING_ARRAY: 'string_array_value',
}  # fmt: skip


@st.composite
def parameters(draw, names):
    """Give a parameter as a client sends it, of any type and value."""
    kind = draw(st.sampled_from(list(VALUES)))
    return Parameter(draw(names), kind, draw(VALUES[kind]))


def usual(**options):
    return hypothesis_settings(
        suppress_health_check=[HealthCheck.function_scoped_fixture], **options
    )


def is_right(parameter):
    """Tell whether the table takes a value, with what stands for an empty list."""
    row, value = OWN.get(parameter.name), parameter.value
    if row is None:
        return isinstance(value, bool)
    if row.is_list and (value is None or (not isinstance(value, str) and list_of(value) == [])):
        return True
    try:
        row.check(parameter.name, value)
    except ConfigError:
        return False
    return True


def list_of(value):
    return list(value) if hasattr(value, '__iter__') else [value]


@pytest.fixture
def live(ros_context, log):
    """Give a function that opens a node and one that says what was logged since."""
    nodes = []

    def make(overrides=()):
        nodes.append(DetectorNode('any', parameter_overrides=list(overrides)))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()


@usual(max_examples=60)
@given(data=st.data())
def test_any_values_at_start_are_told_by_configure(live, log, data):
    names = [*OWN, *OF_RCLPY]
    given_ones = [data.draw(parameters(st.just(name))) for name in names]
    before = log.text
    node = live(given_ones)
    wrong = {each.name for each in given_ones if not is_right(each)}
    assert set(node.faults) == wrong
    for name, sentence in node.faults.items():
        assert sentence.startswith(f'{name} is ')
        assert 'must be' in sentence
    for name, row in OWN.items():
        row.check(name, node.get_parameter(name).value)
    node.trigger_configure()
    assert node._state_machine.current_state[1] == 'unconfigured'
    said = log.text.removeprefix(before)
    assert 'configure failed: ' in said
    assert 'Traceback' not in said
    node.destroy_node()


@usual(max_examples=300)
@given(change=parameters(st.sampled_from([*OWN, *OF_RCLPY, 'no_such', 'qos_overrides./image'])))
def test_any_change_is_made_or_refused_with_a_reason(one_node, change):
    message = ParameterMessage(name=change.name, value=ParameterValue(type=change.type_.value))
    if change.type_ is not TYPE.NOT_SET:
        setattr(message.value, FIELDS[change.type_], change.value)
    asked = Parameter.from_parameter_msg(message)
    if not one_node.has_parameter(asked.name):
        return
    result = one_node.set_parameters_atomically([asked])
    assert result.successful or asked.name in result.reason
    assert not result.successful or is_right(asked)
    for name, row in OWN.items():
        row.check(name, one_node.get_parameter(name).value)


@pytest.fixture
def one_node(live):
    return live()


TEXTS = [name for name, row in OWN.items() if row.kind is str and not row.choices]


@pytest.mark.parametrize('engine', ['shapes.dla', 'shapes.onnx'])
@pytest.mark.parametrize('name', TEXTS)
def test_any_text_is_told_by_configure_in_a_sentence(one_node, shapes, log, name, engine):
    is_list = OWN[name].is_list
    kind = TYPE.STRING_ARRAY if is_list else TYPE.STRING
    for change in ({'engine_file_path': str(shapes / engine), 'dla_device': 'emulator'}).items():
        one_node.set_parameters([Parameter(change[0], value=change[1])])
    for text in ODD:
        one_node.set_parameters([Parameter(name, kind, [text] if is_list else text)])
        for transition in ('configure', 'activate', 'deactivate', 'cleanup'):
            getattr(one_node, f'trigger_{transition}')()
            if one_node._state_machine.current_state[1] == 'unconfigured':
                break
        assert one_node._state_machine.current_state[1] == 'unconfigured'
        assert 'Traceback' not in log.text, text
