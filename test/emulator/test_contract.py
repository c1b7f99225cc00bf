"""Each call of the real cuda.bindings.cudla against the emulated library, right and wrong."""

import ctypes
from threading import Event

from dla_ros.emulator import EmulatorOptions, start
from dla_ros.emulator.abi import CALLS, Descriptor, Task
from dla_ros.engines.cudla.status import CudlaStatus as S
from dla_ros.errors import DeviceError
import pytest

STREAM_OF_NOBODY = 0x123456
NO_HANDLE = 0x0D1A_FFFF_0000


def test_the_structs_have_the_sizes_of_cudla_h():
    assert (ctypes.sizeof(Task), ctypes.sizeof(Descriptor)) == (48, 168)
    assert (Descriptor.size.offset, Descriptor.codes.offset, Descriptor.strides.offset) == (
        88, 128, 136,
    )  # fmt: skip


def test_every_function_of_the_binding_is_there(emulator):
    from cuda.bindings._internal import cudla as internal

    wanted = {name.strip('_') for name in internal._inspect_function_pointers()}
    everywhere = ctypes.CDLL(None)
    assert len(wanted) == len(CALLS)
    assert [name for name in wanted if not hasattr(everywhere, name)] == []


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
    handle = bench.cudla.create_device(0, int(bench.cudla.ScratchMemoryConfig.SHARED_STATIC))
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


def test_registering_gives_another_address(bench):
    memory = bench.memory(64)
    mapped = bench.cudla.mem_register(bench.open(), memory.address, 64, 0)
    assert mapped != memory.address


def test_registering_twice_says_so_and_after_unregistering_is_fine(bench):
    handle, memory = bench.open(), bench.memory(64)
    mapped = bench.cudla.mem_register(handle, memory.address, 64, 0)
    again = ('mem_register', handle, memory.address, 64, 0)
    assert bench.status(*again) == S.MEMORY_REGISTERED
    bench.cudla.mem_unregister(handle, mapped)
    assert bench.status('mem_unregister', handle, mapped) == S.INVALID_ADDRESS
    assert bench.status(*again) == 0


def test_memory_is_registered_on_each_handle_for_itself(bench):
    first, second, memory = bench.open(), bench.open(), bench.memory(64)
    mapped = bench.cudla.mem_register(first, memory.address, 64, 0)
    assert bench.cudla.mem_register(second, memory.address, 64, 0) != mapped
    assert bench.status('mem_unregister', second, mapped) == S.INVALID_ADDRESS


