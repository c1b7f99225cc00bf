"""What a detector needs on the machine it runs on: libraries, a compiler."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from dla_ros.config import DetectorConfig
from dla_ros.detector.engine import backend_of, device_for
from dla_ros.emulator.compile import built_library
from dla_ros.engines.cudla.library import import_binding
from dla_ros.engines.onnx_session import import_runtime
from dla_ros.model.library import onnx_library
from dla_ros.robots.detector_entry import DetectorEntry


def check_needs(entry: DetectorEntry) -> None:
    """
    Import what the node will import, and make what it will make.

    Raise a DlaRosError that names what is missing, and for an engine that is not on this machine;
    ImportError for a library that a module of dla_ros imports itself.
    """
    if entry.emulate is not None:
        _check_emulation()
    elif _backend(entry) == 'onnx':
        import_runtime()
    else:
        _check_dla(entry.config)
    if _device(entry) == 'cuda':
        _check_cuda()


def _backend(entry: DetectorEntry) -> str:
    return backend_of(Path(entry.engine), entry.config.backend)


def _device(entry: DetectorEntry) -> str:
    """Return the device; a model to emulate becomes a loadable, which may go to the GPU."""
    if entry.emulate is not None:
        return entry.config.device
    return device_for(Path(entry.engine), entry.config)


def _check_emulation() -> None:
    """Import what makes a loadable, and what runs it."""
    onnx_library()
    import_module('dla_ros.emulator.build')
    _check_dla(replace(DetectorConfig(), dla_device='emulator'))


def _check_dla(config: DetectorConfig) -> None:
    import_binding()
    if config.dla_device == 'emulator':
        import_runtime()
        built_library()


def _check_cuda() -> None:
    """Look for the compiler of kernels, and so for the bindings."""
    import_binding()
    from dla_ros.devices.cuda.compiler import version

    version()
