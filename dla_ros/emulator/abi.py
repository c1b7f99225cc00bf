"""The C side of cudla.h: which calls there are, and how their structs lie in memory."""

import ctypes
from ctypes import c_char, c_int, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any

from dla_ros.tensors.descriptor import TensorDescriptor

# The names of cuda.bindings.cudla, in the order of libcudla.c, with the C types of the arguments.
CALLS: dict[str, tuple[Any, ...]] = {
    'get_version': (c_void_p,),
    'device_get_count': (c_void_p,),
    'create_device': (c_uint64, c_void_p, c_uint32),
    'mem_register': (c_void_p, c_void_p, c_size_t, c_void_p, c_uint32),
    'module_load_from_memory': (c_void_p, c_void_p, c_size_t, c_void_p, c_uint32),
    'module_get_attributes': (c_void_p, c_int, c_void_p),
    'module_unload': (c_void_p, c_uint32),
    'submit_task': (c_void_p, c_void_p, c_uint32, c_void_p, c_uint32),
    'device_get_attribute': (c_void_p, c_int, c_void_p),
    'mem_unregister': (c_void_p, c_void_p),
    'get_last_error': (c_void_p,),
    'destroy_device': (c_void_p,),
    'set_task_timeout_in_ms': (c_void_p, c_uint32),
}


class Task(ctypes.Structure):
    """Mirror ``cudlaTask``."""

    _fields_ = (
        ('module', c_void_p),
        ('outputs', ctypes.POINTER(c_void_p)),
        ('output_count', c_uint32),
        ('input_count', c_uint32),
        ('inputs', ctypes.POINTER(c_void_p)),
        ('wait_events', c_void_p),
        ('signal_events', c_void_p),
    )


class Descriptor(ctypes.Structure):
    """Mirror ``cudlaModuleTensorDescriptor``."""

    _fields_ = (
        ('name', c_char * 81),
        ('size', c_uint64),
        ('dims', c_uint64 * 4),
        ('codes', c_uint8 * 5),
        ('strides', c_uint32 * 8),
    )

    @classmethod
    def of(cls, tensor: TensorDescriptor) -> 'Descriptor':
        """Fill the struct."""
        codes = (tensor.data_format, tensor.data_type, tensor.data_category, tensor.pixel_format,
                 tensor.pixel_mapping)  # fmt: skip
        return cls(
            tensor.name.encode(),
            tensor.size,
            (c_uint64 * 4)(*tensor.dims),
            (c_uint8 * 5)(*codes),
            (c_uint32 * 8)(*tensor.strides),
        )


def write_u64(address: int, value: int) -> None:
    """Write an output parameter of 8 bytes: a handle, a pointer or a number."""
    c_uint64.from_address(address).value = value


def write_u32(address: int, value: int) -> None:
    """Write an output parameter of 4 bytes."""
    c_uint32.from_address(address).value = value


def read_u64(address: int) -> int:
    """Read 8 bytes."""
    return c_uint64.from_address(address).value


def bytes_at(address: int, nbytes: int) -> bytes:
    """Copy memory."""
    return ctypes.string_at(address, nbytes)
