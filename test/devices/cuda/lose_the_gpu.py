"""A detector whose GPU is lost in the middle; the context of a process does not come back."""

from pathlib import Path
import sys
import time

from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.emulator.build import emulate
from dla_ros.errors import DeviceError
from dla_ros.image import ImageView
from dla_ros.pipeline.frame import Frame
from dla_ros.scene.card import write_shape_detector
import numpy as np

folder, failures, results = Path(sys.argv[1]), [], []
write_shape_detector(folder / 'shapes.onnx', (160, 160))
emulate(folder / 'shapes.onnx', folder / 'shapes.dla')
config = DetectorConfig(
    engine_file_path=str(folder / 'shapes.dla'), device='cuda', dla_device='emulator'
)
told = {'on_result': results.append, 'on_invalid': print, 'on_failure': failures.append}
detector = Detector.open(config, **told)
picture = ImageView('rgb8', 144, 160, (np.zeros((144, 160, 3), np.uint8),))


def offer_and_wait(done):
    detector.offer(Frame('camera', None, lambda: picture))
    deadline = time.monotonic() + 30
    while not done and time.monotonic() < deadline:
        time.sleep(0.01)


offer_and_wait(results)
for slot in detector._pipeline._slots:
    # What a broken driver or chip does: the kernel now writes where no memory is.
    slot._feeder._preprocessor._launcher.parameters.out = 1 << 50
offer_and_wait(failures)
print(len(results), 'found, then:', type(failures[0]).__name__, failures[0])
detector.close()
try:
    Detector.open(config, **told)
except DeviceError as error:
    print('again:', error)
