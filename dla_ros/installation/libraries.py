"""The Python libraries that others bring, and how to get one that is missing."""

from dataclasses import dataclass
from pathlib import Path
import sys
import sysconfig
from types import TracebackType


@dataclass(frozen=True)
class Library:
    """Say how a library is installed: by pip, by an extra of dla_ros, by apt where it has it."""

    requirement: str
    extra: str = ''
    apt: str = ''


_CUDA_BINDINGS = Library('cuda-bindings>=13.3,<14', extra='dla')
# By the name that is imported.
LIBRARIES = {
    'cuda': _CUDA_BINDINGS,
    'cupy': Library('cupy-cuda13x', extra='cupy'),
    'cv2': Library('opencv-python-headless>=4.6,<6', extra='opencv', apt='python3-opencv'),
    'flatbuffers': Library('flatbuffers>=24.3', extra='onnx', apt='python3-flatbuffers'),
    'numpy': Library('numpy>=1.26', apt='python3-numpy'),
    'onnx': Library('onnx>=1.16', extra='onnx'),
    'onnxruntime': Library('onnxruntime>=1.18', extra='onnx'),
    'rich': Library('rich>=13', extra='cli', apt='python3-rich'),
    'rosbags': Library('rosbags>=0.11', extra='bags'),
    'yaml': Library('PyYAML>=6.0.1', apt='python3-yaml'),
}
_ROS = {
    'composition_interfaces', 'diagnostic_msgs', 'lifecycle_msgs', 'rcl_interfaces', 'rclpy',
    'sensor_msgs', 'std_msgs', 'vision_msgs',
}  # fmt: skip


def why_missing(name: str, error: ImportError) -> str:
    """Return a sentence that names a library of the table, what failed, and what installs it."""
    library = LIBRARIES[name]
    extra = f" (extra '{library.extra}' of dla_ros)" if library.extra else ''
    return f'the Python library {name}{extra} cannot be imported: {error}; {_remedy(library)}'


def why_not_imported(error: ImportError) -> str:
    """Return the same for an error that names a library or one of ROS, '' for any other."""
    name = (error.name or '').partition('.')[0]
    if name in _ROS:
        return (
            f'the ROS package {name} cannot be imported: {error}; source ROS and the workspace '
            f'first, or install it: sudo apt install ros-$ROS_DISTRO-{name.replace("_", "-")}'
        )
    return why_missing(name, error) if name in LIBRARIES else ''


def explain_missing() -> None:
    """Let this process, when a missing library ends it, say which in place of a traceback."""
    others = sys.excepthook

    def say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        reason = why_not_imported(error) if isinstance(error, ImportError) else ''
        if reason:
            print(f'{Path(sys.argv[0]).name}: {reason}', file=sys.stderr)
        else:
            others(kind, error, trace)

    sys.excepthook = say


def _remedy(library: Library) -> str:
    pip = f"{sys.executable} -m pip install '{library.requirement}'"
    if not _is_managed():
        return f'install it: {pip}'
    if library.apt:
        return f'install it: sudo apt install {library.apt}'
    return (
        f'this Python ({sys.executable}) belongs to the system, where pip installs nothing: make '
        'an environment and build the workspace with it (README, "On a robot"), then, in it: '
        f"pip install '{library.requirement}'"
    )


def _is_managed() -> bool:
    """Return whether pip refuses to install into this Python (PEP 668)."""
    mark = Path(sysconfig.get_path('stdlib')) / 'EXTERNALLY-MANAGED'
    return sys.prefix == sys.base_prefix and mark.exists()
