"""Answer a service request later, from another thread, under every executor of rclpy."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.logging import get_logger


def defer(service: Any, answer: Callable[[Any, Any], 'Future[Any]']) -> None:
    """
    Let ``answer(request, response)`` give a future of the response, sent when it is done.

    rclpy offers coroutines for this, but the EventsExecutor of Jazzy (7.1) sends the coroutine
    itself as the response and dies of it, and in the SingleThreadedExecutor a waiting coroutine
    holds its callback group. So the response is held back where every executor sends it.
    """
    send = service.send_response

    def send_when_done(reply: 'Future[Any]', header: Any) -> None:
        reply.add_done_callback(lambda done: _send(send, done, header))

    service.callback = answer
    service.send_response = send_when_done


def _send(send: Callable[[Any, Any], None], done: 'Future[Any]', header: Any) -> None:
    try:
        send(done.result(), header)
    except rclpy_implementation.InvalidHandle:
        # the node was destroyed meanwhile: the client sees that its service is gone
        get_logger('dla_ros').warning('a service was destroyed before its answer was ready')
