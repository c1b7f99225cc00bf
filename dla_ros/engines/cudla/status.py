"""A cuDLA status, and what it means on a robot."""

from enum import IntEnum

from dla_ros.errors import DlaError


class CudlaStatus(IntEnum):
    """Name what a cuDLA call returns; numbers from 0x40000001 come from a task on the DLA."""

    SUCCESS = 0
    INVALID_PARAM = 1
    OUT_OF_RESOURCES = 2
    CREATION_FAILED = 3
    INVALID_ADDRESS = 4
    OS = 5
    CUDA = 6
    UMD = 7
    INVALID_DEVICE = 8
    INVALID_ATTRIBUTE = 9
    INCOMPATIBLE_DLA_SW_VERSION = 10
    MEMORY_REGISTERED = 11
    INVALID_MODULE = 12
    UNSUPPORTED_OPERATION = 13
    NV_SCI = 14
    DRIVER_NOT_FOUND = 15
    DLA_INVALID_INPUT = 0x40000001
    DLA_INVALID_PRE_ACTION = 0x40000002
    DLA_NO_MEM = 0x40000003
    DLA_PROCESSOR_BUSY = 0x40000004
    DLA_TASK_STATUS_MISMATCH = 0x40000005
    DLA_ENGINE_TIMEOUT = 0x40000006
    DLA_DATA_MISMATCH = 0x40000007
    UNKNOWN = 0x7FFFFFFF


def name_of(status: int) -> str:
    """Give the name of a status, or its number where cudla.h has none."""
    try:
        return CudlaStatus(status).name
    except ValueError:
        return f'status {status}'


S = CudlaStatus
AGAIN = 'Open the engine again (deactivate, cleanup, configure)'
BUG = 'This is a mistake in dla_ros: please report it with this message'
BOARD = 'Look at the board: sudo dmesg, sudo nvpmodel -q'

GENERAL: dict[int, str] = {
    S.INVALID_PARAM: f'a parameter is wrong. {BUG}',
    S.OUT_OF_RESOURCES: 'memory or DLA resources are used up. Close other users of the DLA, '
    'or use a smaller network',
    S.CREATION_FAILED: 'the device handle could not be made. Is there a CUDA context, and may '
    'this user open /dev/nvhost-*? (groups video and render)',
    S.INVALID_ADDRESS: f'memory is not registered, freed or not aligned to 32 bytes. {BUG}',
    S.OS: f'the operating system refused something. {BOARD}',
    S.CUDA: f'a CUDA operation within cuDLA failed. {BOARD}',
    S.UMD: f'the DLA runtime failed. {AGAIN}; '
    'if it comes back, look at the board: sudo dmesg, sudo nvpmodel -q',
    S.INVALID_DEVICE: f'the device handle is not valid. {BUG}',
    S.INVALID_ATTRIBUTE: 'the library does not know what was asked. Update libcudla',
    S.INCOMPATIBLE_DLA_SW_VERSION: 'libcudla and the DLA software of this L4T do not fit. '
    'Install the libcudla of your JetPack (sudo apt install libcudla-12-6 on JetPack 6), and '
    'build the loadable again',
    S.MEMORY_REGISTERED: f'the memory is registered already. {BUG}',
    S.INVALID_MODULE: f'the module is not loaded. {BUG}',
    S.UNSUPPORTED_OPERATION: 'this cannot be done in hybrid mode or on this machine: the DLA '
    'belongs to the integrated GPU, not to a plugged-in one',
    S.NV_SCI: f'NvSci failed, which hybrid mode does not use. {BUG}',
    S.DRIVER_NOT_FOUND: 'the driver libnvcudla.so cannot be loaded. On a Jetson install it with '
    'sudo apt install nvidia-l4t-cuda; in a container use --runtime nvidia, which mounts it from '
    'the host. On a machine without a DLA set dla_device: emulator',
    S.DLA_INVALID_INPUT: f'the DLA refused the input of a task. {AGAIN}',
    S.DLA_INVALID_PRE_ACTION: f'what a task had to wait for failed. {AGAIN}',
    S.DLA_NO_MEM: f'the DLA ran out of memory in a task. {AGAIN}, with fewer users of the DLA',
    S.DLA_PROCESSOR_BUSY: f'the DLA was busy. {AGAIN}',
    S.DLA_TASK_STATUS_MISMATCH: f'the DLA lost track of a task. {AGAIN}',
    S.DLA_ENGINE_TIMEOUT: f'a task did not end within its time. {AGAIN}; if the network is only '
    'slow, raise task_timeout_ms',
    S.DLA_DATA_MISMATCH: f'the DLA found its data changed. {AGAIN}',
    S.UNKNOWN: f'the reason is not known to cuDLA. {AGAIN}; {BOARD}',
}

OLD_DRIVER = (
    'the driver libnvcudla.so is older than libcudla.so.1 and lacks functions. Update JetPack, '
    'or take the libcudla of your JetPack (sudo apt install libcudla-12-6 on JetPack 6) instead '
    "of pip's nvidia-cudla: pip uninstall nvidia-cudla"
)
BY_CALL: dict[tuple[str, int], str] = {
    ('get_version', S.INVALID_PARAM): OLD_DRIVER,
    ('device_get_count', S.INVALID_PARAM): OLD_DRIVER,
    ('create_device', S.OUT_OF_RESOURCES): 'this core has all its 16 handles in use. Close other '
    'users of the DLA, or use the other core (dla_core)',
    ('module_load_from_memory', S.UMD): 'the DLA runtime does not take this file: it was built '
    'for other DLA software, or without --buildDLAStandalone. Build it on this board with the '
    'TensorRT of this JetPack',
    ('module_load_from_memory', S.OUT_OF_RESOURCES): 'no room for the network: a core holds 16 '
    'loadables. Close other users of the DLA, or use the other core (dla_core)',
    ('create_device', S.UNSUPPORTED_OPERATION): 'the current GPU is not the integrated one of a '
    'Jetson with a DLA. Choose it with CUDA_VISIBLE_DEVICES, or set dla_device: emulator',
}


def to_error(call: str, status: int) -> DlaError:
    """Return the error that says what a call's status means, and what to do."""
    known = BY_CALL.get((call, status)) or GENERAL.get(status)
    meaning = known or f'this status is not in cudla.h. Update libcudla; {AGAIN}'
    name = name_of(status)
    text = f'cuDLA {call}: {name} ({status}): {meaning}.'
    return DlaError(text, call=call, status=int(status), name=name, meaning=meaning)
