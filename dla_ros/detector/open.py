"""Opening the parts of a detector, and closing them in order."""

from dla_ros.config import DetectorConfig
from dla_ros.devices.open import open_device
from dla_ros.devices.protocol import Device
from dla_ros.engines.protocol import Engine
from dla_ros.errors import DeviceError
from dla_ros.held import Held
from dla_ros.pipeline.pipeline import Pipeline


def open_device_for(name: str, config: DetectorConfig) -> Device:
    """Open a device; raise DeviceError that says how a machine without a DLA is set up."""
    try:
        return open_device(name)
    except DeviceError as err:
        if name == 'host' or config.dla_device == 'emulator':
            raise
        raise DeviceError(
            f'{err}. On a machine without a DLA, set dla_device: emulator (a loadable that '
            'dla_ros emulate made)'
        ) from err


class EngineLast:
    """Close the pipeline, then the engine, unless a task still runs on the device."""

    def __init__(self, engine: Engine) -> None:
        """Take over the engine; ``pipeline`` is set once it is open."""
        self._engine = engine
        self.pipeline: Pipeline | None = None

    def __enter__(self) -> 'EngineLast':
        """Enter a with block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close both, in their order, the engine whatever the pipeline raises."""
        # A stack, for of two errors in turn it keeps both; an inner one forgets what finally has.
        with Held() as both:
            both.callback(self._close_engine)
            if self.pipeline is not None:
                both.callback(self.pipeline.close)

    def _close_engine(self) -> None:
        # destroying a device with tasks in flight can crash the process (cudla.h)
        if self.pipeline is None or not self.pipeline.abandoned_slots:
            self._engine.close()
