import cv2
from dla_ros.cli.emulate import read_scales
from dla_ros.cli.main import main
from dla_ros.errors import ConfigError
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.record.record import DeploymentRecord
from dla_ros.scene.null_network import build_null_network
import numpy as np
import pytest


@pytest.fixture
def model(tmp_path):
    path = tmp_path / 'net.onnx'
    path.write_bytes(build_null_network((32, 48)))
    DeploymentRecord(preprocessing=Preprocessing()).write(f'{path}.yaml')
    return path


def test_pictures_and_steps_make_an_int8_loadable(model, tmp_path, capsys):
    picture, out = tmp_path / 'a.png', tmp_path / 'net.dla'
    cv2.imwrite(str(picture), np.zeros((20, 30, 3), np.uint8))
    words = ['emulate', str(model), '-o', str(out), '--input-format', 'int8:dla_hwc4',
             '--output-format', 'int8:chw32', '--scale', 'heatmap=0.5',
             '--calibration', str(picture)]  # fmt: skip
    assert main(words) == 0
    assert capsys.readouterr().out.split() == [str(out), f'{out}.yaml']
    assert DeploymentRecord.beside(out).scales == {
        'images': pytest.approx(1 / 127), 'heatmap': 0.5,
        'size': pytest.approx(1 / 127), 'shift': pytest.approx(0.5 / 127),
    }  # fmt: skip


def test_a_step_belongs_to_a_tensor_even_if_its_name_has_a_sign():
    assert read_scales(['a=0.5', 'b=c=1e-3']) == {'a': 0.5, 'b=c': 0.001}


@pytest.mark.parametrize('word', ['a', '=1', 'a=0', 'a=-1', 'a=x', 'a=nan', 'a=inf'])
def test_what_is_no_step_is_refused(word):
    with pytest.raises(ConfigError, match=f"'{word}' is not TENSOR=STEP"):
        read_scales([word])
