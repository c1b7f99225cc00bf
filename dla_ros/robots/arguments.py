"""The arguments of the launch file, once: what declares, documents and reads them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
import re
from typing import Any

from dla_ros.errors import RobotError
from dla_ros.robots.names import is_namespace, NAMESPACE_WORDS

# what rcl takes
_LEVEL = re.compile(r'(?:(?:[^:=]+:=)?(?:unset|debug|info|warn|error|fatal))?', re.IGNORECASE)
_ENCLAVE = re.compile(r'(?:/|(?:/[A-Za-z_]\w*)+)?')
_TRUTHS = {'true': True, '1': True, 'false': False, '0': False}


def _argument(default: Any, meaning: str) -> Any:
    return field(default=default, metadata={'meaning': meaning})


@dataclass(frozen=True)
class LaunchArguments:
    """Hold what was asked of the launch; raise RobotError for what cannot be."""

    robot: str = field(
        metadata={
            'meaning': 'The robot: a name that `dla_ros robot list` prints, or the path of a '
            'robot file, as /opt/robots/mine.yaml.'
        }
    )
    engine: str = _argument(
        '', 'Another network for a robot with a single detector; empty: as its file says.'
    )
    dla_core: str = _argument(
        '', 'Another DLA core for a robot with a single detector; empty: as its file says.'
    )
    container: str = _argument(
        '', 'A running container of dla_ros to load the detectors into; empty: start one.'
    )
    namespace: str = _argument('', 'Namespace of everything that is started.')
    use_sim_time: bool = _argument(False, 'Take the time from /clock, as for a bag.')
    autostart: bool = _argument(
        True, 'Configure and activate the detectors; false: they stay unconfigured.'
    )
    keep_going: bool = _argument(
        False, 'Go on with the other detectors when one refuses; false: stop the launch.'
    )
    recover: int = _argument(
        3, 'How many times within a minute a detector that fails is brought up again; 0: never.'
    )
    log_level: str = _argument(
        'info', 'Log level of the container that is started: debug, info, warn, or LOGGER:=LEVEL.'
    )
    enclave: str = _argument(
        '', 'SROS 2 enclave of the processes that are started; empty: as the environment says.'
    )

    def __post_init__(self) -> None:
        """Check the words that would otherwise fail far from here."""
        if not is_namespace(self.namespace):
            raise RobotError(
                f'namespace:={self.namespace} cannot be; a namespace is {NAMESPACE_WORDS}'
            )
        if not _LEVEL.fullmatch(self.log_level):
            raise RobotError(
                f'log_level:={self.log_level} cannot be; a level is debug, info, warn, error or '
                'fatal, for one logger LOGGER:=LEVEL, as dla_detector:=debug'
            )
        if not _ENCLAVE.fullmatch(self.enclave):
            raise RobotError(
                f"enclave:={self.enclave} cannot be; an enclave is a path of names, as '/front'"
            )

    @classmethod
    def parse(cls, words: Mapping[str, str]) -> 'LaunchArguments':
        """Read the words of a command line; others than ours are not looked at."""
        values: dict[str, Any] = {
            item.name: words[item.name] for item in fields(cls) if item.name in words
        }
        for item in fields(cls):
            read = _READERS.get(item.type)
            if read is not None and item.name in values:
                values[item.name] = read(item.name, values[item.name])
        return cls(**values)


def meanings() -> dict[str, tuple[str | None, str]]:
    """Give default (None: there is none) and meaning of each argument, as launch wants them."""
    return {
        item.name: (_word(item.default), item.metadata['meaning'])
        for item in fields(LaunchArguments)
    }


def _word(default: Any) -> str | None:
    if isinstance(default, bool):
        return str(default).lower()
    return str(default) if isinstance(default, str | int) else None


def _truth(name: str, word: str) -> bool:
    truth = _TRUTHS.get(word.lower())
    if truth is None:
        raise RobotError(f'{name}:={word} must be true or false')
    return truth


def _count(name: str, word: str) -> int:
    if not word.isdecimal():
        raise RobotError(f'{name}:={word} must be a whole number, 0 or more')
    return int(word)


_READERS: dict[Any, Callable[[str, str], Any]] = {bool: _truth, int: _count}
