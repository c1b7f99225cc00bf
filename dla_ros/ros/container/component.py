"""From the names in a load request to a node class."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from dla_ros.errors import ComponentError
from dla_ros.installation.libraries import why_not_imported
from rclpy.node import Node

# a class that can be named without its module
_SHORT = {('dla_ros', 'DetectorNode'): 'dla_ros.ros.detector_node'}


@dataclass(frozen=True)
class Component:
    """Name a node class: ``module`` by its full name, ``path`` within it (``Class``)."""

    package: str
    module: str
    path: str

    @classmethod
    def parse(cls, package: str, plugin: str) -> 'Component':
        """
        Read ``package::module.Class`` or ``package::Class``; ``package::`` may be left out.

        Raise ComponentError for names that say no class.
        """
        owner, colons, place = plugin.rpartition('::')
        if colons and owner != package:
            raise ComponentError(
                f"plugin '{plugin}' belongs to package '{owner}', not to '{package}'; "
                f'load it as: {owner} {plugin}'
            )
        if not package or not all(part.isidentifier() for part in f'{package}.{place}'.split('.')):
            raise ComponentError(
                f"plugin '{plugin}' of package '{package}' names no Python class; "
                f"write {package or 'PACKAGE'}::module.Class, as 'my_robot::camera.CameraNode'"
            )
        module, _, name = place.rpartition('.')
        full = f'{package}.{module}' if module else _SHORT.get((package, name), package)
        return cls(package, full, name)

    def __str__(self) -> str:
        """Give the full name of the class."""
        return f'{self.module}.{self.path}'

    def load(self) -> type[Node]:
        """Import the class; raise ComponentError if it is not there or is no node."""
        found = getattr(self._import(), self.path, None)
        if found is None:
            raise ComponentError(
                f"module '{self.module}' has no class '{self.path}'{self._known()}"
            )
        if not (isinstance(found, type) and issubclass(found, Node)):
            raise ComponentError(
                f"'{self}' is not a node class of rclpy; it must inherit from rclpy.node.Node"
            )
        return found

    def _import(self) -> Any:
        try:
            return import_module(self.module)
        except ModuleNotFoundError as err:
            if err.name == self.package:
                raise ComponentError(
                    f"there is no Python package '{self.package}'; build it, and source its "
                    'install/setup.bash before the container starts'
                ) from err
            if err.name is not None and f'{self.module}.'.startswith(f'{err.name}.'):
                raise ComponentError(
                    f"package '{self.package}' has no module '{err.name}'"
                ) from err
            raise ComponentError(
                f"'{self.module}' cannot be imported: {why_not_imported(err) or err}"
            ) from err
        except Exception as err:
            raise ComponentError(
                f"'{self.module}' cannot be imported: {type(err).__name__}: {err}"
            ) from err

    def _known(self) -> str:
        """Name the node classes that the module does define."""
        classes = [
            name
            for name, value in vars(self._import()).items()
            if isinstance(value, type)
            and issubclass(value, Node)
            and value.__module__ == self.module
        ]
        return f'; its node classes are: {", ".join(classes)}' if classes else ''
