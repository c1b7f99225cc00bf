from dla_ros.cli.main import main
from dla_ros.emulator.build import emulate
from dla_ros.scene.null_network import build_null_network
import pytest


def test_tensors_and_blobs_are_shown(tmp_path, capsys):
    (tmp_path / 'net.onnx').write_bytes(build_null_network((32, 48)))
    emulate(tmp_path / 'net.onnx', tmp_path / 'net.dla')
    assert main(['inspect', str(tmp_path / 'net.dla')]) == 0
    text = capsys.readouterr().out
    for word in ('images', '1x3x32x48', 'fp16:chw16', 'heatmap', 'blob dla_ros.model.onnx'):
        assert word in text


@pytest.mark.parametrize(
    ('content', 'said'),
    [(b'', 'an empty file'), (b'ptrt and more', 'TensorRT engine'), (b'....NVDA....', 'broken')],
)
def test_what_is_no_loadable_is_one_sentence(tmp_path, capsys, content, said):
    path = tmp_path / 'net.dla'
    path.write_bytes(content)
    assert main(['inspect', str(path)]) == 1
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"dla_ros inspect: '{path}'")
    assert said in complaint
