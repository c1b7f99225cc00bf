"""The fused kernel as a benchmark drives it: sources on the device, one after the other."""

from dla_ros.devices.cuda.memory import copy_to_device
from dla_ros.images.image import to_image_view
from dla_ros.preprocess.cuda import launcher as launcher_module
from dla_ros.preprocess.cuda import route as route_module
from dla_ros.preprocess.cuda.preprocessor import CudaPreprocessor
from dla_ros.preprocess.preprocessing import Preprocessing
import numpy as np

SOURCES = 16  # turned through, so that no source is in a cache from the last time
PREPROCESSING = Preprocessing()


class Fused:
    """Hold a preprocessor that has seen one picture, and many sources of that size."""

    def __init__(self, device, spec, source_hw, *, picks=True, block=None):
        kept = route_module.WORTH_PICKING, launcher_module.BLOCK
        route_module.WORTH_PICKING = kept[0] if picks else 0.0
        launcher_module.BLOCK = block or kept[1]
        self.stream = device.open_stream()
        self.spec = spec
        self.out = device.allocate(spec.size)
        self.preprocessor = CudaPreprocessor.open(PREPROCESSING, spec, device)
        height, width = source_hw
        data = np.random.default_rng(0).integers(0, 256, height * width * 3, np.uint8)
        self.image = to_image_view(
            data, height=height, width=width, encoding='rgb8', step=width * 3
        )
        self.letterbox = self.prepare()
        self.stream.synchronize()
        self.launcher = self.preprocessor._launcher
        route_module.WORTH_PICKING, launcher_module.BLOCK = kept
        self.source_bytes = self.preprocessor._route.nbytes
        self.sources = [device.allocate(self.source_bytes) for _ in range(SOURCES)]
        pinned = self.preprocessor._staging._pinned
        for source in self.sources:
            copy_to_device(source.address, pinned.pointer, self.source_bytes, self.stream)
        self.stream.synchronize()

    @property
    def touched_bytes(self):
        """Count source bytes read and target bytes written by one launch."""
        box, (height, width) = self.letterbox, self.spec.height_width
        written = self.spec.size * box.height * box.width // (height * width)
        return self.source_bytes + written

    def prepare(self):
        """Do all that a frame costs: staging, copy, launch."""
        return self.preprocessor.prepare(self.image, self.out, self.stream)

    def launch(self, number):
        """Launch on one of the sources."""
        self.launcher.parameters.first = self.sources[number % SOURCES].address
        self.launcher.launch(self.stream.handle)

    def close(self):
        for each in (self.preprocessor, self.out, *self.sources, self.stream):
            each.close()
