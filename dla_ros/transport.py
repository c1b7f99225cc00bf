"""The Fast DDS profiles of this package, and which of them a process takes."""

from collections.abc import Mapping
from dataclasses import dataclass
import os
from pathlib import Path

from dla_ros.installation.share import share_file

_OLD, _NEW = 'FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE'
# Fast DDS 2 (Jazzy) reads the old name; Kilted reads both, and warns of the old one
_VARIABLES = {'jazzy': (_OLD,), 'kilted': (_NEW, _OLD)}
SWITCH = 'DLA_ROS_TRANSPORT'
IMAGES, STOCK = 'images', 'stock'
_REMEDY = 'give it more room (docker run --shm-size 512m)'
_LOSES = 'most images above 512 KB are lost between processes'


@dataclass(frozen=True)
class Profile:
    """Name a profile, and the memory that each process takes with it, in bytes."""

    name: str
    memory: int

    @property
    def file(self) -> Path:
        """Return its file."""
        return share_file(self.name)

    @property
    def megabytes(self) -> str:
        """Return the memory in words."""
        return _megabytes(self.memory)


LARGE = Profile('config/fastdds.xml', 143_000_000)
SMALL = Profile('config/fastdds_small.xml', 19_000_000)


@dataclass(frozen=True)
class Transport:
    """
    Say how a process sends images.

    ``setting`` is the environment that it needs before DDS starts, with None for what has to go.
    """

    setting: Mapping[str, str | None]
    words: str
    is_as_wanted: bool = True

    def apply(self) -> None:
        """Set the environment of this process."""
        for name, value in self.setting.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def profile() -> Path:
    """Return ``config/fastdds.xml``, whose shared-memory segment holds camera images."""
    return LARGE.file


def transport_environment(distro: str) -> dict[str, str]:
    """
    Return the environment for processes of a ROS distribution ('jazzy', 'kilted').

    It must be set before a process creates its first node; other RMWs ignore it. The programs of
    this package set it themselves.
    """
    return {_read_by(distro)[0]: str(profile())}


def choose(distro: str, environment: Mapping[str, str], free: int, folder: Path) -> Transport:
    """
    Return how a process of Fast DDS of this distribution is to send images.

    What the user has set stays: a profile of theirs, transports, a profile in the working folder.
    ``free`` is the room in shared memory in bytes.
    """
    wanted = environment.get(SWITCH, '')
    if wanted == STOCK:
        return Transport({}, f'stock settings, as {SWITCH}={STOCK} says; {_LOSES}')
    users = _of_user(distro, environment, folder)
    if users:
        return users
    found = _by_room(_read_by(distro), free)
    if wanted in {'', IMAGES}:
        return found
    wrong = f"{SWITCH} is '{wanted}'; it must be '{IMAGES}' or '{STOCK}'"
    return Transport(found.setting, f'{wrong}; {IMAGES} it is: {found.words}', is_as_wanted=False)


def _read_by(distro: str) -> tuple[str, ...]:
    return _VARIABLES.get(distro, _VARIABLES['kilted'])


def _of_user(distro: str, environment: Mapping[str, str], folder: Path) -> Transport | None:
    """Return what the user has chosen; None if nothing."""
    ours = {str(each.file) for each in (LARGE, SMALL)}
    for variable in _read_by(distro):
        path = environment.get(variable)
        if path is not None and path not in ours:
            return _of_file(variable, path)
    if 'FASTDDS_BUILTIN_TRANSPORTS' in environment:
        value = environment['FASTDDS_BUILTIN_TRANSPORTS']
        return Transport({}, f'as FASTDDS_BUILTIN_TRANSPORTS={value} says')
    default = folder / f'DEFAULT_{_read_by(distro)[0].partition("_")[0]}_PROFILES.xml'
    if default.is_file() and environment.get('SKIP_DEFAULT_XML_FILE', '')[:1] != '1':
        return Transport({}, f'as {default} says')
    return None


def _of_file(variable: str, path: str) -> Transport:
    if Path(path).is_file():
        return Transport({}, f'as {variable}={path} says')
    words = f"{variable} is '{path}', which is no file; correct it, or unset it for ours"
    return Transport({}, f'{words}; {_LOSES}', is_as_wanted=False)


def _by_room(variables: tuple[str, ...], free: int) -> Transport:
    """Return the largest profile that shared memory has room for."""
    unset: dict[str, str | None] = dict.fromkeys(variables)
    if free >= LARGE.memory:
        return Transport(
            {**unset, variables[0]: str(LARGE.file)},
            f'{LARGE.megabytes} of shared memory for images ({variables[0]}={LARGE.file}, set '
            f'here; {SWITCH}={STOCK} leaves Fast DDS as it is)',
        )
    if free >= SMALL.memory:
        words = (
            f'{SMALL.megabytes} of shared memory for images, since /dev/shm has only '
            f'{_megabytes(free)} free of the {LARGE.megabytes} wanted: images larger than 1080p '
            f'are partly lost between processes; {_REMEDY}'
        )
        setting = {**unset, variables[0]: str(SMALL.file)}
        return Transport(setting, words, is_as_wanted=False)
    words = f'stock settings, since /dev/shm has only {_megabytes(free)} free: {_LOSES}; {_REMEDY}'
    return Transport(unset, words, is_as_wanted=False)


def _megabytes(size: int) -> str:
    return f'{size / 1e6:.0f} MB'
