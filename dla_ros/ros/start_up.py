"""What a process does first, before it imports NumPy and ROS: they start threads."""

from collections.abc import Sequence

from dla_ros.malloc import is_left_alone, limit_arenas


def start_up(words: Sequence[str]) -> None:
    """
    Make the process fit for nodes; ``words`` are those of its command line.

    Call it before anything is imported that starts a thread: an arena of the heap that is there
    stays.
    """
    if not is_left_alone(words):
        limit_arenas()
