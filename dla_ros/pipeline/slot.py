"""One place in flight: a stream, and all that one frame occupies while it is on it."""

from functools import partial
import threading
from time import monotonic

from dla_ros.devices.host.stream import Mark
from dla_ros.devices.protocol import Device, Event
from dla_ros.engines.protocol import Engine
from dla_ros.errors import DeviceError
from dla_ros.held import Held
from dla_ros.pipeline.frame import Frame, Outcome
from dla_ros.pipeline.input_stage import open_input_stage
from dla_ros.pipeline.output_stage import open_output_stage
from dla_ros.pipeline.postprocess import Postprocess
from dla_ros.pipeline.submitter import Submitter
from dla_ros.preprocess.preprocessing import Preprocessing


class Slot:
    """
    Own stream, binding, input stage, output stage and events; carry one frame at a time.

    Between ``submit`` and the end of ``take`` everything here is in use: buffers, events and the
    memory of both stages. Nobody submits again before. ``submitter`` may be shared
    by slots, which are closed together.
    """

    def __init__(
        self,
        engine: Engine,
        device: Device,
        preprocessing: Preprocessing,
        postprocess: Postprocess,
        submitter: Submitter,
    ) -> None:
        """Take everything from the device; if something is refused, give the rest back."""
        self._engine = engine
        self._submitter = submitter
        self._postprocess = postprocess
        with Held() as taken:
            taken.callback(submitter.close)
            self._stream = device.open_stream()
            taken.callback(self._stream.close)
            self._start, self._prepared, self._done = _open_events(device, taken)
            self._binding = engine.bind(self._stream)
            taken.callback(self._binding.close)
            self._input_stage = open_input_stage(
                device, preprocessing, engine.inputs[0], self._binding
            )
            taken.callback(self._input_stage.close)
            self._output_stage = open_output_stage(
                device, self._binding, engine.outputs, postprocess.head
            )
            taken.callback(self._output_stage.close)
            self._taken = taken.pop_all()
        self._submitted: Mark | None = None
        self._refused: Exception | None = None
        self._is_given = False  # whether all that prepares the picture is on the stream
        self._is_ready = threading.Event()  # not set while the CPU prepares a picture
        self._is_ready.set()
        self._ready_at: float | None = None

    def submit(self, frame: Frame) -> None:
        """Have the whole way of ``frame`` enqueued; what is refused shows in ``wait``."""
        self._is_given = False
        self._ready_at = None
        self._submitted = self._submitter.run(partial(self._submit, frame))

    def wait(self, timeout_s: float) -> bool:
        """Wait for the frame's outputs; False if time ran out; raise what went wrong."""
        deadline = monotonic() + timeout_s
        if not self._is_submitted(timeout_s):
            return False
        if self._refused is not None:
            raise self._refused
        return self._done.wait(max(deadline - monotonic(), 0.0))

    @property
    def ready_at(self) -> float | None:
        """Give when (time.monotonic) the CPU was done with the picture, None if it is not."""
        return self._ready_at

    @property
    def is_preparing(self) -> bool:
        """Tell whether the CPU is at the picture, or whoever loads it."""
        return not self._is_ready.is_set()

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait while the CPU is at the picture; False if time ran out before."""
        return self._is_ready.wait(timeout_s)

    @property
    def is_at_network(self) -> bool:
        """Tell whether the frame has got as far as the network."""
        return self._is_given and self._prepared.wait(0.0)

    def take(self) -> Outcome:
        """Copy the outputs out, after ``wait``; raise ImageError if there was no picture."""
        picture, readout = self._input_stage.take(), self._output_stage.take()
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
            if not self._is_submitted(timeout_s):
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
        self._is_ready.clear()
        try:
            self._start.record(self._stream)
            self._input_stage.submit(frame.load, self._on_ready)
            self._prepared.record(self._stream)
            self._is_given = True
            self._engine.submit(self._binding)
            self._output_stage.submit(self._postprocess.thresholds.confidence)
            self._done.record(self._stream)
        except Exception as error:
            self._refused = error
            self._on_ready()

    def _on_ready(self) -> None:
        if not self._is_ready.is_set():
            self._ready_at = monotonic()
            self._is_ready.set()

    def _is_submitted(self, timeout_s: float) -> bool:
        return self._submitted is None or self._submitted.wait(timeout_s)


def _open_events(device: Device, taken: Held) -> list[Event]:
    events = []
    for _ in range(3):
        events.append(device.open_event())
        taken.callback(events[-1].close)
    return events
