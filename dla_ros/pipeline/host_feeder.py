"""Pictures prepared by the CPU, on the slot's stream."""

from collections.abc import Callable
from functools import partial

from dla_ros.array_image import Load, load_image
from dla_ros.devices.protocol import Buffer, Bytes, Stream
from dla_ros.errors import DeviceError, ImageError
from dla_ros.pipeline.outcome import Picture
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocessing import Preprocessing
from dla_ros.tensors.spec import TensorSpec


class HostFeeder:
    """Load and prepare on the stream's own thread: the caller waits for neither."""

    def __init__(
        self, preprocessing: Preprocessing, spec: TensorSpec, buffer: Buffer, stream: Stream
    ) -> None:
        """Prepare the tables; raise DeviceError for a buffer that the CPU cannot reach."""
        self._input = _reachable(buffer)
        self._stream = stream
        self._preprocessor = HostPreprocessor.open(preprocessing, spec)
        self._picture: Picture | None = None
        self._invalid: ImageError | None = None

    def submit(self, load: Load, on_ready: Callable[[], None]) -> None:
        """Enqueue loading and preparing."""
        self._stream.enqueue(partial(self._prepare, load, on_ready))

    def take(self) -> Picture:
        """Give the picture; raise ImageError if there was none."""
        picture, invalid = self._picture, self._invalid
        # The picture may be large, and the slot idle for long: it is not kept.
        self._picture = self._invalid = None
        if invalid is not None:
            raise invalid
        assert picture is not None
        return picture

    def close(self) -> None:
        """Do nothing: all memory is Python's."""

    def _prepare(self, load: Load, on_ready: Callable[[], None]) -> None:
        try:
            image = load_image(load)
            self._picture = Picture(image, self._preprocessor.prepare(image, self._input))
        except ImageError as error:
            self._invalid = error
        finally:
            on_ready()


def _reachable(buffer: Buffer) -> Bytes:
    if buffer.host is None:
        raise DeviceError(
            'the network input is out of reach of the CPU, which prepares the pictures'
        )
    return buffer.host
