"""The component container: a node whose services load and unload other nodes."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
import os
import time
import traceback
from typing import Any

from composition_interfaces.srv import ListNodes, LoadNode, UnloadNode
from dla_ros.errors import ComponentError, DlaRosError
from dla_ros.ros.checked_parameters import CheckedParameters
from dla_ros.ros.container.birth import create_node
from dla_ros.ros.container.component import Component
from dla_ros.ros.container.jobs import Jobs
from dla_ros.ros.container.parameters import executor_of, launch_of, ROWS
from dla_ros.ros.container.placement import Placement
from dla_ros.ros.container.tenant import Tenant
from dla_ros.ros.container.tenants import Tenants
from dla_ros.ros.deferred import defer
from dla_ros.ros.ending import Ending
from dla_ros.ros.polled_events import PolledEvents
from dla_ros.ros.unknown_parameters import warn_of_unknown
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.node import Node

_UNLOAD_S = 10.0
# of a node of somebody else, which rclpy raises for
_WRONG_PARAMETERS = (InvalidParameterTypeException, InvalidParameterValueException)


class ComponentContainer(CheckedParameters, PolledEvents):
    """
    Serve ``~/_container/load_node``, ``unload_node`` and ``list_nodes`` for rclpy node classes.

    The names and types are those of rclcpp's container, so ``ros2 component`` and launch_ros do
    not see a difference. Loading and unloading run on threads of their own: this node answers
    meanwhile, and so do the nodes that are loaded.
    """

    rows = ROWS

    def __init__(self, name: str = 'component_container', **options: Any) -> None:
        """Offer the services; nothing is loaded."""
        super().__init__(name, **options)
        for fault in self.faults.values():
            self.get_logger().error(f'{fault}; its default stands in')
        self._is_ending = False
        self._jobs = Jobs()
        self._tenants = Tenants(self.get_fully_qualified_name())
        group = ReentrantCallbackGroup()
        for kind, label, answer in (
            (LoadNode, 'load_node', self._on_load),
            (UnloadNode, 'unload_node', self._on_unload),
        ):
            defer(self._serve(kind, label, answer, group), answer)
        self._serve(ListNodes, 'list_nodes', self._on_list, group)

    @property
    def nodes(self) -> list[str]:
        """Give the full names of the loaded nodes."""
        return [name for _, name in self._tenants.rows()]

    @property
    def ending(self) -> Ending | None:
        """Give how a loaded node wants the process to end, or None."""
        return self._tenants.ending()

    def end(self, timeout_s: float = 1.5) -> bool:
        """
        Unload every node, all at once; tell whether everything was given back in time.

        A node that is just being made is unloaded, too: its thread would outlive the process's
        end. What is not done by then (a constructor, a transition, a device that hangs) cannot
        be broken off; the caller should end the process.
        """
        self._is_ending = True
        deadline = time.monotonic() + timeout_s
        while True:
            left = max(0.0, deadline - time.monotonic())
            unloading = [
                self._jobs.start(partial(self._unload, number, left))
                for number, _ in self._tenants.rows()
            ]
            if not self._jobs.wait(left) or any(each.result() for each in unloading):
                return False
            if not self._tenants.rows():
                return True

    # ── services ─────────────────────────────────────────────────────────────────────────────

    def _serve(self, kind: Any, label: str, answer: Any, group: Any) -> Any:
        return self.create_service(kind, f'~/_container/{label}', answer, callback_group=group)

    def _on_load(
        self, request: LoadNode.Request, response: LoadNode.Response
    ) -> 'Future[LoadNode.Response]':
        def answer() -> LoadNode.Response:
            loaded = self._said('load', lambda: self._load(request))
            response.success = isinstance(loaded, Tenant)
            if isinstance(loaded, Tenant):
                response.full_node_name, response.unique_id = loaded.name, loaded.number
            else:
                response.error_message = loaded
            return response

        return self._jobs.start(answer)

    def _on_unload(
        self, request: UnloadNode.Request, response: UnloadNode.Response
    ) -> 'Future[UnloadNode.Response]':
        def answer() -> UnloadNode.Response:
            reason = self._unload(request.unique_id, _UNLOAD_S)
            response.success, response.error_message = not reason, reason
            return response

        return self._jobs.start(answer)

    def _on_list(
        self, _request: ListNodes.Request, response: ListNodes.Response
    ) -> ListNodes.Response:
        for number, name in self._tenants.rows():
            response.unique_ids.append(number)
            response.full_node_names.append(name)
        return response

    # ── what they do ─────────────────────────────────────────────────────────────────────────

    def _load(self, request: LoadNode.Request) -> Tenant:
        if self._is_ending:
            raise ComponentError('the container is ending')
        component = Component.parse(request.package_name, request.plugin_name)
        placement = Placement.of(request)
        self._check_launch(placement.launch_id)
        node_class = component.load()
        for remark in placement.remarks:
            self.get_logger().warning(remark)
        with self._tenants.claiming() as claim:
            node = create_node(node_class, placement, claim)
            if isinstance(node, CheckedParameters) and not placement.is_global:
                warn_of_unknown(node)  # one of ours declares all that it has when it is made
            tenant = self._tenants.add(node, self._open_tenant)
        self.get_logger().info(f"loaded '{tenant.name}' ({component}) as {tenant.number}")
        return tenant

    def _check_launch(self, wanted: str) -> None:
        """Refuse what another launch loads into its own container, which is called as this one."""
        if wanted and wanted != launch_of(self):
            name = self.get_fully_qualified_name()
            raise ComponentError(
                f"this is not the container '{name}' of the launch that asks: the name was taken "
                f'before, by process {os.getpid()}; stop that, or start the other in another '
                'namespace (namespace:=NAMESPACE)'
            )

    def _open_tenant(self, number: int, node: Node) -> Tenant:
        return Tenant(number, node, executor_of(self))

    def _unload(self, number: int, timeout_s: float) -> str:
        """Unload a node; give '' or why it is still there."""

        def unload() -> str:
            with self._tenants.leaving(number) as tenant:
                tenant.close(timeout_s)
            self.get_logger().info(f"unloaded '{tenant.name}' ({number})")
            return ''

        return str(self._said('unload', unload))

    def _said(self, verb: str, act: Callable[[], Any]) -> Any:
        """Give what ``act`` gives, or why it was not possible; either way the container lives."""
        try:
            return act()
        except (ComponentError, *_WRONG_PARAMETERS) as err:
            reason = str(err)
        except DlaRosError as err:
            reason = f'{type(err).__name__}: {err}'
        except (Exception, SystemExit) as err:
            self.get_logger().error(traceback.format_exc())
            reason = f'{type(err).__name__}: {err}'
        self.get_logger().error(f'cannot {verb}: {reason}')
        return reason
