"""Every status of a CUDA call goes through one place, which says what it means on a robot."""

from typing import Any

from cuda.bindings import runtime
from dla_ros.errors import DeviceError

Status = runtime.cudaError_t

_NO_DRIVER = (
    'no NVIDIA driver is loaded; install one (a container needs --runtime nvidia or --gpus all), '
    'or set device: host'
)
_IS_LOST = (
    'the GPU context of this process is lost; end the process and start it anew, CUDA does not '
    'recover it'
)
# What makes a context unusable for good (CUDA Runtime API, cudaError_t).
_LOSSES = {
    Status.cudaErrorIllegalAddress,
    Status.cudaErrorLaunchTimeout,
    Status.cudaErrorHardwareStackError,
    Status.cudaErrorIllegalInstruction,
    Status.cudaErrorMisalignedAddress,
    Status.cudaErrorInvalidAddressSpace,
    Status.cudaErrorInvalidPc,
    Status.cudaErrorLaunchFailure,
    Status.cudaErrorECCUncorrectable,
    Status.cudaErrorNvlinkUncorrectable,
    Status.cudaErrorExternalDevice,
    Status.cudaErrorAssert,
}


def check(result: tuple[Any, ...], doing: str) -> Any:
    """
    Give what a call of ``cuda.bindings.runtime`` returned beside its status.

    ``doing`` names the attempt for a person: 'allocating 1024 bytes'. Raise DeviceError for any
    status but success.
    """
    status, *values = result
    if status != Status.cudaSuccess:
        raise DeviceError(f'{doing}: {explain(status)}')
    return values[0] if values else None


def release(result: tuple[Any, ...], doing: str) -> None:
    """
    Check a call that gives something back.

    Once the context is lost nothing can be given back, and the loss was told where it happened:
    then a way down goes on to its end. Raise DeviceError for any other failure.
    """
    if not is_lost(result[0]):
        check(result, doing)


def is_lost(status: Any) -> bool:
    """Tell whether a status means that the context is lost for good."""
    return status in _LOSSES


def explain(status: Any) -> str:
    """Say what a status means and what helps, its own name behind it."""
    name = getattr(status, 'name', f'status {status}')
    return f'{_meaning(status)} ({name})'


def _meaning(status: Any) -> str:
    if status == Status.cudaErrorInsufficientDriver:
        return _driver_meaning()
    if status == Status.cudaErrorNoDevice:
        return 'the driver shows no GPU; check nvidia-smi and CUDA_VISIBLE_DEVICES'
    if status == Status.cudaErrorMemoryAllocation:
        return f'out of GPU memory{_memory_left()}; lower slots, or free what else uses the GPU'
    if status in _LOSSES:
        return _IS_LOST
    return _text(runtime.cudaGetErrorString(status))


def _driver_meaning() -> str:
    """Tell a missing driver from an old one: CUDA gives both the same status."""
    supported = _version(runtime.cudaDriverGetVersion())
    if supported == '0.0':
        return _NO_DRIVER
    needed = _version(runtime.cudaRuntimeGetVersion())
    return (
        f'the driver goes up to CUDA {supported}, the package cuda-bindings is for CUDA {needed}; '
        f'update the driver (nvidia-smi shows it), or set device: host'
    )


def _version(result: tuple[Any, ...]) -> str:
    number = int(result[1] or 0)
    return f'{number // 1000}.{number % 1000 // 10}'


def _memory_left() -> str:
    status, *sizes = runtime.cudaMemGetInfo()
    if status != Status.cudaSuccess:
        return ''
    free, total = (size / 2**20 for size in sizes)
    return f', {free:.0f} of {total:.0f} MiB are free'


def _text(result: tuple[Any, ...]) -> str:
    status, text = result
    return str(text.decode()) if status == Status.cudaSuccess else 'CUDA gives no text for it'
