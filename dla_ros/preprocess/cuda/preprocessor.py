"""Pictures into a network's input, on the GPU."""

from pathlib import Path

from dla_ros.devices.cuda.compiler import cubin_of
from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.memory import clear
from dla_ros.devices.cuda.program import Program
from dla_ros.devices.protocol import Buffer, Stream
from dla_ros.images.image import ImageView, to_image_view
from dla_ros.preprocess.cuda.constants import Constants
from dla_ros.preprocess.cuda.family import FAMILIES
from dla_ros.preprocess.cuda.launcher import Launcher
from dla_ros.preprocess.cuda.route import Route
from dla_ros.preprocess.cuda.staging import Staging
from dla_ros.preprocess.cuda.variant import pixel_stride, Variant
from dla_ros.preprocess.fit import check_fit
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.preprocess.tables import to_tables
from dla_ros.tensors.spec import TensorSpec

SOURCE = Path(__file__).with_name('fused.cu')
_MOST_ROUTES = 8
_REHEARSAL = (1080, 1920)  # what most cameras give: the memory for it is taken then, too


class CudaPreprocessor:
    """
    Write the complete network input, in the type and layout of its tensor, for each picture.

    One kernel samples, converts, looks up and lays out; what it writes is to the bit what
    HostPreprocessor writes. Memory is taken when a size or a buffer comes for the first time, not
    for each frame. One instance for each slot, one picture in flight.
    """

    @classmethod
    def open(
        cls,
        preprocessing: Preprocessing,
        spec: TensorSpec,
        device: CudaDevice,
    ) -> 'CudaPreprocessor':
        """
        Compile or find the kernels and load them.

        Raise ConfigError if the settings do not fit the tensor, TensorError if int8 has no scale,
        DeviceError if the kernels cannot be compiled or loaded.
        """
        check_fit(preprocessing, spec)
        variant = Variant.of(spec, len(preprocessing.mean))
        architecture = 'sm_{}{}'.format(*device.compute_capability)
        cubin = cubin_of(SOURCE, variant.options, architecture)
        device.make_current()
        return cls(preprocessing, spec, device, Program(cubin, FAMILIES))

    def __init__(
        self,
        preprocessing: Preprocessing,
        spec: TensorSpec,
        device: CudaDevice,
        program: Program,
    ) -> None:
        """Use ``open``, which checks and compiles."""
        self._preprocessing = preprocessing
        self._spec = spec
        self._device = device
        self._program = program
        self._launcher = Launcher(program)
        self._constants = Constants(device, to_tables(preprocessing, spec), spec.height_width)
        self._staging = Staging(device)
        self._routes: dict[tuple[str, int, int, int, bool], Route] = {}
        self._route: Route | None = None
        self._out = 0
        self._fill_constants()

    @property
    def copied_bytes(self) -> int:
        """Give the bytes of pictures copied to the device so far."""
        return self._staging.copied_bytes

    def prepare(self, image: ImageView, buffer: Buffer, stream: Stream) -> Letterbox:
        """
        Copy ``image`` to where the GPU reads it, enqueue the rest, give its place.

        The image is no longer needed on return; the input is written when ``stream`` gets there.
        The stream must have passed the last picture. Raise DeviceError if the GPU refuses.
        """
        self._device.make_current()
        route = self._route_for(image)
        if route is not self._route or buffer.address != self._out:
            self._take(route, buffer, stream)
        self._staging.put(image, route, stream)
        self._launcher.launch(stream.handle)
        if self._is_fresh:
            self._aim_at_picture(route)
        return route.letterbox

    def rehearse(self, buffer: Buffer, stream: Stream) -> None:
        """
        Prepare a black picture and wait for it, so that the first frame is one like the others.

        The driver takes tens of milliseconds for the first copy and launch of a process.
        """
        height, width = _REHEARSAL
        black = bytes(height * width * 3)
        image = to_image_view(black, height=height, width=width, encoding='rgb8', step=width * 3)
        self.prepare(image, buffer, stream)
        stream.synchronize()

    def close(self) -> None:
        """Give memory and kernels back, the stream being idle; a second call does nothing."""
        self._staging.close()
        self._constants.close()
        self._program.close()

    def _take(self, route: Route, buffer: Buffer, stream: Stream) -> None:
        """Turn to other pictures or another buffer: the next launch writes all of the tensor."""
        self._route = None
        told = self._launcher.parameters
        self._staging.reserve(route.nbytes)
        self._constants.put_axes(route.columns, route.rows, stream)
        route.fill(told, is_blue_first=self._preprocessing.encoding == 'bgr8')
        told.first = self._staging.address
        told.second = self._staging.address + route.pitch * route.letterbox.source[0]
        told.rows = self._constants.rows_address
        told.out = buffer.address
        clear(buffer.address, self._spec.size, stream)
        height, width = self._spec.height_width
        self._launcher.aim(route.family.kernel, (0, height), (0, width))
        self._route, self._out, self._is_fresh = route, buffer.address, True

    def _aim_at_picture(self, route: Route) -> None:
        """From now on write the picture alone: padding stays as it is."""
        box = route.letterbox
        rows, columns = (box.top, box.top + box.height), (box.left, box.left + box.width)
        self._launcher.aim(route.family.kernel, rows, columns)
        self._is_fresh = False

    def _fill_constants(self) -> None:
        told = self._launcher.parameters
        told.tables = self._constants.tables_address
        told.columns = self._constants.columns_address
        told.line_stride, told.plane_stride = self._spec.line_stride, self._spec.plane_stride
        told.pixel_stride = pixel_stride(self._spec, len(self._preprocessing.mean))
        told.padding_value = self._preprocessing.padding_value

    def _route_for(self, image: ImageView) -> Route:
        pitch = image.planes[0].strides[0]
        key = (image.encoding, image.height, image.width, pitch, image.is_bigendian)
        route = self._routes.get(key)
        if route is None:
            if len(self._routes) >= _MOST_ROUTES:
                self._routes.clear()
            padding = self._preprocessing.padding
            box = Letterbox.fit(image.height_width, self._spec.height_width, padding)
            route = self._routes[key] = Route.of(image, box)
        return route
