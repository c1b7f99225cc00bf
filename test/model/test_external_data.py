"""Models that keep their weights in files beside them: found, held to their folder, checked."""

import hashlib

from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator.build import emulate
from dla_ros.engines.onnx import OnnxEngine
from dla_ros.errors import EngineError, RecordError
from dla_ros.model.external_data import external_files
from dla_ros.record.record import DeploymentRecord
from dla_ros.record.sections import Artifact
import numpy as np
import onnx
from onnx import helper, numpy_helper
import pytest

WEIGHTS = 'net.weights'


def save(folder, fill=1.0, location=WEIGHTS):
    """Write a network whose one kernel lies in a file of its own."""
    folder.mkdir(exist_ok=True)
    kernel = np.full((16, 3, 3, 3), fill, np.float32)
    tensor = numpy_helper.from_array(kernel, 'kernel')
    (folder / WEIGHTS).write_bytes(tensor.raw_data)
    tensor.ClearField('raw_data')
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.external_data.add(key='location', value=location)
    tensor.external_data.add(key='length', value=str(kernel.nbytes))
    values = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, dims)
        for name, dims in (('image', [1, 3, 16, 16]), ('out', [1, 16, 14, 14]))
    ]
    node = helper.make_node('Conv', ['image', 'kernel'], ['out'])
    graph = helper.make_graph([node], 'net', values[:1], values[1:], [tensor])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    (folder / 'net.onnx').write_bytes(model.SerializeToString())
    return folder / 'net.onnx'


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def found(path):
    return external_files(path, path.read_bytes())


def test_the_files_are_found_wherever_a_tensor_may_stand(tmp_path):
    inner = onnx.load(save(tmp_path), load_external_data=False)
    node = helper.make_node('If', ['c'], ['o'], then_branch=inner.graph, else_branch=inner.graph)
    model = helper.make_model(helper.make_graph([node], 'outer', [], []))
    (tmp_path / 'outer.onnx').write_bytes(model.SerializeToString())
    assert found(tmp_path / 'outer.onnx') == (tmp_path / WEIGHTS,)


def test_a_model_in_one_piece_refers_to_nothing(tmp_path):
    model = onnx.load(save(tmp_path))
    onnx.save(model, tmp_path / 'whole.onnx')
    assert found(tmp_path / 'whole.onnx') == ()


@pytest.mark.parametrize('location', ['../secret', '/etc/hostname', 'a/../../secret', 'link'])
def test_a_reference_that_leaves_the_folder_is_refused_by_all_who_read_models(tmp_path, location):
    (tmp_path / 'secret').write_bytes(bytes(1728))
    path = save(tmp_path / 'models', location=location)
    (tmp_path / 'models' / 'link').symlink_to(tmp_path / 'secret')
    with HostDevice.open() as device:
        for read in (
            found,
            lambda path: OnnxEngine.open(path, device),
            lambda path: emulate(path, tmp_path / 'out.dla'),
        ):
            with pytest.raises(EngineError, match='outside its own folder') as caught:
                read(path)
            assert location in str(caught.value)


def test_a_model_that_is_linked_somewhere_takes_its_linked_weights_along(tmp_path):
    """Colcon build --symlink-install does so."""
    path = save(tmp_path / 'source')
    (tmp_path / 'install').mkdir()
    for file in (path, tmp_path / 'source' / WEIGHTS):
        (tmp_path / 'install' / file.name).symlink_to(file)
    assert found(tmp_path / 'install' / 'net.onnx') == (tmp_path / 'install' / WEIGHTS,)


def test_missing_weights_are_named(tmp_path):
    path = save(tmp_path)
    (tmp_path / WEIGHTS).unlink()
    with pytest.raises(EngineError, match=r'net\.weights.*copy it along'):
        found(path)


def test_other_weights_are_another_artifact(tmp_path):
    path = save(tmp_path)
    weights = {WEIGHTS: digest(tmp_path / WEIGHTS)}
    artifact = Artifact('onnx_model', digest(path), external_data=weights)
    record = DeploymentRecord(artifact=artifact)
    record.write(tmp_path / 'net.onnx.yaml')
    DeploymentRecord.beside(path).check_artifact(path)
    save(tmp_path, fill=2.0)
    with pytest.raises(RecordError, match=r'net\.weights.*does not hold the weights'):
        DeploymentRecord.beside(path).check_artifact(path)


def test_a_checksum_that_leaves_the_weights_out_is_refused_with_the_line_to_add(tmp_path):
    path = save(tmp_path)
    with pytest.raises(RecordError) as caught:
        DeploymentRecord(artifact=Artifact(sha256=digest(path))).check_artifact(path)
    assert f'external_data: {{{WEIGHTS}: {digest(tmp_path / WEIGHTS)}}}' in str(caught.value)


def test_nothing_is_checked_where_no_checksum_was_written_down(tmp_path):
    DeploymentRecord().check_artifact(save(tmp_path))


def test_the_record_of_a_loadable_tells_the_weights_it_was_made_of(tmp_path):
    path = save(tmp_path)
    record = emulate(path, tmp_path / 'net.dla')
    assert record.source.external_data == {WEIGHTS: digest(tmp_path / WEIGHTS)}
    assert DeploymentRecord.beside(tmp_path / 'net.dla') == record
