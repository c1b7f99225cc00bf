"""Say on which machine a benchmark ran: a figure without it is worth nothing."""

from importlib.metadata import PackageNotFoundError, version
import os
from pathlib import Path
import platform

_PACKAGES = ('numpy', 'opencv-python-headless', 'onnxruntime', 'cuda-bindings')


def describe() -> str:
    """Give processor, usable cores, load, system, and the versions that matter, in two lines."""
    load = os.getloadavg()[0]
    return (
        f'{_processor()}, {len(os.sched_getaffinity(0))} cores, load {load:.1f}; '
        f'{platform.system()} {platform.release()} {platform.machine()}\n'
        f'Python {platform.python_version()}, {_versions()}'
    )


def _processor() -> str:
    """Give the processor's name, as /proc/cpuinfo or a device tree (Jetson) has it."""
    model = Path('/proc/device-tree/model')
    if model.exists():
        return model.read_text().strip('\0')
    for line in Path('/proc/cpuinfo').read_text().splitlines():
        if line.startswith('model name'):
            return line.partition(':')[2].strip()
    return platform.processor() or platform.machine()


def _versions() -> str:
    return ', '.join(f'{name} {_version(name)}' for name in _PACKAGES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return '-'
