"""Finding libcudla, and turning its statuses into sentences; in processes of their own."""

import os
from pathlib import Path
import subprocess
import sys

from dla_ros.emulator import EmulatorOptions, start
from dla_ros.engines.cudla.library import Cudla
from dla_ros.engines.cudla.status import BY_CALL, CudlaStatus, GENERAL, name_of, to_error
from dla_ros.errors import DlaError
import pytest

ROOT = Path(__file__).parents[3]
OPEN = """
from dla_ros.engines.cudla.library import Cudla
try: Cudla.open(is_emulated=False)
except Exception as error: print(type(error).__name__, error)
"""


def python(code, **environment):
    done = subprocess.run(
        [sys.executable, '-c', code],
        capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, 'PYTHONPATH': str(ROOT), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def open_emulated(options):
    start(EmulatorOptions.parse(options))
    return Cudla.open(is_emulated=True)


def test_a_missing_libcudla_is_named_with_its_packages():
    said = python(OPEN, LD_LIBRARY_PATH='')
    for part in ('EngineError libcudla.so.1', 'libcudla-12-6', 'nvidia-cudla==13.*', 'emulator'):
        assert part in said
    assert said.count('\n') == 1


def test_missing_bindings_are_named_with_the_command_that_installs_them():
    said = python('import sys; sys.modules["cuda.bindings"] = None\n' + OPEN)
    assert "EngineError the Python library cuda (extra 'dla' of dla_ros) cannot be" in said
    assert "pip install 'cuda-bindings>=13.3,<14'" in said


def test_hardware_cannot_be_reached_where_the_emulator_runs():
    said = python('from dla_ros.emulator import start; start()\n' + OPEN)
    assert 'EngineError this process has used the emulated DLA' in said
    assert 'process started anew' in said


def test_an_emulator_that_was_not_started_is_told():
    said = python(OPEN.replace('is_emulated=False', 'is_emulated=True'))
    assert 'EngineError the emulated DLA has not been started' in said


@pytest.mark.parametrize(
    ('options', 'status', 'said'),
    [
        ('driver=missing', 15, ['libnvcudla.so', 'nvidia-l4t-cuda', '--runtime nvidia']),
        ('driver=old', 1, ['older than libcudla.so.1', 'pip uninstall nvidia-cudla']),
        ('fail=version:1:10', 10, ['libcudla and the DLA software of this L4T do not fit']),
        ('fail=version:1:77', 77, ['status 77', 'not in cudla.h']),
        ('fail=version:1:0x40000006', 0x40000006, ['DLA_ENGINE_TIMEOUT', 'task_timeout_ms']),
    ],
)
def test_what_a_driver_answers_becomes_a_sentence(options, status, said):
    with pytest.raises(DlaError) as caught:
        open_emulated(options)
    start(EmulatorOptions())
    assert (caught.value.call, caught.value.status) == ('get_version', status)
    for part in said:
        assert part in str(caught.value)


def test_the_emulator_adds_what_exactly_it_refused():
    cudla = open_emulated('')
    with pytest.raises(DlaError, match='Emulated destroy_device: INVALID_DEVICE: 0x7b is no'):
        cudla.call('destroy_device', 123)


def test_every_status_has_a_meaning():
    meant = {status for status in CudlaStatus if status}
    assert set(GENERAL) == meant
    for status in meant:
        error = to_error('submit_task', status)
        assert str(error).startswith(f'cuDLA submit_task: {status.name} (')
        assert dict(error.details) == {
            'call': 'submit_task', 'status': str(int(status)), 'name': status.name,
            'meaning': GENERAL[status],
        }  # fmt: skip


def test_the_statuses_are_those_of_the_binding():
    from cuda.bindings import cudla

    bound = {each.value for each in cudla.Status}
    assert bound == {int(each) for each in CudlaStatus}


def test_special_meanings_belong_to_functions_that_exist():
    from cuda.bindings import cudla

    assert all(hasattr(cudla, call) for call, _ in BY_CALL)


def test_a_number_without_a_name_is_shown():
    assert (name_of(7), name_of(77)) == ('UMD', 'status 77')


def test_a_mistake_of_the_caller_stays_a_value_error():
    cudla = open_emulated('')
    with pytest.raises(ValueError, match=r'of size (99|bytes)') as caught:
        cudla.call('module_load_from_memory', 1, b'abc', 99, 0)
    assert not isinstance(caught.value, DlaError)


def test_an_interrupt_that_came_within_a_call_is_raised_after_it(monkeypatch):
    from dla_ros.emulator import api

    def interrupt(*_):
        raise KeyboardInterrupt

    cudla = open_emulated('')
    monkeypatch.setitem(api.WORK, 'get_version', interrupt)
    with pytest.raises(KeyboardInterrupt):
        cudla.call('get_version')
