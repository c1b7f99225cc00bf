"""Who has a node's name in the ROS graph, and in which process: a name should have one holder."""

from collections.abc import Iterable
from dataclasses import dataclass
import os
from pathlib import Path
from typing import Any

from dla_ros.robots.names import join
from rclpy.node import Node

_TOPIC = '/parameter_events'  # each node has one publisher there, so one gid
_LIST = '/_container/list_nodes'
_PARTICIPANT = 12  # bytes of a DDS gid that all nodes of a process share
_FAST_DDS = bytes.fromhex('010f')  # its gids go on with the host, and half of the process id
_HOST = slice(0, 4)
_ID = slice(4, 6)
_PROC = Path('/proc')
_MOST = 1 << 22  # process ids, on Linux with 64 bits


@dataclass(frozen=True)
class Holder:
    """
    Say where a node lives.

    ``gid`` is another one for each node that starts. ``process`` is the process id on this host,
    None where that is not known; ``container`` the full name of a container around the node.
    """

    gid: bytes
    process: int | None = None
    container: str = ''

    def __str__(self) -> str:
        """Say it for a person, who may want to end it."""
        process = 'another process' if self.process is None else f'process {self.process}'
        return f"container '{self.container}' ({process})" if self.container else process

    @property
    def has_ended(self) -> bool:
        """Tell whether the process is known to have ended; DDS remembers it for 20 s."""
        return self.process is not None and not _speaks_dds(self.process)


class Census:
    """Look who has a name, as far as a node of this process has discovered others."""

    def __init__(self, node: Node) -> None:
        """Ask the graph through ``node``."""
        self._node = node
        self._known: dict[bytes, Holder] = {}

    def holders(self, name: str) -> list[Holder]:
        """
        Return where the nodes with this full name live.

        One whose process crashed is among them until DDS forgets it, unless it was met alive.
        """
        infos = self._node.get_publishers_info_by_topic(_TOPIC)
        gids = [_gid(info) for info in infos if _name(info) == name]
        here = {_gid(info) for info in infos}
        self._known = {gid: holder for gid, holder in self._known.items() if gid in here}
        if not self._known.keys() >= set(gids):
            self._meet(name, infos)
        return [self._known[gid] for gid in gids if not self._known[gid].has_ended]

    def _meet(self, name: str, infos: Iterable[Any]) -> None:
        host = _host_of(infos, self._node.get_fully_qualified_name())
        services = {service for service, _ in self._node.get_service_names_and_types()}
        services.discard(f'{name}{_LIST}')  # a container is in no container
        boxes = {_process(i): _name(i) for i in infos if f'{_name(i)}{_LIST}' in services}
        for info in infos:
            gid = _gid(info)
            if _name(info) == name and gid not in self._known:
                box = boxes.get(_process(info), '')
                self._known[gid] = Holder(gid, process_of(gid, host), box)


def process_of(gid: bytes, host: bytes) -> int | None:
    """
    Return the id of the process that a gid of Fast DDS belongs to; None where it is unknown.

    ``host`` is the beginning of the gids of this host.
    """
    if not host or gid[_HOST] != host:
        return None
    lower = _half(gid)
    found = [number for number in range(lower, _MOST, 1 << 16) if _speaks_dds(number)]
    return found[0] if len(found) == 1 else None


def _host_of(infos: Iterable[Any], name: str) -> bytes:
    """Return how gids of this host begin: as that of the asking node, which is called ``name``."""
    own = os.getpid() % (1 << 16)
    for info in infos:
        gid = _gid(info)
        if _name(info) == name and gid.startswith(_FAST_DDS) and _half(gid) == own:
            return gid[_HOST]
    return b''


def _half(gid: bytes) -> int:
    return int.from_bytes(gid[_ID], 'little')


def _speaks_dds(process: int) -> bool:
    """Tell whether a process has Fast DDS loaded; of one of another user it is not known."""
    try:
        text = (_PROC / str(process) / 'maps').read_text()
    except OSError:
        return False
    return 'libfastdds' in text or 'libfastrtps' in text


def _name(info: Any) -> str:
    return join(info.node_namespace, info.node_name)


def _gid(info: Any) -> bytes:
    return bytes(info.endpoint_gid)


def _process(info: Any) -> bytes:
    return _gid(info)[:_PARTICIPANT]
