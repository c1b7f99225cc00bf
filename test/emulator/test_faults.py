"""What the emulated DLA does when it is told to be slow, to fail or to hang."""

from time import sleep

from dla_ros.emulator import EmulatorOptions, start
from dla_ros.engines.cudla.status import CudlaStatus as S
from dla_ros.errors import DeviceError
import numpy as np
import pytest


@pytest.mark.parametrize(('driver', 'status'), [
    ('missing', S.DRIVER_NOT_FOUND), ('old', S.INVALID_PARAM),
])  # fmt: skip
def test_without_a_good_driver_every_call_returns_one_status(bench, driver, status):
    start(EmulatorOptions(driver=driver))
    assert bench.status('get_version') == status
    assert bench.status('device_get_count') == status
    assert bench.status('create_device', 0, 0) == status
    assert bench.cudla.get_last_error(0) == status


def test_the_nth_call_fails_and_the_others_do_not(bench):
    start(EmulatorOptions.parse('fail=count:2:10,fail=version:1'))
    assert bench.status('get_version') == S.UMD
    statuses = [bench.status('device_get_count') for _ in range(3)]
    assert statuses == [0, S.INCOMPATIBLE_DLA_SW_VERSION, 0]


def test_other_options_count_from_new(bench):
    for _ in range(2):
        start(EmulatorOptions.parse('fail=version:1'))
        assert bench.status('get_version') == S.UMD
        assert bench.status('get_version') == 0


def test_a_status_that_no_header_knows_can_be_told(bench):
    start(EmulatorOptions.parse('fail=version:1:77'))
    with pytest.raises(ValueError, match='77 is not a valid Status'):
        bench.cudla.get_version()


def test_a_task_that_fails_breaks_the_stream_and_the_handle_says_why(bench, emulator, loadable):
    start(EmulatorOptions.parse('fail=task:2'))
    handle, stream = bench.open(), bench.stream()
    task, _, _ = bench.task(handle, loadable)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    stream.synchronize()
    assert bench.cudla.get_last_error(handle) == 0
    before = emulator.report().tasks_failed
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    with pytest.raises(DeviceError, match='DLA_INVALID_INPUT'):
        stream.synchronize()
    assert emulator.report().tasks_failed - before == 1
    assert bench.cudla.get_last_error(handle) == S.DLA_INVALID_INPUT
    submit = ('submit_task', handle, task.ptr, 1, bench.stream().handle, 0)
    assert bench.status(*submit) == S.DLA_INVALID_INPUT


def test_a_hung_task_ends_by_its_timeout(bench, loadable):
    start(EmulatorOptions.parse('hang=submit:1'))
    handle, stream = bench.open(), bench.stream()
    bench.cudla.set_task_timeout_in_ms(handle, 20)
    task, _, mapped = bench.task(handle, loadable)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    with pytest.raises(DeviceError, match='did not end within 20 ms'):
        stream.synchronize()
    assert bench.cudla.get_last_error(handle) == S.DLA_ENGINE_TIMEOUT
    for each in mapped:
        bench.cudla.mem_unregister(handle, each)
    bench.cudla.module_unload(task.module_handle, 0)
    bench.cudla.destroy_device(handle)


def test_a_task_longer_than_its_timeout_is_a_hung_one(bench, loadable):
    start(EmulatorOptions.parse('task_ms=10000'))
    handle, stream = bench.open(), bench.stream()
    bench.cudla.set_task_timeout_in_ms(handle, 20)
    task, _, _ = bench.task(handle, loadable)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    with pytest.raises(DeviceError, match='DLA_ENGINE_TIMEOUT'):
        stream.synchronize()


def test_a_hung_task_ends_with_its_handle_and_so_do_those_behind_it(bench, emulator, loadable):
    start(EmulatorOptions.parse('hang=submit:1'))
    handle, first, second = bench.cudla.create_device(0, 0), bench.stream(), bench.stream()
    task, (_, double, _), mapped = bench.task(handle, loadable)
    ran = emulator.report().tasks_run
    bench.cudla.submit_task(handle, task.ptr, 1, first.handle, 0)
    while not emulator.state.cores[0].is_hung:
        sleep(0.001)
    bench.cudla.submit_task(handle, task.ptr, 1, second.handle, 0)
    for each in mapped:
        bench.cudla.mem_unregister(handle, each)
    bench.cudla.module_unload(task.module_handle, 0)
    bench.cudla.destroy_device(handle)
    for stream in (first, second):
        with pytest.raises(DeviceError, match='DLA core 0'):
            stream.synchronize()
    assert emulator.report().tasks_run == ran
    assert not double.host.any()


def test_a_hung_core_does_not_stop_the_other(bench, emulator, loadable):
    start(EmulatorOptions.parse('hang=submit:1'))
    hung, alive, stuck, stream = bench.open(0), bench.open(1), bench.stream(), bench.stream()
    for handle, on in ((hung, stuck), (alive, stream)):
        task, _, _ = bench.task(handle, loadable)
        bench.cudla.submit_task(handle, task.ptr, 1, on.handle, 0)
    stream.synchronize()
    bench.cudla.destroy_device(hung)


def test_a_network_that_costs_nothing_writes_zeros(bench, loadable):
    start(EmulatorOptions(network='none'))
    handle, stream = bench.open(), bench.stream()
    task, (x, double, _), _ = bench.task(handle, loadable)
    x.host[:], double.host[:] = 1, 1
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    stream.synchronize()
    assert not double.host.any()


def test_a_network_that_runs_once_gives_its_first_outputs_again(bench, loadable):
    start(EmulatorOptions(network='once'))
    handle, stream = bench.open(), bench.stream()
    task, (x, double, _), _ = bench.task(handle, loadable)
    for value in (0x3C, 0x40):
        x.host[:] = value
        bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
        stream.synchronize()
    assert double.host.view(np.float16)[0] == 2 * np.full(2, 0x3C, np.uint8).view(np.float16)[0]


def test_a_mistake_in_the_emulator_is_an_unknown_error_and_shown(bench, capfd, monkeypatch):
    from dla_ros.emulator import api

    monkeypatch.setitem(api.WORK, 'get_version', lambda *_: 1 / 0)
    assert bench.status('get_version') == S.UNKNOWN
    assert 'ZeroDivisionError' in capfd.readouterr().err
