"""The C functions by which rclpy makes, fills, reads and destroys messages of a type."""

from collections.abc import Callable
from ctypes import c_bool, c_char_p, c_void_p, cast, py_object, PYFUNCTYPE, pythonapi
from typing import Any

from rclpy.type_support import check_for_type_support

ToPython = PYFUNCTYPE(py_object, c_void_p)
_Create = PYFUNCTYPE(c_void_p)
_Destroy = PYFUNCTYPE(None, c_void_p)
_FromPython = PYFUNCTYPE(c_bool, py_object, c_void_p)

_new_capsule = PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(('PyCapsule_New', pythonapi))
_capsule_name = PYFUNCTYPE(c_char_p, py_object)(('PyCapsule_GetName', pythonapi))
_capsule_pointer = PYFUNCTYPE(c_void_p, py_object, c_char_p)(('PyCapsule_GetPointer', pythonapi))


class TypeSupport:
    """Hold the functions of one message class, which rosidl_generator_py keeps in capsules."""

    def __init__(self, kind: Any) -> None:
        """Import the type support where that has not happened; raise what rclpy raises."""
        check_for_type_support(kind)
        self.create = _Create(_pointer(kind._CREATE_ROS_MESSAGE))
        self.destroy = _Destroy(_pointer(kind._DESTROY_ROS_MESSAGE))
        self.from_python = _FromPython(_pointer(kind._CONVERT_FROM_PY))
        self.to_python = ToPython(_pointer(kind._CONVERT_TO_PY))


def with_conversion(kind: Any, to_python: Callable[[int], Any]) -> Any:
    """
    Give a class that is ``kind`` to DDS, and whose messages rclpy hands out as ``to_python`` does.

    ``to_python`` gets the address of the C message, which is destroyed when it returns, and must
    not raise: rclpy would go on with no message at all.
    """
    function = ToPython(to_python)
    address = cast(function, c_void_p)
    support = {'_CONVERT_TO_PY': _new_capsule(address, None, None), 'function': function}
    metaclass = type(type(kind).__name__, (type(kind),), support)
    return metaclass(kind.__name__, (kind,), {'__slots__': (), '__module__': kind.__module__})


def _pointer(capsule: Any) -> int:
    return int(_capsule_pointer(capsule, _capsule_name(capsule)))
