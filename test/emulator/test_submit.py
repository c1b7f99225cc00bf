from threading import Event

from dla_ros.emulator.submit import NOOP
from dla_ros.engines.cudla.status import CudlaStatus as S
from dla_ros.errors import DeviceError
import numpy as np
import pytest

STREAM_OF_NOBODY = 0x123456
NO_HANDLE = 0x0D1A_FFFF_0000


def test_a_task_runs_in_stream_order(bench, loadable):
    handle, stream = bench.open(), bench.stream()
    task, (x, double, half), _ = bench.task(handle, loadable)
    values = []
    for value in (0x3C00, 0x4000):  # 1.0 and 2.0
        stream.enqueue(lambda value=value: x.host.view('<u2').fill(value))
        bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
        stream.enqueue(lambda: values.append((first_of(double), first_of(half))))
    stream.synchronize()
    assert values == [(2.0, -0.5), (4.0, 0.0)]
    assert bench.cudla.get_last_error(handle) == 0


def first_of(memory):
    return memory.host.view('<f2')[0]


def test_submitting_does_not_wait(bench, loadable):
    handle, stream, gate = bench.open(), bench.stream(), Event()
    task, (_, double, _), _ = bench.task(handle, loadable)
    stream.enqueue(gate.wait)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    assert not double.host.any()
    gate.set()
    stream.synchronize()


def test_several_tasks_of_one_call_all_run(bench, emulator, loadable):
    handle, stream = bench.open(), bench.stream()
    task, _, _ = bench.task(handle, loadable)
    tasks = np.zeros(3, bench.cudla.task_dtype)
    tasks[:] = np.frombuffer(bytes(memoryview(task)), bench.cudla.task_dtype)[0]
    before = emulator.report().tasks_run
    bench.cudla.submit_task(handle, tasks.ctypes.data, 3, stream.handle, 0)
    stream.synchronize()
    assert emulator.report().tasks_run - before == 3


def test_a_task_told_to_do_nothing_does_nothing(bench, emulator, loadable):
    handle, stream = bench.open(), bench.stream()
    task, (x, double, _), _ = bench.task(handle, loadable)
    x.host[:] = 0x3C
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, NOOP)
    stream.synchronize()
    assert not double.host.any()


def test_a_wrong_submission_is_refused_with_the_documented_status(bench, loadable):
    handle, other, stream = bench.open(), bench.open(), bench.stream()
    task, (x, *_), mapped = bench.task(handle, loadable)
    small = bench.cudla.mem_register(handle, bench.memory(64).address, 64, 0)

    def submit(number=handle, tasks=task.ptr, count=1, on=stream.handle, flags=0):
        return bench.status('submit_task', number, tasks, count, on, flags)

    assert submit(number=NO_HANDLE) == S.INVALID_DEVICE
    assert submit(number=other) == S.INVALID_MODULE
    assert submit(tasks=0) == S.INVALID_PARAM
    assert submit(count=0) == S.INVALID_PARAM
    assert submit(flags=8) == S.INVALID_PARAM
    assert submit(flags=4) == S.UNSUPPORTED_OPERATION
    assert submit(on=0) == S.INVALID_PARAM
    assert submit(on=2) == S.INVALID_PARAM
    assert submit(on=STREAM_OF_NOBODY) == S.CUDA
    for inputs, outputs, status in (
        ([x.address], mapped[1:], S.INVALID_ADDRESS),
        ([NO_HANDLE], mapped[1:], S.INVALID_ADDRESS),
        (mapped[:1], [mapped[1], small], S.INVALID_ADDRESS),
        (mapped[:2], mapped[1:], S.INVALID_PARAM),
        (mapped[:1], mapped[1:2], S.INVALID_PARAM),
    ):
        task.input_tensor, task.output_tensor = inputs, outputs
        assert submit() == status
    task.input_tensor, task.output_tensor = mapped[:1], mapped[1:]
    for event in ('wait_events', 'signal_events'):
        setattr(task, event, 64)
        assert submit() == S.UNSUPPORTED_OPERATION
        setattr(task, event, 0)
    task.module_handle = 0
    assert submit() == S.INVALID_MODULE


def test_tensors_that_are_null_are_refused(bench, loadable):
    handle, stream = bench.open(), bench.stream()
    task = bench.cudla.Task()
    task.module_handle = bench.load(handle, loadable)
    submit = ('submit_task', handle, task.ptr, 1, stream.handle, 0)
    assert bench.status(*submit) == S.UNSUPPORTED_OPERATION


def test_nothing_is_taken_away_while_a_task_is_in_flight(bench, loadable):
    handle, stream, gate = bench.open(), bench.stream(), Event()
    task, _, mapped = bench.task(handle, loadable)
    stream.enqueue(gate.wait)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    assert bench.status('mem_unregister', handle, mapped[0]) == S.UMD
    assert bench.status('module_unload', task.module_handle, 0) == S.UMD
    assert bench.status('destroy_device', handle) == S.UMD
    gate.set()
    stream.synchronize()
    for each in mapped:
        bench.cudla.mem_unregister(handle, each)
    bench.cudla.module_unload(task.module_handle, 0)
    bench.cudla.destroy_device(handle)


def test_memory_freed_under_a_task_breaks_the_stream(bench, loadable):
    handle, stream, gate = bench.open(), bench.stream(), Event()
    task, (x, *_), _ = bench.task(handle, loadable)
    stream.enqueue(gate.wait)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    x.close()
    gate.set()
    with pytest.raises(DeviceError, match='freed while a DLA task used them') as kept:
        stream.synchronize()
    assert bench.status('module_unload', task.module_handle, 0) == 0
    assert kept.value.__cause__ is not None, 'a task that never ran is not in flight'


def test_a_task_that_a_broken_stream_drops_is_not_in_flight(bench, loadable):
    handle, stream = bench.open(), bench.stream()
    task, _, _ = bench.task(handle, loadable)
    stream.enqueue(lambda: 1 / 0)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    with pytest.raises(DeviceError, match='ZeroDivisionError'):
        stream.synchronize()
    assert bench.status('module_unload', task.module_handle, 0) == 0
