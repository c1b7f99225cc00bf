"""CUDA's refusals in words a person can act on; none of these needs a GPU."""

import sys

from cuda.bindings import runtime
from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.devices.cuda.status import check, explain, Status
from dla_ros.devices.open import open_device
from dla_ros.errors import DeviceError
import pytest


def has_driver():
    return runtime.cudaDriverGetVersion()[1] > 0


@pytest.mark.skipif(has_driver(), reason='needs a machine without an NVIDIA driver')
def test_without_a_driver_the_device_says_what_to_install():
    with pytest.raises(DeviceError, match='no NVIDIA driver is loaded; install one'):
        CudaDevice.open()


def test_a_driver_older_than_the_runtime_is_told_with_both_versions(monkeypatch):
    monkeypatch.setattr(runtime, 'cudaDriverGetVersion', lambda: (Status.cudaSuccess, 12060))
    monkeypatch.setattr(runtime, 'cudaRuntimeGetVersion', lambda: (Status.cudaSuccess, 13000))
    text = explain(Status.cudaErrorInsufficientDriver)
    assert 'goes up to CUDA 12.6' in text
    assert 'for CUDA 13.0; update the driver' in text


def test_no_memory_is_told_with_what_was_asked_for():
    with pytest.raises(DeviceError, match=r'allocating 1024 bytes: out of GPU memory.*slots'):
        check((Status.cudaErrorMemoryAllocation, None), 'allocating 1024 bytes')


@pytest.mark.parametrize('status', ['cudaErrorIllegalAddress', 'cudaErrorLaunchFailure'])
def test_a_lost_device_is_told_as_lost(status):
    with pytest.raises(DeviceError, match='is lost; end the process') as caught:
        check((getattr(Status, status),), 'waiting for an event')
    assert status in str(caught.value)


def test_any_other_status_keeps_its_name_and_text():
    assert 'invalid argument (cudaErrorInvalidValue)' in explain(Status.cudaErrorInvalidValue)


def test_success_gives_what_was_returned():
    assert check((Status.cudaSuccess, 7), 'counting') == 7
    assert check((Status.cudaSuccess,), 'counting') is None


def test_a_missing_package_is_told_with_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, 'dla_ros.devices.cuda.device', None)
    with pytest.raises(DeviceError, match="pip install 'cuda-bindings"):
        open_device('cuda')


def test_an_unknown_device_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError, match="no device 'tpu'"):
        open_device('tpu')
