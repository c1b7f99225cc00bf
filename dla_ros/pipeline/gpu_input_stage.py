"""Pictures prepared by the GPU, in stream order."""

from collections.abc import Callable

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.protocol import Buffer, Stream
from dla_ros.errors import ImageError
from dla_ros.images.array_image import Load, load_image
from dla_ros.pipeline.frame import LetterboxedImage
from dla_ros.preprocess.cuda.preprocessor import CudaPreprocessor
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.tensors.spec import TensorSpec


class CudaInputStage:
    """Load and copy on the calling thread, the slot's submitter; convert on the GPU."""

    def __init__(
        self,
        device: CudaDevice,
        preprocessing: Preprocessing,
        spec: TensorSpec,
        buffer: Buffer,
        stream: Stream,
    ) -> None:
        """Compile and load the kernels, and use them once."""
        self._buffer = buffer
        self._stream = stream
        self._picture: LetterboxedImage | None = None
        self._invalid: ImageError | None = None
        self._preprocessor = CudaPreprocessor.open(preprocessing, spec, device)
        try:
            self._preprocessor.rehearse(buffer, stream)
        except BaseException:
            self._preprocessor.close()
            raise

    def submit(self, load: Load, on_ready: Callable[[], None]) -> None:
        """Copy what the kernel needs of the picture and enqueue the rest."""
        try:
            image = load_image(load)
            letterbox = self._preprocessor.prepare(image, self._buffer, self._stream)
            self._picture = LetterboxedImage(image, letterbox)
        except ImageError as error:
            self._invalid = error
        finally:
            on_ready()

    def take(self) -> LetterboxedImage:
        """Give the picture; raise ImageError if there was none."""
        picture, invalid = self._picture, self._invalid
        self._picture = self._invalid = None
        if invalid is not None:
            raise invalid
        assert picture is not None
        return picture

    def close(self) -> None:
        """Give memory and kernels back; a second call does nothing."""
        self._preprocessor.close()
