"""The engine on a DLA core, through cuDLA in hybrid mode."""

from collections.abc import Mapping
from pathlib import Path

from dla_ros.devices.protocol import Device, Stream
from dla_ros.engines.cudla.binding import close_all, CudlaBinding
from dla_ros.engines.cudla.file import read_loadable
from dla_ros.engines.cudla.handle import DeviceHandle
from dla_ros.engines.cudla.library import Cudla
from dla_ros.engines.cudla.module import Module
from dla_ros.engines.protocol import Binding
from dla_ros.errors import EngineError
from dla_ros.held import Held

DEFAULT_TIMEOUT_MS = 2000


class CudlaEngine:
    """
    Run a DLA loadable on one core.

    The way up: device handle, module, tensor descriptors; for each binding memory, registration,
    task. The way down is the reverse, and every step of it is tried even where one fails. Any
    error but those of ``open`` means: close, and open another engine (cuDLA application note).
    """

    backend = 'cudla'

    def __init__(
        self,
        cudla: Cudla,
        handle: DeviceHandle,
        module: Module,
        device: Device,
        core: int,
        scales: Mapping[str, float],
    ) -> None:
        """Ask for the tensors; use :meth:`open`."""
        self._cudla = cudla
        self._handle = handle
        self._module = module
        self._device = device
        self._bindings: list[CudlaBinding] = []
        self._taken = Held()
        self.is_emulated = cudla.is_emulated
        self.placement = f'DLA core {core}' + (' (emulated)' if cudla.is_emulated else '')
        self.inputs = module.inputs(scales)
        self.outputs = module.outputs(scales)

    @classmethod
    def open(
        cls,
        path: str | Path,
        device: Device,
        *,
        dla_core: int = 0,
        is_emulated: bool = False,
        scales: Mapping[str, float] | None = None,
        task_timeout_ms: int = DEFAULT_TIMEOUT_MS,
        content: bytes | None = None,
    ) -> 'CudlaEngine':
        """
        Load a network into a new handle on a core.

        ``content`` is what was read of the file, which is not read again then. ``scales`` are the
        int8 steps of its tensors by name (a loadable carries none). An
        emulated DLA has been started before (``dla_ros.emulator.start``). Raise LoadableError for
        the file, ConfigError for the core, DlaError for what cuDLA refuses, TensorError for a
        tensor; nothing is left taken then.
        """
        _check_device(device, is_emulated)
        loadable = read_loadable(Path(path), is_emulated=is_emulated, content=content)
        cudla = Cudla.open(is_emulated=is_emulated)
        with Held() as taken:
            handle = DeviceHandle.open(cudla, dla_core, task_timeout_ms)
            taken.callback(handle.close)
            module = Module(cudla, handle, loadable)
            taken.callback(module.close)
            engine = cls(cudla, handle, module, device, dla_core, scales or {})
            engine._taken = taken.pop_all()
            return engine

    def bind(self, stream: Stream) -> CudlaBinding:
        """Allocate and register the buffers of one slot; raise DlaError or DeviceError."""
        specs = (self.inputs, self.outputs)
        binding = CudlaBinding(
            self._cudla, self._handle, self._module, self._device, stream, specs
        )
        self._bindings.append(binding)
        return binding

    def submit(self, binding: Binding) -> None:
        """Enqueue the binding's task on its stream and return; raise DlaError if refused."""
        if not isinstance(binding, CudlaBinding):
            raise TypeError(f'a cuDLA engine cannot run a {type(binding).__name__}')
        stream = binding.stream.handle
        self._cudla.call('submit_task', self._handle.number, binding.task.ptr, 1, stream, 0)

    def last_error(self) -> EngineError | None:
        """Return the status that cuDLA keeps of a task that failed, None for none."""
        try:
            status = self._handle.last_error()
        except EngineError as error:
            return error
        return self._cudla.to_error('get_last_error', status) if status else None

    def close(self) -> None:
        """
        Close what is still bound, unload, destroy the handle; a second call does nothing.

        All tasks are over by now (streams waited for): cudla.h allows it only then.
        """
        bindings, self._bindings = self._bindings, []
        self._taken.callback(close_all, bindings)
        self._taken.close()


def _check_device(device: Device, is_emulated: bool) -> None:
    if not is_emulated and device.name != 'cuda':
        raise EngineError(
            f"a DLA works on memory and streams of CUDA, the device is '{device.name}'; "
            'set dla_device: emulator on a machine without a DLA'
        )
