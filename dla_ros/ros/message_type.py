"""From the name of a message type to its Python class and its definition."""

from importlib import import_module
from pathlib import Path
import re
import sys
from typing import Any

from ament_index_python.resources import get_resource
from dla_ros.errors import DlaRosError

_TYPE = re.compile('([a-z][a-z0-9_]*)/msg/([A-Z][A-Za-z0-9]*)', re.ASCII)


def message_class(type_name: str) -> Any:
    """
    Give the class of a type as ``sensor_msgs/msg/Image``; raise DlaRosError if unknown.

    The name may come from a bag, so only what the ament index lists as a message is imported.
    """
    found = _TYPE.fullmatch(type_name)
    if found is None:
        raise DlaRosError(
            f"'{type_name}' is no message type; one is PACKAGE/msg/NAME, as sensor_msgs/msg/Image"
        )
    package, name = found.groups()
    if not {f'msg/{name}.msg', f'msg/{name}.idl'} & _interfaces(package):
        raise DlaRosError(f"package '{package}' has no message '{name}'")
    try:
        return getattr(_import(f'{package}.msg'), name)
    except AttributeError as err:
        raise DlaRosError(f"package '{package}' has no message '{name}'") from err


def message_definitions(package: str) -> dict[str, str]:
    """
    Give the installed ``.msg`` texts of a package, by type name.

    They lie in PREFIX/share/PACKAGE/msg, PREFIX being where its Python module is installed.
    """
    module = Path(str(_import(package).__file__))
    for prefix in [*module.parents, Path(sys.prefix)]:
        folder = prefix / 'share' / package / 'msg'
        if folder.is_dir():
            return {f'{package}/msg/{p.stem}': p.read_text() for p in folder.glob('*.msg')}
    raise DlaRosError(f"no message definitions of '{package}' beside {module}")


def _interfaces(package: str) -> set[str]:
    """Return what the ament index lists of a message package; raise DlaRosError if nothing."""
    try:
        listed, _ = get_resource('rosidl_interfaces', package)
    except (LookupError, OSError) as err:
        raise _missing(package) from err
    return set(listed.split())


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as err:
        raise _missing(name.partition('.')[0]) from err


def _missing(package: str) -> DlaRosError:
    return DlaRosError(
        f"message package '{package}' is not installed; "
        f'sudo apt install ros-$ROS_DISTRO-{package.replace("_", "-")}'
    )
