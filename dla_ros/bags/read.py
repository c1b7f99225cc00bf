"""Read a bag: its topics, its messages as they were recorded, its images as pixels."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dla_ros.bags.bounded import UnfoldedError
from dla_ros.bags.library import rosbag2, typesys
from dla_ros.errors import BagError
from dla_ros.files.regular_file import is_regular, open_regular, read_regular
from dla_ros.files.yaml_file import MOST_BYTES, parse_yaml
from dla_ros.images.compressed import decode
from dla_ros.images.image import ImageView, to_image_view

IMAGE = 'sensor_msgs/msg/Image'
COMPRESSED = 'sensor_msgs/msg/CompressedImage'


class BagTopic(NamedTuple):
    """Tell what a bag holds of one topic."""

    name: str
    type_name: str
    message_count: int


@dataclass(frozen=True)
class BagMessage:
    """Hold one message: its CDR bytes, and when it was recorded (nanoseconds since 1970)."""

    topic: str
    type_name: str
    stamp_ns: int
    data: bytes


@dataclass(frozen=True)
class BagImage:
    """
    Hold one image message.

    ``stamp_ns`` and ``frame_id`` are those of its header; ``received_ns`` is when it was recorded.
    ``message`` has the fields of sensor_msgs/Image or CompressedImage.
    """

    topic: str
    stamp_ns: int
    received_ns: int
    frame_id: str
    message: Any
    is_compressed: bool

    @property
    def view(self) -> ImageView:
        """Give the pixels, decoded each time it is asked; raise ImageError if they are broken."""
        message = self.message
        if self.is_compressed:
            return decode(message.data, message.format)
        return to_image_view(
            message.data,
            height=message.height,
            width=message.width,
            encoding=message.encoding,
            step=message.step,
            is_bigendian=bool(message.is_bigendian),
        )


def bag_topics(bag: Path) -> list[BagTopic]:
    """List the topics of a bag's folder, in the order of their names; raise BagError."""
    with _opened(bag) as reader:
        return sorted(
            BagTopic(each.topic, each.msgtype, each.msgcount) for each in reader.connections
        )


def read_messages(bag: Path, topics: Sequence[str] | None = None) -> Iterator[BagMessage]:
    """
    Give the messages of some topics (all if None) in the order of their recording.

    Raise BagError for a bag that cannot be read, or a topic that it does not have.
    """
    with _opened(bag) as reader:
        chosen = _choose(bag, reader.connections, topics)
        # To the reader no connections would mean all.
        stored = reader.messages(connections=chosen) if chosen else iter(())
        for connection, stamp_ns, data in _readable(bag, stored):
            yield BagMessage(connection.topic, connection.msgtype, stamp_ns, bytes(data))


def read_images(bag: Path, topic: str | None = None) -> Iterator[BagImage]:
    """
    Give the images of a topic (of all image topics if None) in the order of their recording.

    Raise BagError for a bag that cannot be read, a topic it does not have or without images, or
    a bag without any image topic.
    """
    names = [each.name for each in bag_topics(bag) if each.type_name in {IMAGE, COMPRESSED}]
    if not names or topic not in {None, *names}:
        raise BagError(
            f"bag '{bag}' has no images on {topic or 'any topic'}; "
            f'image topics: {", ".join(names) or "none"}'
        )
    types = typesys()
    store = types.get_typestore(types.Stores.ROS2_JAZZY)
    for recorded in read_messages(bag, names if topic is None else [topic]):
        try:
            message = store.deserialize_cdr(recorded.data, recorded.type_name)
        # what it raises depends on what the bytes are instead
        except Exception as err:
            raise BagError(
                f"bag '{bag}' has a message of {len(recorded.data)} bytes on '{recorded.topic}' "
                f'that is no {recorded.type_name} ({type(err).__name__}: {err})'
            ) from err
        stamp = message.header.stamp
        yield BagImage(
            recorded.topic,
            stamp.sec * 10**9 + stamp.nanosec,
            recorded.stamp_ns,
            message.header.frame_id,
            message,
            recorded.type_name == COMPRESSED,
        )


@contextmanager
def _opened(bag: Path) -> Iterator[Any]:
    if not is_regular(Path(bag) / 'metadata.yaml'):
        raise BagError(
            f"'{bag}' is no bag: a bag is a folder with metadata.yaml in it, as ros2 bag record "
            'makes it (for a lone file: ros2 bag reindex FOLDER)'
        )
    library = rosbag2()
    try:
        _check_files(Path(bag))
        reader = library.Reader(Path(bag))
        reader.open()
    except Exception as err:
        raise _unreadable(bag, err) from err
    try:
        yield reader
    finally:
        reader.close()


def _check_files(bag: Path) -> None:
    """Raise OSError or YamlError for what the library would wait for, or read without end."""
    text = read_regular(bag / 'metadata.yaml', MOST_BYTES).decode()
    parse_yaml(text)
    for path in bag.iterdir():
        if not path.is_dir():
            open_regular(path).close()


def _readable(bag: Path, stored: Iterator[Any]) -> Iterator[Any]:
    while True:
        try:
            item = next(stored)
        except StopIteration:
            return
        except Exception as err:
            raise _unreadable(bag, err) from err
        yield item


def _unreadable(bag: Path, err: Exception) -> BagError:
    """Tell of any error: a bag that is cut off shows as whatever its bytes then mean."""
    remedy = 'if its recording was cut short try: ros2 bag reindex FOLDER'
    if isinstance(err, UnfoldedError):
        remedy = err.remedy
    return BagError(f"bag '{bag}' cannot be read ({type(err).__name__}: {err}); {remedy}")


def _choose(bag: Path, connections: Sequence[Any], topics: Sequence[str] | None) -> list[Any]:
    if topics is None:
        return list(connections)
    names = sorted({each.topic for each in connections})
    missing = [topic for topic in topics if topic not in names]
    if missing:
        raise BagError(
            f"bag '{bag}' has no topic {', '.join(missing)}; it has: {', '.join(names) or 'none'}"
        )
    return [each for each in connections if each.topic in topics]
