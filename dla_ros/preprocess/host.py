"""Pictures into a network's input, on the CPU."""

from dla_ros.images.image import ImageView
from dla_ros.preprocess.canvas import Canvas
from dla_ros.preprocess.fit import check_fit
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.preprocess.route import Route
from dla_ros.preprocess.tables import to_tables
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.view import Bytes

_MOST_ROUTES = 8  # sizes and encodings remembered; each holds up to one converted source picture


class HostPreprocessor:
    """
    Write the complete network input, in the type and layout of its tensor, for each picture.

    A picture is converted to 8-bit pixels of the network's colours (``pixels``), scaled
    (``sample`` states the rule to the bit), and each pixel looked up in a table that holds the
    finished value. No float picture in between; memory is taken when a size, an encoding or a
    buffer comes for the first time, not for each frame. For one thread at a time: one instance
    for each slot.
    """

    @classmethod
    def open(cls, preprocessing: Preprocessing, spec: TensorSpec) -> 'HostPreprocessor':
        """
        Prepare the tables for one network input.

        Raise ConfigError if the settings do not fit the tensor, TensorError if int8 has no scale.
        """
        check_fit(preprocessing, spec)
        return cls(preprocessing, spec)

    def __init__(self, preprocessing: Preprocessing, spec: TensorSpec) -> None:
        """Use ``open``, which checks."""
        self._preprocessing = preprocessing
        self._spec = spec
        self._tables = to_tables(preprocessing, spec)
        self._canvas: Canvas | None = None
        self._routes: dict[tuple[str, int, int], Route] = {}

    def prepare(self, image: ImageView, out: Bytes) -> Letterbox:
        """
        Write ``image`` into ``out`` (uint8, at least the tensor's size) and give its place.

        When ``out`` is the same object as last time, only the picture is written: what surrounds
        it is expected to be as it was left. Raise TensorError for a buffer that is too small.
        """
        if self._canvas is None or self._canvas.out is not out:
            value = self._preprocessing.padding_value
            self._canvas = Canvas(self._spec, out, self._tables, value)
        route = self._route_for(image, self._canvas)
        self._canvas.place(route.letterbox).write(route.to_planes(image))
        return route.letterbox

    def _route_for(self, image: ImageView, canvas: Canvas) -> Route:
        key = (image.encoding, image.height, image.width)
        route = self._routes.get(key)
        if route is None:
            if len(self._routes) >= _MOST_ROUTES:
                self._routes.clear()
                canvas.forget_targets()
            letterbox = Letterbox.fit(
                image.height_width, self._spec.height_width, self._preprocessing.padding
            )
            route = self._routes[key] = Route(image, self._preprocessing.encoding, letterbox)
        return route
