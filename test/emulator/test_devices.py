import ctypes

from dla_ros.emulator import EmulatorOptions, start
from dla_ros.emulator.devices import SHARED_STATIC
from dla_ros.engines.cudla.status import CudlaStatus as S
import pytest

NO_HANDLE = 0x0D1A_FFFF_0000


def test_it_says_what_the_options_say(bench):
    assert bench.cudla.get_version() == 1_005_000
    assert bench.cudla.device_get_count() == 2
    start(EmulatorOptions.parse('cores=1,version=1004002'))
    assert (bench.cudla.get_version(), bench.cudla.device_get_count()) == (1_004_002, 1)


def test_a_core_that_does_not_exist_is_refused(bench):
    bench.open(core=1)
    assert bench.status('create_device', 2, 0) == S.INVALID_PARAM


def test_the_17th_handle_of_a_core_is_refused_and_the_other_core_is_free(bench):
    handles = [bench.open() for _ in range(16)]
    assert bench.status('create_device', 0, 0) == S.OUT_OF_RESOURCES
    bench.open(core=1)
    bench.cudla.destroy_device(handles[3])
    bench.open()


def test_shared_scratch_memory_is_accepted_other_flags_are_not(bench):
    handle = bench.cudla.create_device(0, SHARED_STATIC)
    bench.cudla.destroy_device(handle)
    assert bench.status('create_device', 0, 4) == S.INVALID_PARAM


def test_standalone_mode_is_refused_below_the_binding_too(bench, emulator):
    library, handle = ctypes.CDLL(str(emulator.path)), ctypes.c_uint64()
    asked = ctypes.c_uint64(0), ctypes.byref(handle), 1
    assert library.cudlaCreateDevice(*asked) == S.UNSUPPORTED_OPERATION
    assert library.cudlaGetVersion(None) == S.INVALID_PARAM


def test_a_handle_that_is_not_one_or_is_destroyed_is_refused(bench, loadable):
    handle = bench.cudla.create_device(0, 0)
    bench.cudla.destroy_device(handle)
    data = loadable.read_bytes()
    for number in (handle, NO_HANDLE, 0):
        assert bench.status('destroy_device', number) == S.INVALID_DEVICE
        assert bench.status('mem_register', number, 64, 64, 0) == S.INVALID_DEVICE
        assert bench.status('mem_unregister', number, 64) == S.INVALID_DEVICE
        load = ('module_load_from_memory', number, data, len(data), 0)
        assert bench.status(*load) == S.INVALID_DEVICE
        assert bench.status('device_get_attribute', number, 0) == S.INVALID_DEVICE
        assert bench.cudla.get_last_error(number) == S.INVALID_DEVICE
        assert bench.status('set_task_timeout_in_ms', number, 1) == S.INVALID_PARAM


def test_device_attributes_are_those_of_an_orin(bench):
    handle = bench.open()
    assert bench.cudla.device_get_attribute(handle, 0).unified_addressing_supported == 1
    assert bench.cudla.device_get_attribute(handle, 1).device_version == 2
    assert bench.status('device_get_attribute', handle, 9) == S.INVALID_ATTRIBUTE


@pytest.mark.parametrize(('milliseconds', 'status'), [
    (0, S.INVALID_PARAM), (1, 0), (1_000_000, 0), (1_000_001, S.INVALID_PARAM),
])  # fmt: skip
def test_a_timeout_lies_between_1_ms_and_1000_s(bench, milliseconds, status):
    assert bench.status('set_task_timeout_in_ms', bench.open(), milliseconds) == status
