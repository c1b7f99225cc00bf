"""Work of a service too long for its executor."""

from collections.abc import Callable
import threading
from typing import Any

from rclpy.node import Node
from rclpy.task import Future


class Jobs:
    """Run each job on a thread of its own, while the service's executor goes on."""

    def __init__(self, node: Node) -> None:
        """Let callbacks of ``node`` wait for jobs."""
        self._node = node
        self._quiet = threading.Condition()
        self._running = 0

    async def run(self, job: Callable[[], Any]) -> Any:
        """Do ``job`` on a new thread and give its result, or raise what it raised."""
        done: Future = Future(executor=self._node.executor)
        with self._quiet:
            self._running += 1
        threading.Thread(target=self._do, args=(job, done), daemon=True).start()
        return await done

    def wait(self, timeout_s: float) -> bool:
        """Wait for those that run; tell whether they ended in time."""
        with self._quiet:
            return self._quiet.wait_for(lambda: not self._running, timeout_s)

    def _do(self, job: Callable[[], Any], done: Future) -> None:
        try:
            done.set_result(job())
        except BaseException as err:  # handed on: run() raises it
            done.set_exception(err)
        with self._quiet:
            self._running -= 1
            self._quiet.notify_all()
