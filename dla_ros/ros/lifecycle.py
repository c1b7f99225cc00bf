"""A lifecycle node whose transitions neither block the executor nor kill it."""

from collections.abc import Callable
from concurrent.futures import Future
import time
import traceback
from typing import Any

from dla_ros.errors import DlaRosError
from dla_ros.ros.deferred import defer
from dla_ros.ros.initialise import reason_of
from dla_ros.ros.polled_events import PolledEvents
from dla_ros.ros.worker import Worker
from lifecycle_msgs.srv import ChangeState
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.lifecycle import LifecycleNode, LifecycleState, TransitionCallbackReturn

SUCCESS = TransitionCallbackReturn.SUCCESS
FAILURE = TransitionCallbackReturn.FAILURE
ERROR = TransitionCallbackReturn.ERROR

_HOLDING = {'inactive', 'active'}
_PATIENCE_S = 1.5  # for a transition that runs when the node should go; 2 s are promised in all


class ResponsiveLifecycleNode(PolledEvents, LifecycleNode):
    """
    Do every transition on a worker thread, one at a time, and say why one was refused.

    rclpy runs a transition inside its service callback: a configure of seconds would stop
    get_state and, in a container, the images of the neighbours. It swallows what a callback
    raises, and on Jazzy (7.1) an invalid request raises out of spin() and gets no answer. So the
    change_state service answers from here; children override ``configure``, ``activate``,
    ``deactivate`` and ``release``, and raise.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """Create the node and put its change_state service on the worker."""
        super().__init__(name, **options)
        self.worker = Worker(f'{name} transitions')
        self._is_destroyed = False
        self.refusal = ''  # why the last transition was refused; '' if it was not
        service = self._service_change_state
        self._change_state: Callable[[Any, Any], Any] = service.callback
        defer(service, self._on_change_state)

    def configure(self) -> None:
        """Take what the node needs; raise DlaRosError to stay unconfigured."""

    def activate(self) -> None:
        """Start to work; raise DlaRosError to stay inactive."""

    def deactivate(self) -> None:
        """Stop to work."""

    def release(self) -> None:
        """Give everything back that configure took, even after half a configure."""

    def end(self, timeout_s: float = _PATIENCE_S) -> bool:
        """
        Shut down from whichever state; tell whether everything was given back.

        A transition that still runs is waited for, and so is the shutdown, behind tasks in
        flight; neither can be broken off, so after ``timeout_s`` in all the caller should end
        the process, which gives the device back.
        """
        deadline = time.monotonic() + timeout_s
        if not self.worker.close(timeout_s):
            self.get_logger().warning('a transition still runs; the process ends without it')
            return False
        if self._state_machine.current_state[1] in {'unconfigured', 'inactive', 'active'}:
            last = Worker(f'{self.get_name()} shutdown')
            last.start(self.trigger_shutdown)
            if not last.close(deadline - time.monotonic()):
                self.get_logger().warning('the shutdown still runs; the process ends without it')
                return False
        return True

    def destroy_node(self) -> None:
        """
        Give back what configure took, then destroy the node at once, its state machine included.

        rclpy's state machine keeps the node's handle, and thereby the DDS participant, until the
        garbage collector comes by. A node of the same name then meets half of the old one, and
        its services never become available. A transition that still runs is waited for; if it
        does not end, its state machine is left to it, and what stays taken is said.
        """
        is_over = self._is_destroyed or self._give_back()
        super().destroy_node()
        if is_over and not self._is_destroyed:
            self._is_destroyed = True
            self._state_machine.destroy_when_not_in_use()

    def _give_back(self) -> bool:
        """Shut down what was not, and say what stays taken; return whether all is over."""
        is_over = self.worker.close(_PATIENCE_S)
        if is_over and self._state_machine.current_state[1] in _HOLDING:
            last = Worker(f'{self.get_name()} shutdown')
            last.start(self._stop_and_release)
            is_over = last.close(_PATIENCE_S)
        if not is_over:
            self.get_logger().error(
                f"'{self.get_fully_qualified_name()}' is destroyed while a transition or a task "
                'still runs: device, memory and threads stay taken until the process ends; call '
                'end() before destroy_node(), and end the process where it returns False'
            )
        return is_over

    def _stop_and_release(self) -> None:
        """Do as shutdown does, without a transition: without its context rclpy has none."""
        self._guard('deactivate', self.deactivate)
        self._guard('shutdown', self.release)

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Configure; a refused configure leaves nothing taken."""
        self.refusal = ''
        result = self._guard('configure', self.configure)
        if result is SUCCESS:
            return super().on_configure(state)
        released = self._guard('release', self.release)
        return result if released is SUCCESS else ERROR

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Activate; publishers are enabled before the first image can arrive."""
        self.refusal = ''
        super().on_activate(state)
        result = self._guard('activate', self.activate)
        if result is SUCCESS:
            self.get_logger().info('activated')
        else:
            super().on_deactivate(state)
        return result

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Deactivate; what is in flight is published before publishers are disabled."""
        result = self._guard('deactivate', self.deactivate)
        super().on_deactivate(state)
        if result is not SUCCESS:
            return ERROR
        self.get_logger().info('deactivated')
        return SUCCESS

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Give everything back."""
        self.refusal = ''
        super().on_cleanup(state)
        return SUCCESS if self._guard('cleanup', self.release) is SUCCESS else ERROR

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Stop from whichever state and give everything back."""
        result = self._guard('deactivate', self.deactivate)
        if state.label == 'active' and result is SUCCESS:
            self.get_logger().info('deactivated')
        return self._guard('shutdown', self.release)

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """
        Give everything back, so that the node can be configured again.

        What refuses to be given back is said, and whether it is in the way, configure tells: a
        finalized node could only be killed.
        """
        super().on_deactivate(state)
        released = self._guard('error processing', self.release)
        return ERROR if released is ERROR else SUCCESS

    def _guard(self, what: str, act: Callable[[], None]) -> TransitionCallbackReturn:
        """Do ``act``; a refusal of the world is a FAILURE, a fault of ours an ERROR, both said."""
        try:
            act()
        except (DlaRosError, rclpy_implementation.RCLError) as err:
            reason = str(err) if isinstance(err, DlaRosError) else reason_of(err)
            self._remember(f'{what} failed: {reason}')
            self.get_logger().error(f'{what} failed: {reason}')
            return FAILURE
        except Exception as err:
            self._remember(f'{what} failed: {type(err).__name__}: {err}')
            self.get_logger().error(f'{what} failed unexpectedly:\n{traceback.format_exc()}')
            return ERROR
        return SUCCESS

    def _remember(self, reason: str) -> None:
        """Keep the first reason: what fails on the way back comes of it."""
        self.refusal = self.refusal or reason

    def _on_change_state(
        self, request: ChangeState.Request, response: ChangeState.Response
    ) -> 'Future[ChangeState.Response]':
        reason = self._why_not(request)
        job = None if reason else self.worker.start(lambda: self._transit(request, response))
        if job is not None:
            return job
        reason = reason or 'another transition is in progress'
        self.get_logger().warning(f'refused transition {_name(request)}: {reason}')
        refused: Future[ChangeState.Response] = Future()
        response.success = False
        refused.set_result(response)
        return refused

    def _transit(
        self, request: ChangeState.Request, response: ChangeState.Response
    ) -> ChangeState.Response:
        try:
            return self._change_state(request, response)
        except Exception:
            # a client that waits for ever would be worse than a refusal
            self.get_logger().error(f'{_name(request)} failed:\n{traceback.format_exc()}')
            response.success = False
            return response

    def _why_not(self, request: ChangeState.Request) -> str:
        state = self._state_machine.current_state[1]
        allowed = self._state_machine.available_transitions
        wanted = request.transition
        for number, label, *_ in allowed:
            if wanted.label == label if wanted.label else wanted.id == number:
                return ''
        names = ', '.join(label for _, label, *_ in allowed) or 'none until it is done'
        return f"the node is '{state}', possible from there: {names}"


def _name(request: ChangeState.Request) -> str:
    return repr(request.transition.label or request.transition.id)
