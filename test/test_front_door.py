"""What `import dla_ros` gives: every name, brought when it is used, known to type checkers."""

from pathlib import Path
import subprocess
import sys

import dla_ros
from dla_ros import errors
import pytest

PACKAGE = Path(dla_ros.__file__).parent


def in_a_new_python(program):
    """Run a program in an interpreter of its own; give its words."""
    said = subprocess.run(
        [sys.executable, '-c', program], capture_output=True, text=True, check=True
    )
    return said.stdout.split()


def test_importing_the_package_imports_nothing_else():
    program = 'import sys; old = set(sys.modules); import dla_ros; print(*set(sys.modules) - old)'
    assert in_a_new_python(program) == ['dla_ros']


def test_a_name_brings_only_what_it_needs():
    program = (
        'import sys; from dla_ros import ImageError, __version__; '
        "print(*{'numpy', 'cv2', 'onnxruntime', 'cuda', 'rclpy'} & set(sys.modules))"
    )
    assert in_a_new_python(program) == []


def test_the_detector_brings_no_ros():
    program = (
        'import sys; from dla_ros import Detector; '
        "print(*{'rclpy', 'onnxruntime', 'onnx', 'cuda', 'cupy'} & set(sys.modules))"
    )
    assert in_a_new_python(program) == []


@pytest.mark.parametrize('name', dla_ros.__all__)
def test_every_name_is_there_and_listed(name):
    assert getattr(dla_ros, name).__name__ == name
    assert name in dir(dla_ros)


def test_every_error_is_a_name_of_the_package():
    family = {
        name
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, errors.DlaRosError)
    }
    assert family <= set(dla_ros.__all__)


def test_another_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'dla_ros' has no attribute 'Detektor'"):
        dla_ros.Detektor  # noqa: B018 - the access is the test


def test_type_checkers_know_every_name_and_no_other(tmp_path):
    program = tmp_path / 'program.py'
    known = ''.join(f'reveal_type(dla_ros.{name})\n' for name in dla_ros.__all__)
    program.write_text(f'import dla_ros\n{known}dla_ros.Detektor\n')
    said = subprocess.run(
        [sys.executable, '-m', 'mypy', '--strict', '--no-error-summary', str(program)],
        cwd=PACKAGE.parent, capture_output=True, text=True,
    ).stdout  # fmt: skip
    lines = [line for line in said.splitlines() if 'program.py:' in line]
    told = [line.rpartition('is ')[2].strip('"') for line in lines if 'Revealed type' in line]
    assert len(told) == len(dla_ros.__all__), said
    assert 'Any' not in told
    (error,) = [line for line in lines if 'error:' in line]
    assert 'has no attribute "Detektor"' in error
    assert (PACKAGE / 'py.typed').exists(), (
        'without it they do not look into the package (PEP 561)'
    )
