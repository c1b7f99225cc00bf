"""One place in flight: a stream, and all that one frame occupies while it is on it."""

from contextlib import ExitStack
from functools import partial

from dla_ros.devices.protocol import Bytes, Device, Event, Mirror
from dla_ros.engines.protocol import Binding, Engine
from dla_ros.errors import DeviceError, ImageError
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.outcome import Outcome, Picture
from dla_ros.pipeline.preparer import Preparer
from dla_ros.tensors.unpack import unpack


class Slot:
    """
    Own stream, binding, mirrors and events; carry one frame at a time.

    Between ``submit`` and the end of ``take`` everything here is in use: buffers, events and the
    preparer's memory. Nobody submits again before.
    """

    def __init__(self, engine: Engine, device: Device, preparer: Preparer) -> None:
        """Take everything from the device; if something is refused, give the rest back."""
        self._engine = engine
        self._preparer = preparer
        with ExitStack() as taken:
            self._stream = device.open_stream()
            taken.callback(self._stream.close)
            self._start, self._prepared, self._done = _open_events(device, taken)
            self._binding = engine.bind(self._stream)
            taken.callback(self._binding.close)
            self._input = _reachable(self._binding)
            self._mirrors = _open_mirrors(device, self._binding, taken)
            self._taken = taken.pop_all()
        self._picture: Picture | None = None
        self._invalid: ImageError | None = None
        self._refused: Exception | None = None
        self.is_closed = False

    def submit(self, frame: Frame) -> None:
        """Enqueue the whole way of ``frame`` and return; what is refused shows in ``wait``."""
        try:
            self._start.record(self._stream)
            self._stream.enqueue(partial(self._prepare, frame))
            self._prepared.record(self._stream)
            self._engine.submit(self._binding)
            for mirror in self._mirrors:
                mirror.fetch(self._stream)
            self._done.record(self._stream)
        except Exception as error:
            self._refused = error

    def wait(self, timeout_s: float) -> bool:
        """Wait for the frame's outputs; False if time ran out; raise what went wrong."""
        if self._refused is not None:
            raise self._refused
        return self._done.wait(timeout_s)

    @property
    def is_prepared(self) -> bool:
        """Tell whether the frame has got as far as the network."""
        return self._prepared.wait(0.0)

    def take(self) -> Outcome:
        """Copy the outputs out, after ``wait``; raise ImageError if there was no picture."""
        picture, invalid = self._picture, self._invalid
        # The picture may be large, and the slot idle for long: it is not kept.
        self._picture = self._invalid = None
        if invalid is not None:
            raise invalid
        assert picture is not None
        return Outcome(
            picture,
            [
                unpack(spec, mirror.host)
                for spec, mirror in zip(self._engine.outputs, self._mirrors, strict=True)
            ],
            preprocess_ms=self._prepared.elapsed_ms_since(self._start),
            inference_ms=self._done.elapsed_ms_since(self._prepared),
        )

    def close(self, timeout_s: float) -> bool:
        """
        Wait until the stream is idle, then give everything back; a second call does nothing.

        The order is cudla.h's: stream done, memory unregistered and freed, stream destroyed.
        False if work still runs after ``timeout_s``: then nothing is touched, for the device may
        still write there.
        """
        if self.is_closed:
            return True
        if not self._is_idle(timeout_s):
            return False
        self.is_closed = True
        self._taken.close()
        return True

    def _prepare(self, frame: Frame) -> None:
        """Write the picture into the input; on the stream."""
        try:
            image = frame.load()
            self._picture = Picture(image, self._preparer.prepare(image, self._input))
        except ImageError as error:
            # The run goes on with what the input holds, and its outputs are left unread: so the
            # stream stays whole, and the order of the frames too.
            self._invalid = error

    def _is_idle(self, timeout_s: float) -> bool:
        try:
            self._done.record(self._stream)
            return self._done.wait(timeout_s)
        except DeviceError:
            # A broken stream runs nothing any more; that it broke was told when it did.
            return True


def _open_events(device: Device, taken: ExitStack) -> list[Event]:
    events = []
    for _ in range(3):
        events.append(device.open_event())
        taken.callback(events[-1].close)
    return events


def _open_mirrors(device: Device, binding: Binding, taken: ExitStack) -> list[Mirror]:
    mirrors = []
    for buffer in binding.outputs:
        mirrors.append(device.open_mirror(buffer))
        taken.callback(mirrors[-1].close)
    return mirrors


def _reachable(binding: Binding) -> Bytes:
    host = binding.inputs[0].host
    if host is None:
        raise DeviceError(
            'the network input is out of reach of the CPU, which prepares the pictures'
        )
    return host
