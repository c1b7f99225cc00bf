"""What the detectors of one robot share, and whether there is enough of it."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches

from dla_ros.errors import ConfigError, DlaRosError
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.topics import check_form, topics_of_a_node

HANDLES_PER_CORE = 16  # cudla.h, cudlaCreateDevice

Refuse = Callable[[tuple[str, ...], str], DlaRosError]  # key in the robot file, what is wrong


def check(detectors: Sequence[DetectorEntry], dla_cores: int, refuse: Refuse) -> None:
    """Raise what ``refuse`` makes of a missing core, an unknown or a shared topic, a full core."""
    _check_cores(detectors, dla_cores, refuse)
    _check_remaps(detectors, refuse)
    _check_handles(detectors, refuse)
    _check_forms(detectors, refuse)
    _check_topics(detectors, refuse)


def _check_cores(detectors: Sequence[DetectorEntry], dla_cores: int, refuse: Refuse) -> None:
    for entry in detectors:
        cores: dict[tuple[str, ...], int] = {(entry.name, 'dla_core'): entry.dla_core}
        if entry.fallback_engine is not None:
            other = entry.fallback_engine.parameters.get('dla_core', 0)
            cores[entry.name, 'fallback_engine', 'dla_core'] = other
        for where, core in cores.items():
            if core >= dla_cores:
                place = ('detectors', *where)
                raise refuse(place, f'is {core}, but dla_cores is {dla_cores}; cores count from 0')


def _check_remaps(detectors: Sequence[DetectorEntry], refuse: Refuse) -> None:
    for entry in detectors:
        for topic in entry.remap:
            if not entry.is_remappable(topic):
                place = ('detectors', entry.name, 'remap', topic)
                raise refuse(place, f'is no topic of the node; {_nearest(topic, entry)}')


def _nearest(topic: str, entry: DetectorEntry) -> str:
    known = topics_of_a_node(entry.config.image_topics)
    near = get_close_matches(topic, known, 1)
    return f"did you mean '{near[0]}'?" if near else f'its topics are: {", ".join(known)}'


def _check_handles(detectors: Sequence[DetectorEntry], refuse: Refuse) -> None:
    counts: dict[int, int] = {}
    for entry in detectors:
        core = entry.dla_core
        counts[core] = counts.get(core, 0) + 1
        if counts[core] > HANDLES_PER_CORE:
            raise refuse(
                ('detectors', entry.name),
                f'is detector {counts[core]} on DLA core {core}, which gives away '
                f'{HANDLES_PER_CORE} device handles, one a detector; move it to another core, or '
                'give one detector several image_topics',
            )


def _check_topics(detectors: Sequence[DetectorEntry], refuse: Refuse) -> None:
    seen: dict[str, DetectorEntry] = {}
    for entry in detectors:
        for topic in _topics(entry):
            other = seen.setdefault(topic, entry)
            if other is not entry and not _is_shareable(topic, other, entry):
                raise refuse(
                    ('detectors', entry.name),
                    f"would publish '{topic}', as '{other.name}' does; give it a namespace of its "
                    f'own, or rename the topic, as remap: {{{topic}: {topic}_{entry.name}}}',
                )


def _check_forms(detectors: Sequence[DetectorEntry], refuse: Refuse) -> None:
    for entry in detectors:
        for topic in entry.topics():
            try:
                check_form(topic)
            except ConfigError as err:
                raise refuse(('detectors', entry.name), f'cannot be: {err}') from err


def _topics(entry: DetectorEntry) -> Iterator[str]:
    yield from entry.topics().values()
    yield entry.label_topic()


def _is_shareable(topic: str, one: DetectorEntry, other: DetectorEntry) -> bool:
    """Tell whether both say the same there: the class names of the same network."""
    is_label = topic == one.label_topic() == other.label_topic()
    return is_label and one.engine == other.engine
