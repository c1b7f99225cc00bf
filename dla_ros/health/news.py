"""Which findings are worth a line in the log."""

from collections.abc import Callable, Iterable
from time import monotonic

from dla_ros.health.finding import Finding

_AGAIN_AFTER_S = 60.0


class News:
    """Let each kind of finding through when it appears; one that comes and goes, once a minute."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Start with nothing told; ``clock`` counts seconds."""
        self._clock = clock
        self._present: set[str] = set()
        self._told_s: dict[str, float] = {}

    def of(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return what is new among the findings of this moment."""
        now_s = self._clock()
        rows = list(findings)
        fresh = [row for row in rows if row.kind not in self._present]
        self._present = {row.kind for row in rows}
        self._told_s = {k: at for k, at in self._told_s.items() if now_s - at < _AGAIN_AFTER_S}
        new = [row for row in fresh if row.kind not in self._told_s]
        self._told_s.update((row.kind, now_s) for row in new)
        return new
