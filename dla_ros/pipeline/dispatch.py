"""Bringing waiting frames to free slots, in order, from whichever thread comes by."""

from collections import deque
from collections.abc import Sequence
from queue import SimpleQueue
from threading import Condition, Lock

from dla_ros.errors import again
from dla_ros.pipeline.counters import Counters, Stage
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.mailbox import Mailbox
from dla_ros.pipeline.slot import Slot


class Dispatch:
    """
    Own the mailbox and the free slots; count what becomes of every frame.

    ``submitted`` gives slots and their frames in the order of submission, and None after ``end``.
    Nobody ever waits here for an engine: one thread at a time submits, and another that finds it
    at work leaves its frame in the mailbox for it. Frames with an answer get an error there when
    nothing will come of them.
    """

    def __init__(self, slots: Sequence[Slot]) -> None:
        """Start with all slots free."""
        self.counters = Counters()
        self.submitted: SimpleQueue[tuple[Slot, Frame] | None] = SimpleQueue()
        self._mailbox = Mailbox()
        self._free = deque(slots)
        self._in_flight: set[Frame] = set()
        self._refusal: Exception | None = None
        self._quiet = Condition(Lock())
        self._turn = Lock()

    def offer(self, frame: Frame) -> None:
        """Take a frame in and return at once; refused ones count as failed."""
        self.counters.receive(frame.source)
        with self._quiet:
            refusal = self._refusal
            dropped = self._mailbox.put(frame) if refusal is None else None
        if refusal is not None:
            self._drop(frame, Stage.WAITING, Stage.FAILED, again(refusal))
        elif dropped is not None:
            self.counters.move(dropped.source, Stage.WAITING, Stage.SUPERSEDED)
        self._run()

    def free(self, slot: Slot) -> None:
        """Use ``slot`` for the next frame: everything of its last one has been read."""
        with self._quiet:
            self._free.append(slot)
        self._run()

    def finish(self, frame: Frame, stage: Stage) -> bool:
        """
        Count the end of a frame in flight.

        One that already counts as failed stays so; False then: it has had its answer.
        """
        with self._quiet:
            is_open = frame in self._in_flight
            if is_open:
                self._in_flight.remove(frame)
                self.counters.move(frame.source, Stage.IN_FLIGHT, stage)
            self._tell_if_quiet()
            return is_open

    def stop(self, waiting: Stage, reason: Exception) -> None:
        """Refuse frames from now on; those that wait end at stage ``waiting``."""
        with self._quiet:
            if self._refusal is None:
                self._refusal = reason
            for frame in self._mailbox.clear():
                self._drop(frame, Stage.WAITING, waiting, reason)
            self._tell_if_quiet()

    def fail(self, reason: Exception) -> None:
        """Stop, and count every frame on its way as failed."""
        self.stop(Stage.FAILED, reason)
        with self._quiet:
            while self._in_flight:
                self._drop(self._in_flight.pop(), Stage.IN_FLIGHT, Stage.FAILED, reason)
            self._tell_if_quiet()

    def end(self, timeout_s: float) -> bool:
        """
        Put the end behind the last submission, which may take ``timeout_s`` to return.

        False if it does not: whoever submits may still touch its slot.
        """
        is_mine = self._turn.acquire(timeout=timeout_s)
        self.submitted.put(None)
        if is_mine:
            self._turn.release()
        return is_mine

    def wait_quiet(self, timeout_s: float | None) -> bool:
        """Wait until no frame waits or is in flight; False if time ran out."""
        with self._quiet:
            return self._quiet.wait_for(self._is_quiet, timeout_s)

    def _run(self) -> None:
        # Asking again after giving the turn back catches a frame whose thread saw the turn taken.
        while self._has_work() and self._turn.acquire(blocking=False):
            try:
                self._submit_one()
            finally:
                self._turn.release()

    def _submit_one(self) -> None:
        with self._quiet:
            if not self._has_work():
                return
            slot, frame = self._free.popleft(), self._mailbox.take()
            self._in_flight.add(frame)
            self.counters.move(frame.source, Stage.WAITING, Stage.IN_FLIGHT)
        slot.submit(frame)
        self.submitted.put((slot, frame))

    def _drop(self, frame: Frame, start: Stage, end: Stage, reason: Exception) -> None:
        self.counters.move(frame.source, start, end)
        if frame.answer is not None:
            frame.answer.set_exception(reason)

    def _has_work(self) -> bool:
        return bool(self._free) and bool(self._mailbox)

    def _is_quiet(self) -> bool:
        return not self._in_flight and not self._mailbox

    def _tell_if_quiet(self) -> None:
        if self._is_quiet():
            self._quiet.notify_all()
