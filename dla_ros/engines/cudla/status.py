"""The status numbers of cudla.h (CUDLA 1.5), without the library."""

from enum import IntEnum


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
