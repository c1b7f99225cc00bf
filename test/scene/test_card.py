from dla_ros.record.record import DeploymentRecord
from dla_ros.scene.card import write_null_network, write_shape_detector
import pytest


@pytest.mark.parametrize('encoding', ['rgb8', 'bgr8', 'mono8'])
@pytest.mark.parametrize('write', [write_shape_detector, write_null_network])
def test_the_record_beside_a_network_fits_it(tmp_path, write, encoding):
    path = tmp_path / 'net.onnx'
    written = write(path, (96, 96), encoding=encoding)
    record = DeploymentRecord.beside(path)
    assert record == written
    record.check_artifact(path)
    assert record.preprocessing.encoding == encoding
    assert record.head.name == 'centernet'


def test_the_shape_detector_names_its_classes_and_its_int8_steps(tmp_path):
    record = write_shape_detector(tmp_path / 'net.onnx', (96, 96))
    assert record.labels == ('red', 'green', 'blue', 'white')
    assert set(record.scales) == {'images', 'heatmap', 'size', 'shift'}
