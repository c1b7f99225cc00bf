"""What tests of several folders need: a GPU, or the reason why there is none; no stopwatch."""

import os
import random
import signal

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.errors import DeviceError
from hypothesis import settings
import pytest

os.environ.setdefault('DLA_ROS_SEED', str(random.randrange(1 << 30)))

# A shell ignores SIGINT for what it starts with '&', and so would every process that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# No test asserts a time; a failure prints what repeats it (@reproduce_failure).
settings.register_profile('house', deadline=None, print_blob=True)
settings.load_profile('house')


def pytest_report_header():
    return f'DLA_ROS_SEED={os.environ["DLA_ROS_SEED"]} repeats the pictures given to the GPU'


@pytest.fixture(scope='session')
def gpu():
    """Give the machine's GPU; where there is none its tests are skipped, and say why."""
    try:
        device = CudaDevice.open()
    except DeviceError as error:
        pytest.skip(f'needs a GPU: {error}')
    with device:
        yield device
