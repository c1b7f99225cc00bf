from pathlib import Path
import subprocess
import sys

from dla_ros.engines.onnx_session import OnnxSession
from dla_ros.errors import EngineError
import numpy as np
from onnx import helper, TensorProto
import pytest


def model_bytes(dims=(1, 2, 3), operator='Neg', element=TensorProto.FLOAT) -> bytes:
    x = helper.make_tensor_value_info('x', element, dims)
    y = helper.make_tensor_value_info('y', element, dims)
    graph = helper.make_graph([helper.make_node(operator, ['x'], ['y'])], 'g', [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)])
    model.ir_version = 8
    return model.SerializeToString()


def test_a_model_runs_from_its_bytes():
    with OnnxSession.open(model_bytes()) as session:
        (result,) = session.run([np.ones((1, 2, 3), np.float32)])
    np.testing.assert_array_equal(result, -np.ones((1, 2, 3), np.float32))


def test_a_model_runs_from_its_file(tmp_path: Path):
    path = tmp_path / 'm.onnx'
    path.write_bytes(model_bytes())
    with OnnxSession.open(path, threads=1) as session:
        assert session.run([np.full((1, 2, 3), 2, np.float32)])[0].max() == -2


def test_ports_tell_name_sizes_and_type():
    with OnnxSession.open(model_bytes(element=TensorProto.FLOAT16)) as session:
        assert [(p.name, p.dims, p.dtype) for p in session.inputs] == [
            ('x', (1, 2, 3), np.dtype(np.float16))
        ]
        assert session.outputs[0].name == 'y'
        assert session.providers == ('CPUExecutionProvider',)


def test_a_provider_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(EngineError, match=r'NoSuchProvider.*it has:.*CPUExecutionProvider'):
        OnnxSession.open(model_bytes(), providers=['NoSuchProvider', 'CPUExecutionProvider'])


def test_no_provider_at_all_is_refused():
    with pytest.raises(EngineError, match=r'it has:.*CPUExecutionProvider'):
        OnnxSession.open(model_bytes(), providers=[])


def test_a_missing_library_is_named_with_its_command(monkeypatch):
    monkeypatch.setitem(sys.modules, 'onnxruntime', None)
    with pytest.raises(EngineError, match="pip install 'onnxruntime"):
        OnnxSession.open(model_bytes())


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(EngineError, match=r'no model file .*gone\.onnx'):
        OnnxSession.open(tmp_path / 'gone.onnx')


@pytest.mark.parametrize('junk', [b'', b'not a model, only some text', model_bytes()[:40]])
def test_a_broken_model_is_named_with_the_reason(tmp_path: Path, junk):
    path = tmp_path / 'broken.onnx'
    path.write_bytes(junk)
    with pytest.raises(EngineError, match=r'refuses .*broken\.onnx: \w+'):
        OnnxSession.open(path)


def test_a_named_dynamic_size_is_refused_with_the_way_to_fix_it():
    with pytest.raises(EngineError, match='--dim_param batch --dim_value 1'):
        OnnxSession.open(model_bytes(dims=('batch', 2, 3)))


def test_a_nameless_dynamic_size_is_refused_with_the_way_to_fix_it():
    with pytest.raises(EngineError, match='--input_name x --input_shape'):
        OnnxSession.open(model_bytes(dims=(None, 2, 3)))


def test_an_element_type_without_a_meaning_here_is_refused():
    with pytest.raises(EngineError, match=r"'x'.*tensor\(double\)"):
        OnnxSession.open(model_bytes(element=TensorProto.DOUBLE))


def test_zero_threads_are_refused():
    with pytest.raises(EngineError, match='0 threads'):
        OnnxSession.open(model_bytes(), threads=0)


def test_an_array_of_another_size_is_refused_with_the_model_named():
    session = OnnxSession.open(model_bytes())
    with pytest.raises(EngineError, match='failed on model in memory'):
        session.run([np.zeros((1, 2, 4), np.float32)])
    session.close()


def test_a_bound_run_reads_and_writes_the_arrays_themselves():
    source, target = np.ones((1, 2, 3), np.float32), np.zeros((1, 2, 3), np.float32)
    session = OnnxSession.open(model_bytes())
    run = session.bind([source], [target])
    source[:] = 4
    run()
    assert (target == -4).all()
    session.close()
    with pytest.raises(EngineError, match='closed'):
        run()


def test_arrays_that_do_not_fit_are_not_bound():
    good, bad = np.zeros((1, 2, 3), np.float32), np.zeros((1, 2, 3), np.float16)
    with OnnxSession.open(model_bytes()) as session:
        for arrays in ([good], [bad]), ([bad], [good]), ([good[:, :1]], [good]):
            with pytest.raises(ValueError, match='cannot be bound'):
                session.bind(*arrays)


def test_closing_twice_is_fine_and_running_afterwards_is_not():
    session = OnnxSession.open(model_bytes())
    session.close()
    session.close()
    with pytest.raises(EngineError, match='closed'):
        session.run([np.zeros((1, 2, 3), np.float32)])


def test_the_command_named_for_dynamic_sizes_exists_and_helps(tmp_path: Path):
    (tmp_path / 'in.onnx').write_bytes(model_bytes(dims=('batch', 2, 3)))
    command = '-m onnxruntime.tools.make_dynamic_shape_fixed --dim_param batch --dim_value 1'
    files = [str(tmp_path / 'in.onnx'), str(tmp_path / 'out.onnx')]
    subprocess.run([sys.executable, *command.split(), *files], check=True)
    with OnnxSession.open(tmp_path / 'out.onnx') as session:
        assert session.inputs[0].dims == (1, 2, 3)
