"""Device and pinned memory on a GPU."""

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.memory import copy_to_device, owns
from dla_ros.errors import DeviceError
import numpy as np
import pytest


@pytest.fixture
def stream(gpu):
    opened = gpu.open_stream()
    yield opened
    opened.close()


def test_a_buffer_is_zeroed_aligned_and_out_of_reach_of_the_cpu(gpu, stream):
    buffer = gpu.allocate(1001)
    assert buffer.address % 32 == 0
    assert buffer.host is None
    mirror = gpu.open_mirror(buffer)
    mirror.host[:] = 7
    mirror.fetch(stream)
    stream.synchronize()
    assert not mirror.host.any()
    mirror.close()
    buffer.close()


def test_a_mirror_shows_what_the_stream_wrote(gpu, stream):
    buffer, pinned = gpu.allocate(4096), gpu.pin(4096)
    mirror = gpu.open_mirror(buffer)
    pinned.host[:] = np.arange(4096) % 251
    copy_to_device(buffer.address, pinned.pointer, 4096, stream)
    mirror.fetch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(mirror.host, pinned.host)
    for each in (mirror, buffer, pinned):
        each.close()
        each.close()


def test_a_live_buffer_is_known_and_a_closed_one_refused(gpu):
    buffer = gpu.allocate(64)
    address = buffer.address
    assert owns(address + 32, 32)
    assert not owns(address + 32, 33)
    buffer.close()
    assert not owns(address, 1)
    with pytest.raises(DeviceError, match='is closed'):
        _ = buffer.address


def test_too_much_memory_is_refused_and_the_device_goes_on(gpu):
    with pytest.raises(DeviceError, match=r'out of GPU memory, .* MiB are free; lower slots'):
        gpu.allocate(1 << 50)
    gpu.allocate(64).close()


def test_a_gpu_that_does_not_exist_is_refused(gpu):
    with pytest.raises(DeviceError, match='GPU 4096 does not exist'):
        CudaDevice.open(ordinal=4096)


def test_a_closed_device_gives_nothing():
    device = CudaDevice(0, is_integrated=False)
    device.close()
    for take in (lambda: device.allocate(8), lambda: device.pin(8), device.open_stream):
        with pytest.raises(DeviceError, match='the CUDA device is closed'):
            take()
