"""What the detectors of one robot share, and whether there is enough of it."""

from collections.abc import Iterator, Sequence

from dla_ros.errors import RobotError
from dla_ros.robots.detector_entry import DetectorEntry

HANDLES_PER_CORE = 16  # cudla.h, cudlaCreateDevice


def check(robot: str, detectors: Sequence[DetectorEntry], dla_cores: int) -> None:
    """Raise RobotError for a core that is not there, too many handles, or a topic shared."""
    for entry in detectors:
        if entry.dla_core >= dla_cores:
            raise RobotError(
                f"{robot}: detector '{entry.name}' wants DLA core {entry.dla_core}, but dla_cores "
                f'is {dla_cores}; cores count from 0'
            )
    _check_handles(robot, detectors)
    _check_topics(robot, detectors)


def _check_handles(robot: str, detectors: Sequence[DetectorEntry]) -> None:
    by_core: dict[int, list[str]] = {}
    for entry in detectors:
        by_core.setdefault(entry.dla_core, []).append(entry.name)
    for core, names in by_core.items():
        if len(names) > HANDLES_PER_CORE:
            raise RobotError(
                f'{robot}: {len(names)} detectors on DLA core {core}, which gives away '
                f"{HANDLES_PER_CORE} device handles, one a detector; move '{names[-1]}' to "
                'another core, or give one detector several image_topics'
            )


def _check_topics(robot: str, detectors: Sequence[DetectorEntry]) -> None:
    seen: dict[str, DetectorEntry] = {}
    for entry in detectors:
        for topic in _topics(entry):
            other = seen.setdefault(topic, entry)
            if other is not entry and not _is_shareable(topic, other, entry):
                raise RobotError(
                    f"{robot}: detectors '{other.name}' and '{entry.name}' would both publish "
                    f"'{topic}'; give one a namespace of its own, or rename the topic, as "
                    f'remap: {{{topic}: {topic}_{entry.name}}}'
                )


def _topics(entry: DetectorEntry) -> Iterator[str]:
    yield from entry.topics().values()
    yield entry.label_topic()


def _is_shareable(topic: str, one: DetectorEntry, other: DetectorEntry) -> bool:
    """Tell whether both say the same there: the class names of the same network."""
    is_label = topic == one.label_topic() == other.label_topic()
    return is_label and one.engine == other.engine
