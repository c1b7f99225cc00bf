"""What became of every frame, by source."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from threading import Lock


class Stage(Enum):
    """
    Say where a frame is, or how it ended; each received frame is at exactly one stage.

    SUPERSEDED: left out because a newer one of its source, or the end of the pipeline, took its
    place. INVALID: its image could not be read. FAILED: the engine failed before its result.
    """

    WAITING = 'waiting'
    IN_FLIGHT = 'in_flight'
    PROCESSED = 'processed'
    SUPERSEDED = 'superseded'
    INVALID = 'invalid'
    FAILED = 'failed'


@dataclass(frozen=True, slots=True)
class Counts:
    """Hold the frames received and those at each stage, at one moment."""

    received: int = 0
    waiting: int = 0
    in_flight: int = 0
    processed: int = 0
    superseded: int = 0
    invalid: int = 0
    failed: int = 0

    def as_dict(self) -> dict[str, int]:
        """Give the numbers by name, for tables and diagnostics."""
        return asdict(self)

    @property
    def is_balanced(self) -> bool:
        """Tell whether every received frame is accounted for once."""
        return self.received == (
            self.waiting + self.in_flight + self.processed + self.superseded + self.invalid
            + self.failed
        )  # fmt: skip

    @classmethod
    def total(cls, parts: Iterable['Counts']) -> 'Counts':
        """Add counts up."""
        rows = list(parts)
        return cls(**{name: sum(getattr(row, name) for row in rows) for name in cls.__slots__})


@dataclass(frozen=True)
class Snapshot:
    """Hold the counts of each source, and of all, at one moment."""

    by_source: Mapping[str, Counts]
    total: Counts

    def of(self, source: str) -> Counts:
        """Give the counts of one source, all zero if nothing came from it."""
        return self.by_source.get(source, Counts())


class Counters:
    """Count frames in and from stage to stage; each step is one whole, seen from any thread."""

    def __init__(self) -> None:
        """Start with no source."""
        self._lock = Lock()
        self._received: Counter[str] = Counter()
        self._stages: dict[str, Counter[Stage]] = {}

    def receive(self, source: str) -> None:
        """Count a new frame of ``source``, waiting."""
        with self._lock:
            self._received[source] += 1
            self._stages.setdefault(source, Counter())[Stage.WAITING] += 1

    def move(self, source: str, start: Stage, end: Stage) -> None:
        """Count a frame of ``source`` away from one stage and to the next."""
        with self._lock:
            stages = self._stages[source]
            stages[start] -= 1
            stages[end] += 1

    def snapshot(self) -> Snapshot:
        """Give the counts of this moment, which later frames do not change."""
        with self._lock:
            rows = {source: self._counts(source) for source in self._stages}
        return Snapshot(rows, Counts.total(rows.values()))

    def _counts(self, source: str) -> Counts:
        stages = {stage.value: number for stage, number in self._stages[source].items()}
        return Counts(received=self._received[source], **stages)
