"""What is wrong with one camera, from the figures of the last seconds."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from dla_ros.health.finding import Finding, Level
from dla_ros.health.hearing import Hearing
from dla_ros.health.limits import Limits
from dla_ros.health.window import Flow, Tally, WINDOW_S

_LOSS_WARN, _LOSS_ERROR = 0.05, 0.5
_FEWEST_LOST = 2
_SLOW = 0.9  # of the expected rate; diagnostic_updater's tolerance
_RATE_AFTER_S = 3.0
_BACKLOG = 5  # more images than are in flight


@dataclass(frozen=True)
class CameraState:
    """
    Hold what is known of an image topic whose detector is active.

    Ages are seconds since the last one of this activation, None before the first. ``refusal``
    says why the newest refused image was refused, if that was within the window, and ``doubt``
    what kept a latency from being measured. Times are p50 and p99 in milliseconds:
    ``processing_ms`` since the arrival of an image, ``latency_ms`` since its stamp.
    """

    topic: str
    active_s: float = 0.0
    image_age_s: float | None = None
    detection_age_s: float | None = None
    flow: Flow | None = None
    refusal: str = ''
    doubt: Finding | None = None
    processing_ms: tuple[float, float] | None = None
    latency_ms: tuple[float, float] | None = None
    hearing: Hearing = field(default_factory=Hearing)
    causes: str = ''

    @property
    def silent_s(self) -> float:
        """Return the seconds without an image."""
        return self.active_s if self.image_age_s is None else self.image_age_s

    @property
    def unanswered_s(self) -> float:
        """Return the seconds without detections."""
        return self.active_s if self.detection_age_s is None else self.detection_age_s

    @property
    def late_ms(self) -> float:
        """Return the p99 of the latency, from the stamp where it can be measured; else 0."""
        _, p99 = self.latency_ms or self.processing_ms or (0.0, 0.0)
        return p99


def findings(state: CameraState, limits: Limits) -> Iterator[Finding]:
    """Yield what there is to say of a camera; nothing if all is well."""
    is_silent = state.silent_s >= limits.silence_s
    if is_silent:
        yield _silence(state)
    if state.hearing.misfit and (state.hearing.heard or not is_silent):
        yield state.hearing.misfit
    yield from _losses(state)
    if not is_silent:
        yield from _rates(state, limits)
        yield from _answers(state, limits)
    if state.doubt is not None:
        fate = 'left out' if state.doubt.level > Level.OK else 'no latency'
        text = f"pipeline_latency_ms of '{state.topic}' is {fate}: {state.doubt.text}"
        yield Finding(state.doubt.level, state.doubt.kind, text)


def _silence(state: CameraState) -> Finding:
    hearing = state.hearing
    told = f"no image of '{state.topic}' for {state.silent_s:.0f} s"
    if not hearing.heard:
        # one trouble, said at once as a misfit, and later as the cause of the silence
        kind = hearing.misfit.kind if hearing.misfit else hearing.absence
        return Finding(Level.ERROR, kind, f'{told}: {hearing.absence}')
    who = ', '.join(hearing.heard)
    if state.image_age_s is None:
        text = f'{told}, though {who} publishes it: {state.causes}'
    else:
        text = (
            f'{told}: {who} is still there; it has stopped, or its images are lost on the way '
            '(docs/transport.md)'
        )
    return Finding(Level.ERROR, 'silence', text)


def _losses(state: CameraState) -> Iterator[Finding]:
    flow = state.flow
    if flow is None or flow.counted.lost < _FEWEST_LOST or flow.loss < _LOSS_WARN:
        return
    sent = flow.counted.received + flow.counted.lost
    yield Finding(
        Level.ERROR if flow.loss >= _LOSS_ERROR else Level.WARN,
        'loss',
        f"{flow.loss:.0%} of the images of '{state.topic}' did not arrive ({flow.counted.lost} of "
        f'{sent} in {WINDOW_S:.0f} s): large images want the Fast DDS profile at both ends, those '
        'of another user are mostly lost (docs/transport.md), and a busy machine loses some',
    )


def _rates(state: CameraState, limits: Limits) -> Iterator[Finding]:
    flow = state.flow
    if flow is None or state.image_age_s is None or flow.span_s < _RATE_AFTER_S:
        return
    if flow.rate_in < _SLOW * limits.expected_rate:
        text = f"'{state.topic}' comes at {flow.rate_in:.1f} Hz, not {limits.expected_rate:g}"
        yield Finding(Level.WARN, 'slow', f'{text} (expected_rate)')


def _answers(state: CameraState, limits: Limits) -> Iterator[Finding]:
    counted = state.flow.counted if state.flow is not None else Tally()
    since_s = state.unanswered_s
    if state.refusal:
        yield _refused(state, counted)
    elif counted.received >= _BACKLOG and not counted.processed and since_s >= limits.unanswered_s:
        text = f"images of '{state.topic}' come, but no detections for {since_s:.0f} s"
        yield Finding(Level.ERROR, 'no detections', text)
    if limits.latency_limit_ms and state.late_ms > limits.latency_limit_ms:
        text = f"p99 of the latency of '{state.topic}' is {state.late_ms:.0f} ms, more than"
        yield Finding(Level.WARN, 'late', f'{text} {limits.latency_limit_ms} (latency_limit_ms)')


def _refused(state: CameraState, counted: Tally) -> Finding:
    refused = max(counted.invalid, 1)  # the newest may have come after the last look
    is_all = refused > 1 and not counted.processed
    return Finding(
        Level.ERROR if is_all else Level.WARN,
        'refused',
        f"{refused} of {max(counted.received, refused)} images of '{state.topic}' could not be "
        f'read in {WINDOW_S:.0f} s; the newest: {state.refusal}',
    )
