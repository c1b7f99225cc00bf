"""The nodes that a container holds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
import threading

from dla_ros.errors import ComponentError
from dla_ros.ros.container.tenant import Tenant
from dla_ros.ros.ending import Ending, ending_of
from rclpy.node import Node


class Tenants:
    """
    Keep nodes by number and by name; methods may be called from any thread.

    A number is never given twice. A name is taken before its node is created: two nodes of one
    name in a process would take each other's logs away.
    """

    def __init__(self, own_name: str) -> None:
        """Start empty; the container's own name is taken too."""
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._tenants: dict[int, Tenant] = {}
        self._names = {own_name}
        self._leaving: set[int] = set()

    @contextmanager
    def claiming(self) -> Iterator[Callable[[str], None]]:
        """
        Give a function that takes a name, in place of the one it took before.

        It raises ComponentError for a name that another node has. If the block raises, the name
        is free again.
        """
        taken: list[str] = []

        def claim(name: str) -> None:
            with self._lock:
                self._names.difference_update(taken)
                taken[:] = [] if name in self._names else [name]
                self._names.update(taken)
            if not taken:
                raise ComponentError(
                    f"there is a node '{name}' in this container already; give this one another "
                    'name (--node-name) or namespace (--node-namespace)'
                )

        try:
            yield claim
        except BaseException:
            with self._lock:
                self._names.difference_update(taken)
            raise

    def add(self, node: Node, open_tenant: Callable[[int, Node], Tenant]) -> Tenant:
        """Give a node whose name is claimed its number, and let it run."""
        with self._lock:
            number = next(self._numbers)
        tenant = open_tenant(number, node)
        with self._lock:
            self._tenants[number] = tenant
        return tenant

    @contextmanager
    def leaving(self, number: int) -> Iterator[Tenant]:
        """
        Give the tenant to be closed, to this caller only; it is gone if the block does not raise.

        Raise ComponentError for a number that nobody has, or whose node is leaving already.
        """
        with self._lock:
            self._check(number)
            self._leaving.add(number)
        try:
            yield self._tenants[number]
            with self._lock:
                self._names.discard(self._tenants.pop(number).name)
        finally:
            with self._lock:
                self._leaving.discard(number)

    def rows(self) -> list[tuple[int, str]]:
        """Give number and full name of each node, in the order of their loading."""
        with self._lock:
            return [(number, tenant.name) for number, tenant in sorted(self._tenants.items())]

    def ending(self) -> Ending | None:
        """
        Give how the first node that wants the process to end wants that, or None.

        A new start is not for a container: the nodes that were loaded would be gone.
        """
        with self._lock:
            endings = [
                ending_of(tenant.node)
                for number, tenant in self._tenants.items()
                if number not in self._leaving
            ]
        return next((ending for ending in endings if ending and not ending.restarts), None)

    def _check(self, number: int) -> None:
        if number not in self._tenants:
            known = ', '.join(str(each) for each in self._tenants) or 'none'
            raise ComponentError(f'no node has the id {number}; ids in use: {known}')
        if number in self._leaving:
            raise ComponentError(f'node {number} is being unloaded already')
