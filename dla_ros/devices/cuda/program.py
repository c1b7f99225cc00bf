"""Machine code loaded on the GPU, and the cheapest way to launch it."""

from typing import Any

from cuda.bindings import driver
from dla_ros.errors import DeviceError

Grid = tuple[int, int]


class Program:
    """
    Hold the kernels of one cubin.

    The GPU must be the calling thread's (``CudaDevice.make_current``), here and for launches.
    """

    def __init__(self, cubin: bytes, names: tuple[str, ...]) -> None:
        """Load it; raise DeviceError if the driver refuses."""
        self._module = check(driver.cuModuleLoadData(cubin), 'loading the kernels')
        self._kernels = {name: self._load(name) for name in names}

    def launch(self, name: str, grid: Grid, block: Grid, arguments: int, stream: int) -> None:
        """
        Enqueue a kernel; ``arguments`` is the address of its array of pointers to arguments.

        That array is made once for each slot: a call converts nothing and takes no memory.
        """
        launched = driver.cuLaunchKernel(
            self._kernels[name], *grid, 1, *block, 1, 0, stream, arguments, 0
        )
        if launched[0] != driver.CUresult.CUDA_SUCCESS:
            check(launched, f'launching {name}')

    def _load(self, name: str) -> Any:
        found = driver.cuModuleGetFunction(self._module, name.encode())
        kernel = check(found, f'finding {name}')
        # The driver would load it at its first launch, which is the first frame.
        check(driver.cuFuncLoad(kernel), f'loading {name}')
        return kernel

    def close(self) -> None:
        """Unload; a second call does nothing."""
        if self._module is not None:
            module, self._module = self._module, None
            # A refusal means that the context is gone, and the kernels with it.
            driver.cuModuleUnload(module)


def check(result: tuple[Any, ...], doing: str) -> Any:
    """Give what a driver call returned beside its status; raise DeviceError for a failure."""
    status, *values = result
    if status != driver.CUresult.CUDA_SUCCESS:
        raise DeviceError(f'{doing}: {status.name}')
    return values[0] if values else None
