"""What other packages bring: entry points of a group, loaded with an error that names them."""

from importlib.metadata import entry_points, EntryPoint
from typing import Any

from dla_ros.errors import DlaRosError


def brought(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group by their names."""
    return {point.name: point for point in entry_points(group=group)}


def package_of(point: EntryPoint) -> str:
    """Return the name of the package that brings an entry point."""
    return point.dist.name if point.dist else 'an unknown package'


def load(
    point: EntryPoint, noun: str, needed: tuple[str, ...], error: type[DlaRosError], contract: str
) -> Any:
    """
    Import what an entry point names; raise ``error`` where that fails or lacks what is needed.

    ``noun`` is what it should be (head, engine), ``contract`` where that is written down.
    """
    name, package = f"{noun} '{point.name}' ({point.value})", package_of(point)
    try:
        found = point.load()
    # Anything may go wrong while another package is imported; it is told, with its name.
    except Exception as err:
        raise error(
            f'{name} of {package} cannot be loaded: {type(err).__name__}: {err}; '
            f'mend or reinstall {package}'
        ) from err
    missing = [each for each in needed if not hasattr(found, each)]
    if missing:
        raise error(
            f'{name} of {package} is no {noun}: it lacks {" and ".join(missing)} (see {contract})'
        )
    return found
