"""Engines that fail, hang or are closed half-way: nothing stays taken, and the error says why."""

from dla_ros.engines.cudla.status import CudlaStatus as S
from dla_ros.errors import DeviceError, DlaError
import pytest

RETURNS = ('mem_unregister', 'module_unload', 'destroy_device')


def test_closing_twice_does_nothing_more(emulator, loadable, device, open_engine):
    engine, stream = open_engine(loadable, device), device.open_stream()
    binding = engine.bind(stream)
    for _ in range(2):
        binding.close()
        engine.close()
    calls = dict(emulator.report().calls)
    engine.close()
    assert emulator.report().calls == calls
    stream.close()


def test_a_binding_that_was_forgotten_is_closed_with_the_engine(
    emulator, loadable, device, open_engine, balance
):
    before = balance(emulator)
    engine, stream = open_engine(loadable, device), device.open_stream()
    engine.bind(stream)
    engine.close()
    assert balance(emulator) == before
    stream.close()


@pytest.mark.parametrize(
    'fault',
    ['version:1', 'count:1', 'create:1', 'timeout:1', 'load:1', 'attributes:1',
     'attributes:4'],
)  # fmt: skip
def test_a_failed_open_leaves_nothing_taken(
    emulator, loadable, device, fault, open_engine, balance
):
    before = balance(emulator)
    with pytest.raises(DlaError) as caught:
        open_engine(loadable, device, f'fail={fault}:5')
    assert caught.value.status == S.OS
    assert balance(emulator)[:4] == before[:4]


@pytest.mark.parametrize('nth', [1, 3])
def test_a_failed_bind_leaves_nothing_taken(emulator, loadable, device, nth, open_engine):
    engine, stream = open_engine(loadable, device, f'fail=register:{nth}'), device.open_stream()
    with pytest.raises(DlaError, match='mem_register'):
        engine.bind(stream)
    assert emulator.report().registrations == 0
    engine.bind(stream).close()
    engine.close()
    stream.close()


@pytest.mark.parametrize('call', ['unregister', 'unload', 'destroy'])
def test_a_step_back_that_fails_is_told_and_the_others_are_done(
    emulator, loadable, device, call, open_engine
):
    engine, stream = open_engine(loadable, device, f'fail={call}:1'), device.open_stream()
    engine.bind(stream)
    before = dict(emulator.report().calls)
    with pytest.raises(DlaError, match=call):
        engine.close()
    after = emulator.report().calls
    done = {each: after[each] - before.get(each, 0) for each in RETURNS}
    assert done == {'mem_unregister': 4, 'module_unload': 1, 'destroy_device': 1}
    stream.close()
    emulator.state.handles.clear()  # what the refused call left there


def test_a_full_core_says_so(emulator, loadable, device, open_engine):
    engines = [open_engine(loadable, device) for _ in range(16)]
    with pytest.raises(DlaError, match='all its 16 handles in use'):
        open_engine(loadable, device)
    for engine in engines:
        engine.close()


def test_a_task_that_fails_shows_on_the_stream_and_the_engine_explains(
    emulator, loadable, device, open_engine
):
    engine, stream = open_engine(loadable, device, 'fail=task:1'), device.open_stream()
    binding = engine.bind(stream)
    engine.submit(binding)
    with pytest.raises(DeviceError):
        stream.synchronize()
    error = engine.last_error()
    assert (error.call, error.status) == ('get_last_error', S.DLA_INVALID_INPUT)
    assert (error.name, error.meaning[:10]) == ('DLA_INVALID_INPUT', 'the DLA re')
    assert 'Open the engine again' in str(error)
    with pytest.raises(DlaError) as caught:
        engine.submit(binding)
    assert caught.value.status == S.DLA_INVALID_INPUT
    engine.close()
    assert 'get_last_error' in str(engine.last_error())
    stream.close()


def test_a_hung_task_ends_by_the_timeout_of_the_engine(
    emulator, loadable, device, open_engine, balance
):
    before = balance(emulator)
    engine = open_engine(loadable, device, 'hang=submit:1', task_timeout_ms=20)
    stream = device.open_stream()
    binding = engine.bind(stream)
    engine.submit(binding)
    with pytest.raises(DeviceError, match='20 ms'):
        stream.synchronize()
    assert 'raise task_timeout_ms' in str(engine.last_error())
    binding.close()
    engine.close()
    stream.close()
    assert balance(emulator) == before
