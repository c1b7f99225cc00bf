"""Frames in, detections out, with several frames in flight."""

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock

from dla_ros.detections import Detections
from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Engine
from dla_ros.errors import DeviceError, EngineError
from dla_ros.heads.protocol import Head
from dla_ros.held import Held
from dla_ros.images.array_image import Load
from dla_ros.owner import Owner
from dla_ros.pipeline.completion import Completion
from dla_ros.pipeline.counters import Snapshot, Stage
from dla_ros.pipeline.dispatch import Dispatch
from dla_ros.pipeline.frame import Frame, Listeners, OnFailure, OnInvalid, OnResult, Thresholds
from dla_ros.pipeline.postprocess import Postprocess
from dla_ros.pipeline.slot import Slot
from dla_ros.pipeline.submitter import open_submitters
from dla_ros.pipeline.watchdog import Watchdog
from dla_ros.preprocess.preprocessing import Preprocessing

# What closing gives each slot, and the listeners, beyond the watchdog's own time.
GRACE_S = 0.25
# What frames that are waited for are counted under.
ASKED = 'detect'


class Pipeline(Owner):
    """
    Run frames through preprocessing, engine and head, ``slots`` of them at a time.

    Engine and device are borrowed: the pipeline is closed first, then they. All methods may be
    called from any thread; listeners run on a thread of the pipeline and must not close it.
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        watchdog: Watchdog,
        postprocess: Postprocess,
        listeners: Listeners | None,
    ) -> None:
        """Start with what ``open`` has opened."""
        self._slots = slots
        self._has_listeners = listeners is not None
        self._watchdog = watchdog
        self._postprocess = postprocess
        self._dispatch = Dispatch(slots)
        self._completion = Completion(self._dispatch, watchdog, postprocess, listeners)
        self._closing = Lock()
        self._is_closed = False
        self.abandoned_slots = 0

    @classmethod
    def open(
        cls,
        engine: Engine,
        device: Device,
        head: Head,
        preprocessing: Preprocessing,
        *,
        on_result: OnResult | None = None,
        on_invalid: OnInvalid | None = None,
        on_failure: OnFailure | None = None,
        slots: int = 2,
        thresholds: Thresholds | None = None,
        watchdog_s: float = 2.0,
    ) -> 'Pipeline':
        """
        Take ``slots`` (1 or more) times what one frame needs, and start.

        The listeners are for frames that are offered; for ``submit`` none are needed.
        ``on_result(result)`` and ``on_invalid(frame, error)`` come in the order of the frames.
        ``on_failure(error)`` comes at most once: an EngineError, an EngineHangError if a task did
        not come back within ``watchdog_s`` seconds, or what the head or a listener raised; then
        the pipeline is broken for good. Raise EngineError or DeviceError if engine or device
        refuse, ConfigError or TensorError if the preprocessing does not fit the network;
        everything taken is given back before.
        """
        listeners = Listeners.of(on_result, on_invalid, on_failure)
        if slots < 1:
            raise ValueError(f'a pipeline of {slots} slots cannot carry a frame; use 1 or more')
        if len(engine.inputs) != 1:
            names = ', '.join(str(spec) for spec in engine.inputs)
            raise EngineError(f'the network has {len(engine.inputs)} inputs ({names}); needs one')
        opened: list[Slot] = []
        postprocess = Postprocess(head, thresholds or Thresholds())
        with Held() as undo:
            submitters = open_submitters(device, slots)
            for submitter in submitters:
                undo.callback(submitter.close)
            for submitter in submitters:
                opened.append(Slot(engine, device, preprocessing, postprocess, submitter))
                undo.callback(opened[-1].close)
            pipeline = cls(opened, Watchdog(engine, watchdog_s), postprocess, listeners)
            undo.pop_all()
        return pipeline

    def offer(self, frame: Frame) -> None:
        """
        Take a frame and return at once: to a free slot, or to wait in place of an older one.

        A frame offered to a broken or closed pipeline counts as failed. Raise RuntimeError where
        there are no listeners, since nobody would hear of it.
        """
        if not self._has_listeners:
            raise RuntimeError(
                'nobody listens for the result of an offered frame: open with on_result, '
                'on_invalid and on_failure, or use detect'
            )
        self._dispatch.offer(frame)

    def submit(self, load: Load) -> 'Future[Detections]':
        """
        Take an image and return at once; no other takes its place.

        The future holds the detections, or the error: ImageError for this image, what broke the
        pipeline, or EngineError where it is closed. Listeners are not called.
        """
        self._refuse_listener('wait for')
        answer: Future[Detections] = Future()
        self._dispatch.offer(Frame(ASKED, None, load, answer=answer))
        return answer

    @property
    def thresholds(self) -> Thresholds:
        """Give the limits of results; assign others at any time, for the next result on."""
        return self._postprocess.thresholds

    @thresholds.setter
    def thresholds(self, thresholds: Thresholds) -> None:
        self._postprocess.thresholds = thresholds

    @property
    def counts(self) -> Snapshot:
        """Give what has become of the frames so far."""
        return self._dispatch.counters.snapshot()

    @property
    def is_broken(self) -> bool:
        """Tell whether ``on_failure`` was called, or is about to be."""
        return self._completion.is_broken

    def drain(self, timeout_s: float | None = None) -> bool:
        """Wait until no frame waits or is in flight; False if time ran out before."""
        self._refuse_listener('drain')
        return self._dispatch.wait_quiet(timeout_s)

    def close(self) -> None:
        """
        Let frames in flight end, leave out those that wait, then release; again does nothing.

        Pictures that are being loaded are waited for. What hangs is waited for as long as the
        watchdog does and ``GRACE_S`` more, for each slot.
        If something still runs then, all slots are abandoned (``abandoned_slots``): streams and
        memory stay, for the device may still write there. Do not close the engine in that case
        (cudla.h: destroying a device with tasks in flight "can lead to application crashes"); its
        handle is lost until the process ends.
        """
        self._refuse_listener('close')
        with self._closing:
            if self._is_closed:
                return
            self._is_closed = True
            closed = EngineError('the detector is closed; open it again')
            self._dispatch.stop(Stage.SUPERSEDED, closed)
            if self._end(closed) and all(slot.is_idle(GRACE_S) for slot in self._slots):
                self._release()
            else:
                self.abandoned_slots = len(self._slots)

    def _end(self, reason: Exception) -> bool:
        """Let what is in flight be submitted and finished; False if it is not."""
        is_submitted = self._dispatch.end(self._watchdog.timeout_s + GRACE_S)
        patience_s = self._watchdog.timeout_s * len(self._slots) + GRACE_S
        while not self._completion.wait(patience_s) and self._waited_for_pictures():
            pass
        is_finished = self._completion.join(0.0)
        self._dispatch.fail(reason)
        return is_submitted and is_finished

    def _waited_for_pictures(self) -> bool:
        """Wait for the pictures that the CPU is at; False if there are none."""
        slow = [slot for slot in self._slots if slot.is_preparing]
        for slot in slow:
            with suppress(EngineError, DeviceError):  # what broke a stream, the completion tells
                self._watchdog.wait_ready(slot)
        return bool(slow)

    def _release(self) -> None:
        """Close every slot, even where one refuses."""
        with Held() as each:
            for slot in self._slots:
                each.callback(slot.close)

    def _refuse_listener(self, verb: str) -> None:
        if self._completion.is_current_thread:
            raise RuntimeError(f'a listener cannot {verb} the pipeline, which waits for it')
