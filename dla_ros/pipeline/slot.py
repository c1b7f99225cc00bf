"""One place in flight: a stream, and all that one frame occupies while it is on it."""

from contextlib import ExitStack
from functools import partial
from time import monotonic

from dla_ros.devices.protocol import Device, Event
from dla_ros.engines.protocol import Engine
from dla_ros.errors import DeviceError
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.front import open_front
from dla_ros.pipeline.open_feeder import open_feeder
from dla_ros.pipeline.open_reader import open_reader
from dla_ros.pipeline.outcome import Outcome
from dla_ros.pipeline.postprocess import Postprocess
from dla_ros.preprocessing import Preprocessing


class Slot:
    """
    Own stream, binding, feeder, reader and events; carry one frame at a time.

    Between ``submit`` and the end of ``take`` everything here is in use: buffers, events and the
    memory of feeder and reader. Nobody submits again before.
    """

    def __init__(
        self,
        engine: Engine,
        device: Device,
        preprocessing: Preprocessing,
        postprocess: Postprocess,
    ) -> None:
        """Take everything from the device; if something is refused, give the rest back."""
        self._engine = engine
        self._postprocess = postprocess
        with ExitStack() as taken:
            self._stream = device.open_stream()
            taken.callback(self._stream.close)
            self._start, self._prepared, self._done = _open_events(device, taken)
            self._binding = engine.bind(self._stream)
            taken.callback(self._binding.close)
            self._feeder = open_feeder(device, preprocessing, engine.inputs[0], self._binding)
            taken.callback(self._feeder.close)
            self._reader = open_reader(device, self._binding, engine.outputs, postprocess.head)
            taken.callback(self._reader.close)
            self._front = open_front(device)
            taken.callback(self._front.close)
            self._taken = taken.pop_all()
        self._refused: Exception | None = None

    def submit(self, frame: Frame) -> None:
        """Enqueue the whole way of ``frame`` and return; what is refused shows in ``wait``."""
        self._front.run(partial(self._submit, frame))

    def wait(self, timeout_s: float) -> bool:
        """Wait for the frame's outputs; False if time ran out; raise what went wrong."""
        deadline = monotonic() + timeout_s
        if not self._front.wait(timeout_s):
            return False
        if self._refused is not None:
            raise self._refused
        return self._done.wait(max(deadline - monotonic(), 0.0))

    @property
    def is_prepared(self) -> bool:
        """Tell whether the frame has got as far as the network."""
        return self._front.wait(0.0) and self._prepared.wait(0.0)

    def take(self) -> Outcome:
        """Copy the outputs out, after ``wait``; raise ImageError if there was no picture."""
        picture, readout = self._feeder.take(), self._reader.take()
        return Outcome(
            picture,
            readout.outputs,
            preprocess_ms=self._prepared.elapsed_ms_since(self._start),
            inference_ms=self._done.elapsed_ms_since(self._prepared),
            found=readout.found,
        )

    def is_idle(self, timeout_s: float) -> bool:
        """Wait until the stream has nothing left to do; False if time ran out before."""
        deadline = monotonic() + timeout_s
        try:
            if not self._front.wait(timeout_s):
                return False
            self._done.record(self._stream)
            return self._done.wait(max(deadline - monotonic(), 0.0))
        except DeviceError:
            # A broken stream runs nothing any more; that it broke was told when it did.
            return True

    def close(self) -> None:
        """
        Give everything back, when all slots of the engine are idle; a second call does nothing.

        The order is cudla.h's: memory unregistered, then freed, then the stream destroyed.
        """
        self._taken.close()

    def _submit(self, frame: Frame) -> None:
        try:
            self._start.record(self._stream)
            self._feeder.submit(frame.load)
            self._prepared.record(self._stream)
            self._engine.submit(self._binding)
            self._reader.submit(self._postprocess.thresholds.confidence)
            self._done.record(self._stream)
        except Exception as error:
            self._refused = error


def _open_events(device: Device, taken: ExitStack) -> list[Event]:
    events = []
    for _ in range(3):
        events.append(device.open_event())
        taken.callback(events[-1].close)
    return events
