"""Asynchronous copies and fills, in stream order, and how much was copied."""

from dataclasses import dataclass

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check
from dla_ros.devices.protocol import Stream

_Kind = runtime.cudaMemcpyKind


@dataclass
class Traffic:
    """Count the bytes that this process has sent to the GPU and fetched from it."""

    to_device: int = 0
    to_host: int = 0


traffic = Traffic()


def copy_to_device(target: int, source: int, nbytes: int, stream: Stream) -> None:
    """Enqueue a copy from pinned host memory; that must stay as it is until the copy is done."""
    kind = _Kind.cudaMemcpyHostToDevice
    copied = runtime.cudaMemcpyAsync(target, source, nbytes, kind, stream.handle)
    check(copied, f'copying {nbytes} bytes to the GPU')
    traffic.to_device += nbytes


def copy_to_host(target: int, source: int, nbytes: int, stream: Stream) -> None:
    """Enqueue a copy into pinned host memory."""
    kind = _Kind.cudaMemcpyDeviceToHost
    copied = runtime.cudaMemcpyAsync(target, source, nbytes, kind, stream.handle)
    check(copied, f'copying {nbytes} bytes from the GPU')
    traffic.to_host += nbytes


def clear(target: int, nbytes: int, stream: Stream) -> None:
    """Enqueue filling device memory with zeros."""
    check(runtime.cudaMemsetAsync(target, 0, nbytes, stream.handle), f'clearing {nbytes} bytes')
