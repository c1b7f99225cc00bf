"""The thread that waits for the slots and tells the results."""

from collections.abc import Callable
from functools import partial
from threading import current_thread, Thread
from time import perf_counter_ns

from dla_ros.errors import ImageError
from dla_ros.pipeline.counters import Stage
from dla_ros.pipeline.dispatch import Dispatch
from dla_ros.pipeline.frame import Frame, Listeners, Outcome, Result, Timings
from dla_ros.pipeline.postprocess import Postprocess
from dla_ros.pipeline.slot import Slot
from dla_ros.pipeline.watchdog import Watchdog

_NS_PER_MS = 1e6


class Completion:
    """
    Wait for slots in the order of their submission, GIL released, and finish their frames.

    The first failure ends it: it is told once, and every frame left counts as failed.
    """

    def __init__(
        self,
        dispatch: Dispatch,
        watchdog: Watchdog,
        postprocess: Postprocess,
        listeners: Listeners | None,
    ) -> None:
        """Start the thread; it is a daemon, so a hung engine cannot keep the process."""
        self._dispatch = dispatch
        self._watchdog = watchdog
        self._postprocess = postprocess
        self._listeners = listeners
        self._is_abandoned = False
        self.is_broken = False
        self._thread = Thread(target=self._run, name='pipeline-completion', daemon=True)
        self._thread.start()

    @property
    def is_current_thread(self) -> bool:
        """Tell whether the caller is one of the listeners."""
        return current_thread() is self._thread

    def wait(self, timeout_s: float) -> bool:
        """Wait for the end; False if it does not come in time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def join(self, timeout_s: float) -> bool:
        """
        Wait for the end, which ``Dispatch.end`` has put behind the last frame.

        If it does not come in time give False; whatever comes later is then told to nobody.
        """
        self._thread.join(timeout_s)
        self._is_abandoned = self._thread.is_alive()
        return not self._is_abandoned

    def _run(self) -> None:
        take = self._dispatch.submitted.get
        try:
            while (submitted := take()) is not None:
                answer = self._finish(*submitted)
                # While the thread sleeps in take() it keeps no frame, and who has the answer may
                # do with the image what they like.
                del submitted
                if answer is not None:
                    answer()
                    del answer
        except Exception as error:
            self._fail(error)

    def _finish(self, slot: Slot, frame: Frame) -> Callable[[], None] | None:
        """Tell the listeners, or return what answers whoever waits for this frame."""
        self._watchdog.wait(slot)
        if self._is_abandoned:
            return None
        started_ns = perf_counter_ns()
        try:
            outcome = slot.take()
        except ImageError as error:
            self._dispatch.free(slot)
            return self._tell_invalid(frame, error)
        copied_ns = perf_counter_ns() - started_ns
        # Only now: until here the outputs were being read.
        self._dispatch.free(slot)
        if frame.answer is not None:
            detections = self._postprocess.detect(outcome)
            is_open = self._dispatch.finish(frame, Stage.PROCESSED)
            return partial(frame.answer.set_result, detections) if is_open else None
        if self._listeners is not None:
            self._listeners.on_result(self._to_result(frame, outcome, copied_ns))
        self._dispatch.finish(frame, Stage.PROCESSED)
        return None

    def _tell_invalid(self, frame: Frame, error: ImageError) -> Callable[[], None] | None:
        if frame.answer is not None:
            is_open = self._dispatch.finish(frame, Stage.INVALID)
            return partial(frame.answer.set_exception, error) if is_open else None
        if self._listeners is not None:
            self._listeners.on_invalid(frame, error)
        self._dispatch.finish(frame, Stage.INVALID)
        return None

    def _to_result(self, frame: Frame, outcome: Outcome, copied_ns: int) -> Result:
        started_ns = perf_counter_ns()
        detections = self._postprocess.detect(outcome)
        now_ns = perf_counter_ns()
        timings = Timings(
            outcome.preprocess_ms,
            outcome.inference_ms,
            postprocess_ms=(copied_ns + now_ns - started_ns) / _NS_PER_MS,
            total_ms=(now_ns - frame.received_ns) / _NS_PER_MS,
        )
        return Result(frame, outcome.picture.image, detections, timings)

    def _fail(self, error: Exception) -> None:
        self.is_broken = True
        self._dispatch.fail(error)
        if self._listeners is not None and not self._is_abandoned:
            self._listeners.on_failure(error)
