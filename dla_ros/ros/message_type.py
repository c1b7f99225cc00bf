"""From the name of a message type to its Python class and its definition."""

from importlib import import_module
from pathlib import Path
import sys
from typing import Any

from dla_ros.errors import DlaRosError


def message_class(type_name: str) -> Any:
    """Give the class of a type as ``sensor_msgs/msg/Image``; raise DlaRosError if unknown."""
    package, _, name = type_name.split('/')
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


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as err:
        package = name.partition('.')[0]
        raise DlaRosError(
            f"message package '{package}' is not installed; "
            f'sudo apt install ros-$ROS_DISTRO-{package.replace("_", "-")}'
        ) from err
