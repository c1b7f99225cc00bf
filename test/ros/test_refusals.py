"""What configure refuses: a sentence that names it, the node unconfigured and ready again."""

import hashlib

import pytest
from rclpy.parameter import Parameter

PLAN = b'ptrt' + bytes(64)  # how a TensorRT engine begins


@pytest.fixture
def files(shapes, tmp_path):
    """Give engine files that cannot work, by name."""
    good = (shapes / 'shapes.dla').read_bytes()
    contents = {'empty': b'', 'truncated': good[: len(good) // 2], 'plan': PLAN, 'other': good}
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)
    record = (shapes / 'shapes.dla.yaml').read_text()
    wrong = hashlib.sha256(b'another file').hexdigest()
    (tmp_path / 'other.yaml').write_text(record.replace(hashlib.sha256(good).hexdigest(), wrong))
    (tmp_path / 'labels.txt').write_text('one\ntwo\nthree\n')
    return tmp_path


CASES = {
    'no engine is named': ({'engine_file_path': ''}, ['engine_file_path is empty']),
    'the engine is missing': ({'engine_file_path': '{files}/no.dla'}, ['no.dla', 'cannot read']),
    'the engine is empty': ({'engine_file_path': '{files}/empty'}, ['empty']),
    'the engine is cut off': ({'engine_file_path': '{files}/truncated'}, ['truncated']),
    'a TensorRT plan': (
        {'engine_file_path': '{files}/plan'}, ['TensorRT', '--buildDLAStandalone'],
    ),
    'a wrong checksum': ({'engine_file_path': '{files}/other'}, ['sha256', 'other']),
    'a head that wants other outputs': ({'head': 'detectnet_v2'}, ["head 'detectnet_v2'", '3']),
    'an unknown head': ({'head': 'yolov99'}, ['yolov99', 'nanodet']),
    'labels that do not fit': ({'label_path': '{files}/labels.txt'}, ['labels 3', 'classes']),
    'a label file that is missing': ({'label_path': '{files}/no.txt'}, ['no.txt']),
    'labels given twice': (
        {'label_path': '{files}/labels.txt', 'label_list': ['a']}, ['label_list', 'label_path'],
    ),
    'a core that does not exist': ({'dla_core': 7}, ['7', '0', '1']),
    'a core below zero': ({'dla_core': -1}, ['dla_core', '-1', '0 to']),
    'an unknown QoS': ({'input_qos': 'BANANA'}, ['BANANA', 'SENSOR_DATA']),
    'two topics in one place': ({'image_topics': ['/a/x', '/a/y']}, ['/a/x', '/a/y']),
    'a topic with a blank': ({'image_topics': ['/front camera/image']}, ['/front camera/image']),
    'a topic in other letters': ({'image_topics': ['/käfer/image']}, ['/käfer/image', 'right']),
    'a topic named twice': ({'image_topics': ['image', '/image']}, ["'image'", "'/image'"]),
    'a folder for an engine': ({'engine_file_path': '{files}'}, ['directory', 'engine_file_path']),
    'no topic at all': ({'image_topics': ['']}, ['image_topics']),
    'the driver is missing': (
        {'dla_emulator_options': 'driver=missing'}, ['15', 'driver'],
    ),
    'the driver is too old': ({'dla_emulator_options': 'driver=old'}, ['libnvcudla.so']),
    'the file is for other DLA software': (
        {'dla_emulator_options': 'fail=load:1'}, ['UMD (7)', '--buildDLAStandalone'],
    ),
    'libcudla does not fit the DLA': (
        {'dla_emulator_options': 'fail=create:1:10'}, ['INCOMPATIBLE_DLA_SW_VERSION', 'libcudla'],
    ),
    'the core has no room': (
        {'dla_emulator_options': 'fail=create:1:2'}, ['16 handles', 'dla_core'],
    ),
    'a machine without a DLA': (
        {'dla_emulator_options': 'cores=0'}, ['no DLA', 'dla_device: emulator', 'backend: onnx'],
    ),
    'emulator options that mean nothing': ({'dla_emulator_options': 'speed=9'}, ['speed=9']),
    'a backend that does not fit the file': ({'backend': 'onnx'}, ['onnx', 'loadable']),
    'a mean of the wrong length': ({'image_mean': [1.0, 2.0]}, ['mean', '2']),
}  # fmt: skip


@pytest.mark.parametrize('case', CASES)
def test_configure_is_refused_with_a_sentence(open_rig, files, shapes, log, case):
    values, words = CASES[case]
    placed = {
        name: value.format(files=files) if isinstance(value, str) else value
        for name, value in values.items()
    }
    rig = open_rig(**placed)
    assert not rig.lifecycle.change('configure')
    assert rig.lifecycle.state() == 'unconfigured'
    text = log.text
    assert 'configure failed: ' in text
    assert 'Traceback' not in text
    for word in words:
        assert word in text
    put_right(rig.node, placed, shapes)
    rig.activate()
    assert rig.show(rig.image()).detections


def put_right(node, wrong, shapes):
    """Set the parameters as they should have been; no new process is needed."""
    right = {
        'engine_file_path': str(shapes / 'shapes.dla'), 'head': '', 'label_path': '',
        'label_list': [], 'dla_core': 1, 'input_qos': 'SENSOR_DATA', 'image_topics': ['image'],
        'dla_emulator_options': 'driver=present', 'backend': 'auto', 'image_mean': [],
    }  # fmt: skip
    for name in wrong:
        kind = node.describe_parameter(name).type
        change = Parameter(name, Parameter.Type(kind), right[name])
        result = node.set_parameters([change])[0]
        assert result.successful, result.reason


def test_a_hung_task_sends_the_node_to_unconfigured_and_it_can_go_on(open_rig, log):
    rig = open_rig(dla_emulator_options='hang=submit:2', task_timeout_ms=300)
    rig.activate()
    assert rig.show(rig.image()).detections
    rig.camera().publish(rig.image(1))
    assert rig.spin_until(lambda: rig.lifecycle.state() == 'unconfigured')
    text = log.text
    assert 'the detector failed' in text
    assert 'DLA core 0 (emulated)' in text
    rig.node.set_parameters([Parameter('dla_emulator_options', value='cores=2')])
    rig.activate()
    assert rig.show(rig.image()).detections


@pytest.mark.parametrize('fault', ['fail=submit:2', 'fail=task:2'])
def test_a_failing_task_sends_the_node_to_unconfigured_and_it_can_go_on(open_rig, log, fault):
    rig = open_rig(dla_emulator_options=fault)
    rig.activate()
    assert rig.show(rig.image()).detections
    rig.camera().publish(rig.image(1))
    assert rig.spin_until(lambda: rig.lifecycle.state() == 'unconfigured')
    assert log.tells('the detector failed')
    rig.node.set_parameters([Parameter('dla_emulator_options', value='cores=2')])
    rig.activate()
    assert rig.show(rig.image()).detections
