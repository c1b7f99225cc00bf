"""A cuDLA device handle: one core, for one network."""

from dla_ros.engines.cudla.library import Cudla
from dla_ros.errors import ConfigError


class DeviceHandle:
    """
    Own a handle on a DLA core; ``number`` is for cuDLA calls.

    A handle carries one module, loaded once (cudla.h): another network needs another handle.
    """

    def __init__(self, cudla: Cudla, number: int) -> None:
        """Take over a handle; use :meth:`open`."""
        self._cudla = cudla
        self.number = number
        self._is_closed = False

    @classmethod
    def open(cls, cudla: Cudla, core: int, timeout_ms: int) -> 'DeviceHandle':
        """
        Open a handle in hybrid mode; a CUDA context must be current on hardware.

        A task may take ``timeout_ms`` (1 to 1,000,000). Raise ConfigError for a core that does
        not exist, DlaError for what cuDLA refuses.
        """
        _check_core(core, cudla.call('device_get_count'))
        mode = int(cudla.types.Mode.CUDA_DLA)
        handle = cls(cudla, cudla.call('create_device', core, mode))
        try:
            cudla.call('set_task_timeout_in_ms', handle.number, timeout_ms)
        except BaseException:
            handle.close()
            raise
        return handle

    def last_error(self) -> int:
        """Give the status of the last task that failed, 0 for none; ask after waiting for it."""
        return int(self._cudla.call('get_last_error', self.number))

    def close(self) -> None:
        """Destroy the handle, once its tasks are over; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._cudla.call('destroy_device', self.number)


def _check_core(core: int, count: int) -> None:
    if count < 1:
        raise ConfigError(
            'this machine has no DLA (Jetson AGX Orin and Orin NX have two cores); '
            'set dla_device: emulator, or backend: onnx'
        )
    if not 0 <= core < count:
        valid = 'DLA core 0 only' if count == 1 else f'DLA cores 0 to {count - 1}'
        raise ConfigError(
            f'dla_core is {core}, this machine has {valid}; set dla_core to one of them. '
            'There is no fallback to the GPU'
        )
