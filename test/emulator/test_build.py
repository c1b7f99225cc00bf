from dataclasses import replace

from dla_ros.emulator.build import emulate
from dla_ros.errors import LoadableError, RecordError, TensorError
from dla_ros.loadable.loadable import Loadable
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.record.check import sha256_of
from dla_ros.record.record import DeploymentRecord
from dla_ros.record.sections import Artifact, Head, Port, Source
from dla_ros.tensors.format import DataType, Layout
import numpy as np
import onnx
from onnx import helper, TensorProto
import pytest

CARD = DeploymentRecord(
    source=Source(licence='MIT'),
    preprocessing=Preprocessing('bgr8', (100.0, 110.0, 120.0), (50.0, 51.0, 52.0)),
    head=Head('nanodet', {'reg_max': 7}),
    labels=('a', 'b'),
)


@pytest.fixture
def out(tmp_path):
    return tmp_path / 'net.dla'


def test_the_loadable_keeps_names_and_sizes_of_the_model(model, out):
    emulate(model, out, input_format='fp16:dla_linear')
    loadable = Loadable.read(out)
    (x,) = loadable.inputs
    assert (x.name, x.dims, x.data_type, x.layout) == (
        'x', (1, 3, 6, 10), DataType.FP16, Layout.DLA_LINEAR,
    )  # fmt: skip
    assert [spec.name for spec in loadable.outputs] == ['double', 'half']


def test_the_record_beside_it_says_what_was_made_of_what(model, out):
    CARD.write(f'{model}.yaml')
    made = emulate(model, out)
    read = DeploymentRecord.beside(out)
    assert read == made
    assert read.source == Source(file='net.onnx', sha256=sha256_of(model), licence='MIT')
    assert read.artifact == Artifact('dla_emulator_loadable', sha256_of(out), out.stat().st_size)
    assert (read.runtime.mode, read.build.tool) == ('hybrid', 'dla_ros emulate')
    assert (read.preprocessing, read.head, read.labels) == (
        CARD.preprocessing, CARD.head, CARD.labels,
    )  # fmt: skip
    assert read.io.outputs == {'double': Port('fp16:chw16'), 'half': Port('fp16:chw16')}
    read.check_artifact(out)


def test_the_int8_step_of_an_input_follows_from_the_preprocessing(model, out):
    made = emulate(model, out, input_format='int8:chw32', record=CARD)
    assert made.scales == {'x': pytest.approx((255 - 100) / 50 / 127)}


def test_the_int8_steps_of_outputs_follow_from_calibration(model, out):
    samples = [np.full((1, 3, 6, 10), value, np.float32) for value in (-3.0, 2.0)]
    made = emulate(model, out, output_format='int8:chw32', calibration=samples, record=CARD)
    assert made.scales == {
        'double': pytest.approx(6 / 127), 'half': pytest.approx(2.5 / 127),
    }  # fmt: skip


def test_pictures_calibrate_as_the_node_would_feed_them(model, out):
    picture = np.zeros((6, 10, 3), np.uint8)
    picture[..., 2] = 255  # blue, the first channel of this network
    made = emulate(model, out, output_format='int8:chw32', calibration=[picture], record=CARD)
    assert made.scales['double'] == pytest.approx(2 * 155 / 50 / 127)


def test_scales_that_are_given_rule(model, out):
    recorded = replace(CARD, io=replace(CARD.io, inputs={'x': Port(scale=0.25)}))
    made = emulate(model, out, input_format='int8:chw32', record=recorded)
    assert made.scales == {'x': 0.25}
    made = emulate(model, out, input_format='int8:chw32', record=recorded, scales={'x': 0.5})
    assert made.scales == {'x': 0.5}


def test_each_tensor_may_have_its_own_format(model, out):
    emulate(model, out, output_format='fp16:chw16,int8:dla_linear', scales={'half': 0.1})
    assert [str(spec) for spec in Loadable.read(out).outputs] == [
        'double 1x3x6x10 fp16:chw16', 'half 1x3x6x10 int8:dla_linear',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('settings', 'error', 'said'),
    [
        ({'output_format': 'fp16'}, TensorError, "format 'fp16' is not TYPE:LAYOUT"),
        ({'output_format': 'fp16:chw16,' * 2 + 'fp16:chw16'}, LoadableError, '3 formats'),
        ({'input_format': 'fp32:linear'}, TensorError, 'a DLA takes and gives'),
        ({'output_format': 'fp16:chw32'}, TensorError, 'chw32 holds int8'),
        ({'output_format': 'int8:chw32'}, LoadableError, "'double'.*calibration pictures"),
        ({'input_format': 'int8:chw32'}, LoadableError, "'x'.*preprocessing"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(model, out, settings, error, said):
    with pytest.raises(error, match=said):
        emulate(model, out, **settings)
    assert not out.exists()


@pytest.mark.parametrize(
    ('content', 'said'),
    [
        (b'', 'an empty file'),
        (b'ftrt' + bytes(60), 'a TensorRT engine'),
        (b'\x08\x07\x12\x07pytorch' + b'\xff' * 60, 'is broken'),
    ],
)
def test_what_is_no_model_is_refused_by_name(tmp_path, out, content, said):
    path = tmp_path / 'bad.onnx'
    path.write_bytes(content)
    with pytest.raises(LoadableError, match=rf'bad\.onnx.*{said}'):
        emulate(path, out)


def test_a_missing_model_is_named(tmp_path, out):
    with pytest.raises(LoadableError, match=r'absent\.onnx.*No such file'):
        emulate(tmp_path / 'absent.onnx', out)


def test_a_model_that_is_not_the_recorded_one_is_refused(model, out):
    replace(CARD, artifact=Artifact('onnx_model', '0' * 64)).write(f'{model}.yaml')
    with pytest.raises(RecordError, match='sha256'):
        emulate(model, out)


def test_integer_outputs_are_refused(tmp_path, out):
    ports = [helper.make_tensor_value_info(name, TensorProto.INT64, [1, 2]) for name in 'xy']
    nodes = [helper.make_node('Identity', ['x'], ['y'])]
    graph = helper.make_graph(nodes, 'g', ports[:1], ports[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.save(model, tmp_path / 'int.onnx')
    with pytest.raises(LoadableError, match=r"'x'.*int64"):
        emulate(tmp_path / 'int.onnx', out)


def test_weights_in_a_file_of_their_own_are_taken_in(tmp_path, model, out):
    whole = onnx.load(model)
    weights = np.full((1, 3, 6, 10), 2.0, np.float32)
    del whole.graph.initializer[0]
    whole.graph.initializer.append(onnx.numpy_helper.from_array(weights, 'two'))
    folder = tmp_path / 'external'
    folder.mkdir()
    onnx.save(
        whole, folder / 'net.onnx', save_as_external_data=True, location='w.bin',
        size_threshold=0,
    )  # fmt: skip
    emulate(folder / 'net.onnx', out)
    (folder / 'w.bin').unlink()
    assert len(Loadable.read(out).blobs[0].data) > weights.nbytes
