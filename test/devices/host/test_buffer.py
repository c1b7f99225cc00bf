"""Host memory: zeroed, aligned, alive until closed."""

from dla_ros.devices.host.device import HostDevice
from dla_ros.devices.host.memory import look_at, owns
from dla_ros.errors import DeviceError
import pytest


@pytest.mark.parametrize('nbytes', [1, 63, 64, 4097, 1 << 20])
def test_a_buffer_is_zeroed_aligned_and_of_the_asked_size(nbytes):
    buffer = HostDevice.open().allocate(nbytes)
    assert buffer.nbytes == nbytes
    assert buffer.host.shape == (nbytes,)
    assert not buffer.host.any()
    assert buffer.address == buffer.host.ctypes.data
    assert buffer.address % 64 == 0
    buffer.close()


def test_memory_is_owned_from_allocation_to_close():
    buffer = HostDevice.open().allocate(256)
    address = buffer.address
    assert owns(address, 256)
    assert owns(address + 32, 224)
    assert not owns(address, 257)
    assert not owns(address - 1, 1)
    assert not owns(address + 256, 1)
    buffer.close()
    assert not owns(address, 1)


@pytest.mark.parametrize('start', [0, 32])
def test_memory_looked_at_is_the_buffers_own(start):
    buffer = HostDevice.open().allocate(64)
    seen = look_at(buffer.address + start, 4)
    seen[:] = 7
    assert seen.shape == (4,)
    assert buffer.host.nonzero()[0].tolist() == list(range(start, start + 4))
    buffer.close()


def test_a_forgotten_buffer_keeps_its_memory_like_a_gpu_does():
    buffer = HostDevice.open().allocate(128)
    address = buffer.address
    del buffer
    assert owns(address, 128)


def test_a_closed_buffer_refuses_and_closes_twice():
    buffer = HostDevice.open().allocate(8)
    buffer.close()
    buffer.close()
    with pytest.raises(DeviceError, match='8 bytes is closed'):
        _ = buffer.host
    with pytest.raises(DeviceError, match='closed'):
        _ = buffer.address


@pytest.mark.parametrize('nbytes', [0, -1])
def test_a_buffer_of_nothing_is_refused(nbytes):
    with pytest.raises(ValueError, match='at least 1'):
        HostDevice.open().allocate(nbytes)


def test_too_much_memory_is_a_device_error():
    with pytest.raises(DeviceError, match='no memory'):
        HostDevice.open().allocate(1 << 60)


def test_a_mirror_shows_the_buffer_itself():
    device = HostDevice.open()
    buffer, stream = device.allocate(4), device.open_stream()
    mirror = device.open_mirror(buffer)
    buffer.host[:] = 7
    mirror.fetch(stream)
    assert mirror.host.tolist() == [7, 7, 7, 7]
    mirror.close()
    stream.close()
    buffer.close()


@pytest.mark.parametrize('nbytes', [1 << 60, (1 << 63) - 65, 1 << 63, 1 << 64])
def test_more_than_memory_has_is_refused(nbytes):
    with pytest.raises(DeviceError, match=f'no memory for a host buffer of {nbytes} bytes'):
        HostDevice.open().allocate(nbytes)