def test_only_aligned_memory_of_the_device_can_be_registered(bench):
    handle, memory = bench.open(), bench.memory(128)
    foreign = ctypes.create_string_buffer(1 << 16)
    aligned = -(-ctypes.addressof(foreign) // 64) * 64
    for address, nbytes, flags, status in (
        (memory.address + 16, 32, 0, S.INVALID_ADDRESS),
        (memory.address, 129, 0, S.INVALID_ADDRESS),
        (memory.address, 0, 0, S.INVALID_ADDRESS),
        (0, 64, 0, S.INVALID_ADDRESS),
        (aligned, 64, 0, S.INVALID_ADDRESS),
        (memory.address, 64, 2, S.UNSUPPORTED_OPERATION),
        (memory.address, 64, 4, S.INVALID_PARAM),
        (memory.address + 32, 96, 0, 0),
    ):
        assert bench.status('mem_register', handle, address, nbytes, flags) == status


def test_memory_freed_before_it_was_unregistered_is_noticed(bench):
    handle, memory = bench.open(), bench.device.allocate(64)
    mapped = bench.cudla.mem_register(handle, memory.address, 64, 0)
    memory.close()
    assert bench.status('mem_unregister', handle, mapped) == S.INVALID_ADDRESS


def test_a_handle_loads_one_module_in_its_life(bench, loadable):
    handle = bench.open()
    module, data = bench.load(handle, loadable), loadable.read_bytes()
    again = ('module_load_from_memory', handle, data, len(data), 0)
    assert bench.status(*again) == S.UNSUPPORTED_OPERATION
    bench.cudla.module_unload(module, 0)
    assert bench.status(*again) == S.UNSUPPORTED_OPERATION


@pytest.mark.parametrize('content', [
    b'ftrt' + bytes(200),
    b'\x08\x00\x00\x00NVDA' + bytes(200),
    b'x',
])  # fmt: skip
def test_what_is_no_loadable_is_umd(bench, content):
    load = ('module_load_from_memory', bench.open(), content, len(content), 0)
    assert bench.status(*load) == S.UMD


def test_a_cut_loadable_and_one_for_real_hardware_are_umd(bench, emulator, loadable):
    from dla_ros.loadable.loadable import Loadable
    from dla_ros.loadable.write import to_bytes

    whole = Loadable.read(loadable)
    real = to_bytes(Loadable(whole.input_descriptors, whole.output_descriptors))
    for data, reason in ((loadable.read_bytes()[:100], 'broken'), (real, 'built for a DLA')):
        load = ('module_load_from_memory', bench.open(), data, len(data), 0)
        assert bench.status(*load) == S.UMD
        assert reason in emulator.report().refusals[-1]


def test_module_flags_other_than_0_are_refused(bench, loadable):
    handle, data = bench.open(), loadable.read_bytes()
    for flags, status in ((1, S.UNSUPPORTED_OPERATION), (2, S.INVALID_PARAM)):
        load = ('module_load_from_memory', handle, data, len(data), flags)
        assert bench.status(*load) == status
    module = bench.load(handle, loadable)
    assert bench.status('module_unload', module, 1) == S.INVALID_PARAM


def test_descriptors_say_what_the_file_says(bench, loadable):
    module = bench.load(bench.open(), loadable)
    kinds = bench.cudla.ModuleAttributeType
    ask = bench.cudla.module_get_attributes
    assert ask(module, int(kinds.NUM_INPUT_TENSORS)) == 1
    assert ask(module, int(kinds.NUM_OUTPUT_TENSORS)) == 2
    (tensor,) = ask(module, int(kinds.INPUT_TENSOR_DESCRIPTORS))
    assert (tensor.name, tensor.size_, tensor.n, tensor.c, tensor.h, tensor.w) == (
        'x', 1920, 1, 3, 6, 10,
    )  # fmt: skip
    assert (tensor.data_format, tensor.data_type, tensor.data_category) == (3, 2, 2)
    assert tensor.stride.tolist() == [2, 320, 1920, 0, 0, 0, 0, 0]
    outputs = ask(module, int(kinds.OUTPUT_TENSOR_DESCRIPTORS))
    assert [each.name for each in outputs] == ['double', 'half']


def test_modules_end_with_their_handle_or_when_unloaded(bench, loadable):
    first, second = bench.open(), bench.cudla.create_device(0, 0)
    unloaded, orphan = bench.load(first, loadable), bench.load(second, loadable)
    bench.cudla.module_unload(unloaded, 0)
    bench.cudla.destroy_device(second)
    for call in ('module_unload', 'module_get_attributes'):
        assert bench.status(call, unloaded, 0) == S.INVALID_MODULE
        assert bench.status(call, orphan, 0) == S.INVALID_DEVICE
        assert bench.status(call, 0, 0) == S.INVALID_MODULE


def test_a_module_still_loaded_or_memory_still_registered_is_a_leak(bench, emulator, loadable):
    handle = bench.cudla.create_device(0, 0)
    bench.task(handle, loadable)
    before = len(emulator.report().leaks)
    bench.cudla.destroy_device(handle)
    assert len(emulator.report().leaks) - before == 2


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
    import numpy as np

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
    noop = int(bench.cudla.SubmissionFlags.NOOP)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, noop)
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
    with pytest.raises(DeviceError, match='freed while a DLA task used them'):
        stream.synchronize()


def test_a_task_that_a_broken_stream_drops_is_not_in_flight(bench, loadable):
    handle, stream = bench.open(), bench.stream()
    task, _, _ = bench.task(handle, loadable)
    stream.enqueue(lambda: 1 / 0)
    bench.cudla.submit_task(handle, task.ptr, 1, stream.handle, 0)
    with pytest.raises(DeviceError, match='ZeroDivisionError'):
        stream.synchronize()
    assert bench.status('module_unload', task.module_handle, 0) == 0
