"""An engine file that is exchanged while it is opened: what was checked is what runs."""

import os

from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector, detector
from dla_ros.emulator.build import emulate
from dla_ros.errors import RecordError
from dla_ros.record.record import DeploymentRecord, record_path
from dla_ros.scene.card import write_shape_detector
import pytest

SMALL, LARGE = (96, 128), (160, 192)


@pytest.fixture(params=['onnx', 'dla'])
def files(request, tmp_path):
    """Give two networks of different sizes, each with a record that has its checksum."""
    made = []
    for name, size in (('asked', SMALL), ('other', LARGE)):
        path = tmp_path / f'{name}.onnx'
        write_shape_detector(path, size, stride=8)
        if request.param == 'dla':
            path = path.with_suffix('.dla')
            emulate(tmp_path / f'{name}.onnx', path)
        made.append(path)
        assert DeploymentRecord.read(record_path(path)).artifact.sha256
    return made


def opened(path):
    return Detector.open(DetectorConfig(engine_file_path=str(path), dla_device='emulator'))


@pytest.mark.parametrize('step', ['read_network', 'device_for', 'Plan', 'open_device_for'])
def test_what_was_checked_is_what_runs(files, monkeypatch, step):
    asked, other = files
    real = getattr(detector, step)

    def exchange(*words):
        done = real(*words) if step != 'Plan' else real.of(*words)
        os.replace(other, asked)
        return done

    if step == 'Plan':
        monkeypatch.setattr(detector, step, type('Plan', (), {'of': staticmethod(exchange)}))
    else:
        monkeypatch.setattr(detector, step, exchange)
    with opened(asked) as found:
        assert 'x'.join(map(str, SMALL)) in found.facts['input'].replace(' ', '')


def test_what_is_not_what_was_recorded_is_refused(files):
    asked, other = files
    os.replace(other, asked)
    with pytest.raises(RecordError, match='is not the file that its record describes'):
        opened(asked)
