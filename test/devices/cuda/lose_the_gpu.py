"""A detector whose GPU is lost in the middle; the context of a process does not come back."""

from pathlib import Path
import sys
from threading import Event as Gate

from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.emulator.build import emulate
from dla_ros.errors import DlaRosError
from dla_ros.images.image import ImageView
from dla_ros.pipeline.frame import Frame
from dla_ros.scene.card import write_shape_detector
import numpy as np

folder, told = Path(sys.argv[1]), Gate()
write_shape_detector(folder / 'shapes.onnx', (160, 160))
emulate(folder / 'shapes.onnx', folder / 'shapes.dla')
config = DetectorConfig(
    engine_file_path=str(folder / 'shapes.dla'), device='cuda', dla_device='emulator'
)
picture = ImageView('rgb8', 144, 160, (np.zeros((144, 160, 3), np.uint8),))


def say(what):
    def listener(*words):
        print(
            f'{what}:', *(str(word) for word in words if isinstance(word, Exception)), flush=True
        )
        told.set()

    return listener


def open_detector():
    return Detector.open(
        config, on_result=say('found'), on_invalid=say('invalid'), on_failure=say('failed')
    )


def attempt(what, work):
    try:
        return work()
    except DlaRosError as error:
        print(f'{what}: {error}', flush=True)


detector = open_detector()
for is_lost in (False, False, True):
    if is_lost:
        for slot in detector._pipeline._slots:
            # What a broken chip or driver does: the kernel now writes where no memory is.
            slot._input_stage._preprocessor._launcher.parameters.out = 1 << 50
    told.clear()
    # Both slots are on their way when it happens: neither's work may be waited for afterwards.
    for camera in ('left', 'right')[: 1 + is_lost]:
        detector.offer(Frame(camera, None, lambda: picture))
    told.wait(20)
attempt('close', detector.close)
print('closed', flush=True)
attempt('again', open_detector)
