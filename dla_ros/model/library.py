"""The library that knows ONNX models, imported when one is first looked into."""

from types import ModuleType

from dla_ros.errors import EngineError
from dla_ros.installation.libraries import why_missing


def onnx_library() -> ModuleType:
    """Return ``onnx``; raise EngineError where the library is not installed."""
    try:
        import onnx
    except ImportError as err:
        raise EngineError(why_missing('onnx', err)) from err
    found: ModuleType = onnx
    return found
