"""What a process does first, before it imports NumPy and ROS."""

from collections.abc import Sequence

from dla_ros.ros.stop import leave_at_a_signal


def start_up(words: Sequence[str]) -> None:
    """
    Make the process fit for nodes; ``words`` are those of its command line.

    The imports take most of a second, in which a signal may come, and start threads: an arena
    of the heap that a thread has stays.
    """
    leave_at_a_signal()  # before anything else is imported
    from dla_ros.installation.libraries import explain_missing
    from dla_ros.malloc import is_left_alone, limit_arenas
    from dla_ros.ros.standard_files import open_standard_files

    open_standard_files()
    explain_missing()
    if not is_left_alone(words):
        limit_arenas()
