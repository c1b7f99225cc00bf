"""Write a bag that every tool reads: definitions and type hashes of its messages are in it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dla_ros.bags.library import rosbag2, typesys
from dla_ros.errors import BagError
from dla_ros.owner import Owner

METADATA_VERSION = 9  # what ros2 bag of Jazzy and Kilted writes
STORAGES = {'mcap': 'MCAP', 'sqlite3': 'SQLITE3'}


class BagWriter(Owner):
    """Append messages to a new bag; close it, or use ``with``, or it has no metadata."""

    def __init__(self, writer: Any, store: Any, path: Path) -> None:
        """Take over an opened writer; use :meth:`open`."""
        self._writer = writer
        self._store = store
        self._path = path
        self._connections: dict[str, Any] = {}
        self._is_closed = False

    @classmethod
    def open(
        cls, path: Path, definitions: Mapping[str, str] | None = None, *, storage: str = 'mcap'
    ) -> 'BagWriter':
        """
        Make the folder of a new bag.

        ``definitions`` maps the names of message types ('vision_msgs/msg/Detection2D') to the
        texts of their .msg files, all types that they contain among them; the common interfaces
        of ROS are known without. Raise BagError if the folder exists or a definition is wrong.
        """
        if storage not in STORAGES:
            raise BagError(f"bag storage '{storage}' is not known; use {' or '.join(STORAGES)}")
        if Path(path).exists():
            raise BagError(f"bag '{path}' exists already; choose another name or remove it")
        store, library = _to_store(definitions or {}), rosbag2()
        plugin = library.StoragePlugin[STORAGES[storage]]
        try:
            writer = library.Writer(Path(path), version=METADATA_VERSION, storage_plugin=plugin)
            writer.open()
        except (OSError, library.WriterError) as err:
            raise BagError(f"bag '{path}' cannot be written: {err}") from err
        return cls(writer, store, Path(path))

    def write(self, topic: str, type_name: str, data: bytes, stamp_ns: int) -> None:
        """
        Append a message: CDR bytes as they come from the wire, and when it came.

        Raise BagError for a type without a definition, a second type on a topic, a failed write.
        """
        connection = self._connections.get(topic) or self._connect(topic, type_name)
        if connection.msgtype != type_name:
            raise BagError(
                f"topic '{topic}' of bag '{self._path}' has type {connection.msgtype}; "
                f'{type_name} cannot be written to it'
            )
        try:
            self._writer.write(connection, stamp_ns, data)
        except OSError as err:
            raise BagError(f"bag '{self._path}' cannot be written: {err}") from err

    def close(self) -> None:
        """Write the metadata and close the file; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self._writer.close()

    def _connect(self, topic: str, type_name: str) -> Any:
        if type_name not in self._store.types:
            raise BagError(
                f"type {type_name} of topic '{topic}' has no definition; give the texts of its "
                '.msg files when the bag is opened'
            )
        connection = self._writer.add_connection(topic, type_name, typestore=self._store)
        self._connections[topic] = connection
        return connection


def _to_store(definitions: Mapping[str, str]) -> Any:
    """Give a store of types in which the given definitions count more than the built-in ones."""
    types = typesys()
    store = types.get_typestore(types.Stores.EMPTY)
    known = dict(types.get_typestore(types.Stores.ROS2_JAZZY).fielddefs)
    try:
        for name, text in definitions.items():
            known.update(types.get_types_from_msg(text, name))
        store.register(known)
    except Exception as err:
        raise BagError(f'a message definition cannot be read: {err}') from err
    return store
