"""Show the whole chain: a bag in, boxes out, in real processes over DDS."""

from collections.abc import Sequence
import os
import shutil
import sys

from dla_ros.demo.options import parse
from dla_ros.errors import DlaRosError
from dla_ros.installation.libraries import explain_missing
from dla_ros.ros.stop import interrupt_at_a_signal, leave_at_a_signal

_INTERRUPTED = 130  # as a shell has it


def main(words: Sequence[str]) -> int:
    """Run the demo; give the exit code."""
    options = parse(words)
    leave_at_a_signal(_INTERRUPTED)
    explain_missing()
    from dla_ros.demo.process import close_all
    from dla_ros.demo.show import show
    from rich.console import Console

    interrupt_at_a_signal()
    console = Console()
    # before rclpy is initialised, here and in the child processes: nobody else should hear it
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    try:
        show(options, console)
    except DlaRosError as err:
        console.print(f'[red]the demo failed:[/red] {err}', highlight=False)
        return 1
    except KeyboardInterrupt:
        close_all()
        console.print('stopped')
        return _INTERRUPTED
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
