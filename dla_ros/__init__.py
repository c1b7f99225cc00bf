"""
Object detection on an NVIDIA DLA: images in, boxes out. docs/api.md explains the names below.

Importing the package imports nothing else; a name brings its module when it is first used.
"""

__version__ = '0.1.0'

# flake8: noqa: F401
# The name that type checkers know; importing it would already import typing.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from dla_ros.config import DetectorConfig as DetectorConfig
    from dla_ros.detections import Detections as Detections
    from dla_ros.detector import Detector as Detector
    from dla_ros.errors import BagError as BagError
    from dla_ros.errors import ComponentError as ComponentError
    from dla_ros.errors import ConfigError as ConfigError
    from dla_ros.errors import DeviceError as DeviceError
    from dla_ros.errors import DlaError as DlaError
    from dla_ros.errors import DlaRosError as DlaRosError
    from dla_ros.errors import EngineError as EngineError
    from dla_ros.errors import EngineHangError as EngineHangError
    from dla_ros.errors import HeadError as HeadError
    from dla_ros.errors import ImageError as ImageError
    from dla_ros.errors import LoadableError as LoadableError
    from dla_ros.errors import RecordError as RecordError
    from dla_ros.errors import RobotError as RobotError
    from dla_ros.errors import TensorError as TensorError
    from dla_ros.images.image import ImageView as ImageView
    from dla_ros.images.image import to_image_view as to_image_view
    from dla_ros.pipeline.frame import Frame as Frame
    from dla_ros.pipeline.frame import Result as Result
    from dla_ros.pipeline.frame import Timings as Timings
else:
    _NAMES = {
        'config': ('DetectorConfig',),
        'detections': ('Detections',),
        'detector': ('Detector',),
        'errors': (
            'BagError', 'ComponentError', 'ConfigError', 'DeviceError', 'DlaError', 'DlaRosError',
            'EngineError', 'EngineHangError', 'HeadError', 'ImageError', 'LoadableError',
            'RecordError', 'RobotError', 'TensorError',
        ),
        'images.image': ('ImageView', 'to_image_view'),
        'pipeline.frame': ('Frame', 'Result', 'Timings'),
    }  # fmt: skip
    _HOMES = {name: home for home, names in _NAMES.items() for name in names}
    __all__ = [*_HOMES]  # noqa: PLE0604 - they are strings

    def __getattr__(name: str) -> object:
        """Import what is asked for (PEP 562)."""
        if name not in _HOMES:
            raise AttributeError(f"module 'dla_ros' has no attribute '{name}'")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(f'dla_ros.{_HOMES[name]}'), name)
        return found

    def __dir__() -> list[str]:
        """List the names, those not imported yet too."""
        return sorted({*globals(), *__all__})
