"""Nodes that are spun on a thread of their own, until they are let go."""

import threading


class Spinning:
    """Spin nodes; ``end`` destroys them, so that nothing of DDS's shared memory stays behind."""

    def __init__(self, executor, nodes):
        """Begin at once."""
        self._executor, self._nodes = executor, nodes
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        for node in nodes:
            executor.add_node(node)
        self._thread.start()

    def end(self):
        """Shut lifecycle nodes down, stop, and destroy all."""
        for node in self._nodes:
            getattr(node, 'end', bool)()
        self._is_over.set()
        self._thread.join()
        for node in self._nodes:
            self._executor.remove_node(node)
            node.destroy_node()
        self._executor.shutdown()

    def _run(self):
        while not self._is_over.is_set():
            self._executor.spin_once(timeout_sec=0.1)
