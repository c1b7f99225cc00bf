"""The functions of rosidl_runtime_c for sequences of bytes."""

from collections.abc import Callable
from ctypes import c_bool, c_size_t, c_void_p, PyDLL
from functools import cache
from typing import NamedTuple


class Runtime(NamedTuple):
    """Hold the functions; both take the address of a ``rosidl_runtime_c__uint8__Sequence``."""

    init: Callable[[int, int], bool]
    fini: Callable[[int], None]


@cache
def runtime() -> Runtime:
    """Find them in the library that rclpy has loaded; raise OSError or AttributeError if not."""
    # PyDLL keeps the GIL: giving memory back takes less than handing the GIL over.
    library = PyDLL('librosidl_runtime_c.so')
    init = library.rosidl_runtime_c__uint8__Sequence__init
    init.argtypes, init.restype = (c_void_p, c_size_t), c_bool
    fini = library.rosidl_runtime_c__uint8__Sequence__fini
    fini.argtypes, fini.restype = (c_void_p,), None
    return Runtime(init, fini)
