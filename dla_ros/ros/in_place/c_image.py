"""How a ``sensor_msgs/Image`` lies in the memory of its C form (rosidl_generator_c)."""

from ctypes import c_int32, c_size_t, c_uint8, c_uint32, c_void_p, string_at, Structure


class CSequence(Structure):
    """Mirror ``rosidl_runtime_c__uint8__Sequence`` and, of the same shape, ``..__String``."""

    _fields_ = (('data', c_void_p), ('size', c_size_t), ('capacity', c_size_t))

    def to_text(self) -> str:
        """Copy a string out as rclpy does: what is not UTF-8 is replaced."""
        return string_at(self.data, self.size).decode('utf-8', 'replace')

    def take(self) -> 'CSequence':
        """Move the elements out: the sequence is empty after, and its owner frees nothing."""
        taken = CSequence(self.data, self.size, self.capacity)
        self.data, self.size, self.capacity = None, 0, 0
        return taken


class CHeader(Structure):
    """Mirror ``std_msgs__msg__Header``."""

    _fields_ = (('sec', c_int32), ('nanosec', c_uint32), ('frame_id', CSequence))


class CImage(Structure):
    """Mirror ``sensor_msgs__msg__Image``."""

    _fields_ = (
        ('header', CHeader),
        ('height', c_uint32),
        ('width', c_uint32),
        ('encoding', CSequence),
        ('is_bigendian', c_uint8),
        ('step', c_uint32),
        ('data', CSequence),
    )
