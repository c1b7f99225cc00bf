"""Whether this build of ROS lays images out as expected; asked before anything relies on it."""

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import addressof, c_uint8

from dla_ros.ros.in_place.c_image import CImage, CSequence
from dla_ros.ros.in_place.received_image import ReceivedImage
from dla_ros.ros.in_place.runtime import runtime
from dla_ros.ros.in_place.type_support import TypeSupport
from sensor_msgs.msg import Image
from std_msgs.msg import Header

_UNTOUCHED = 0xA5
_COUNT = 7


def mismatch() -> str:
    """Say what is not as expected, or ''."""
    try:
        runtime()
    except (OSError, AttributeError) as error:
        return f'the library rosidl_runtime_c is not as expected ({error})'
    if not _is_sequence_known():
        return 'a sequence of bytes is more than data, size and capacity'
    wrong = _wrong_fields(_sample())
    return f'the fields {wrong} of an image are not where they should be' if wrong else ''


@contextmanager
def c_message(message: Image) -> Iterator[int]:
    """Give the address of a message's C form, filled by rosidl itself; destroy it at the end."""
    support = TypeSupport(Image)
    address = support.create()
    try:
        support.from_python(message, address)
        yield address
    finally:
        support.destroy(address)


def _is_sequence_known() -> bool:
    """Let rosidl write a sequence into marked memory, and see that it writes all it should."""

    class Marked(CSequence):
        _fields_ = (('behind', c_uint8 * 40),)

    marked = Marked(behind=(c_uint8 * 40)(*[_UNTOUCHED] * 40))
    if not runtime().init(addressof(marked), _COUNT):
        return False
    found = marked.size, marked.capacity, set(marked.behind)
    runtime().fini(addressof(marked))
    return found == (_COUNT, _COUNT, {_UNTOUCHED})


def _sample() -> Image:
    image = Image(header=Header(frame_id='camera'), height=3, width=5, encoding='mono8')
    image.header.stamp.sec, image.header.stamp.nanosec = -11, 13
    image.is_bigendian, image.step, image.data = 1, 7, array('B', range(21))
    return image


def _wrong_fields(expected: Image) -> list[str]:
    with c_message(expected) as address:
        # Numbers first: only where those are right can pointers be followed.
        wrong = _wrong_numbers(CImage.from_address(address), expected)
        return wrong or _wrong_values(ReceivedImage(address), expected)


def _wrong_numbers(found: CImage, expected: Image) -> list[str]:
    stamp = expected.header.stamp
    pairs = {
        'stamp': ((found.header.sec, found.header.nanosec), (stamp.sec, stamp.nanosec)),
        'frame_id': (found.header.frame_id.size, len(expected.header.frame_id)),
        'encoding': (found.encoding.size, len(expected.encoding)),
        'data': (found.data.size, len(expected.data)),
    }
    for name in ('height', 'width', 'is_bigendian', 'step'):
        pairs[name] = (getattr(found, name), getattr(expected, name))
    return [name for name, (one, other) in pairs.items() if one != other]


def _wrong_values(found: ReceivedImage, expected: Image) -> list[str]:
    names = ('header', 'encoding', 'data')
    return [name for name in names if getattr(found, name) != getattr(expected, name)]
