"""The input stage: what writes an image into a network's input, in stream order."""

from collections.abc import Callable
from functools import partial
from typing import cast, Protocol, TYPE_CHECKING

from dla_ros.devices.protocol import Buffer, Bytes, Device, Stream
from dla_ros.engines.protocol import Binding
from dla_ros.errors import DeviceError, ImageError
from dla_ros.images.array_image import Load, load_image
from dla_ros.pipeline.frame import LetterboxedImage
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.tensors.spec import TensorSpec

if TYPE_CHECKING:
    from dla_ros.devices.cuda.device import CudaDevice


class InputStage(Protocol):
    """Belong to one slot: to its stream, its input, and one picture at a time."""

    def submit(self, load: Load, on_ready: Callable[[], None]) -> None:
        """
        Bring the picture that ``load`` gives into the input, in stream order.

        ``on_ready()`` is called when the CPU has no more to do for it, whatever came of it.

        An image that cannot be read is told by ``take``; the input then keeps what it held, and
        the stream stays whole. Raise DeviceError if the device refuses.
        """

    def take(self) -> LetterboxedImage:
        """
        Give the picture submitted last and forget it; the stream has passed it.

        Raise ImageError if it could not be read.
        """

    def close(self) -> None:
        """Give memory back, the stream being idle; a second call does nothing."""


class HostInputStage:
    """Load and prepare on the stream's own thread: the caller waits for neither."""

    def __init__(
        self, preprocessing: Preprocessing, spec: TensorSpec, buffer: Buffer, stream: Stream
    ) -> None:
        """Prepare the tables; raise DeviceError for a buffer that the CPU cannot reach."""
        self._input = _reachable(buffer)
        self._stream = stream
        self._preprocessor = HostPreprocessor.open(preprocessing, spec)
        self._picture: LetterboxedImage | None = None
        self._invalid: ImageError | None = None

    def submit(self, load: Load, on_ready: Callable[[], None]) -> None:
        """Enqueue loading and preparing."""
        self._stream.enqueue(partial(self._prepare, load, on_ready))

    def take(self) -> LetterboxedImage:
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
            self._picture = LetterboxedImage(image, self._preprocessor.prepare(image, self._input))
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


def open_input_stage(
    device: Device, preprocessing: Preprocessing, spec: TensorSpec, binding: Binding
) -> InputStage:
    """
    Open what fills the binding's one input on its stream.

    Raise ConfigError or TensorError if the settings do not fit the network, DeviceError if the
    device refuses.
    """
    buffer, stream = binding.inputs[0], binding.stream
    if device.name != 'cuda':
        return HostInputStage(preprocessing, spec, buffer, stream)
    # CUDA's package is needed only where there is a GPU.
    from dla_ros.pipeline.gpu_input_stage import CudaInputStage

    return CudaInputStage(cast('CudaDevice', device), preprocessing, spec, buffer, stream)
