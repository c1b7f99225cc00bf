"""Standard input, output and error of a process, which may be started without them."""

import os
import sys

_FILES = ((0, 'stdin', 'r'), (1, 'stdout', 'w'), (2, 'stderr', 'w'))


def open_standard_files() -> None:
    """
    Open those that the process was started without (``2>&-``) onto /dev/null.

    The next file to be opened would take their numbers, and a socket of DDS would get what
    libraries write on stderr. Python has None in their place, which faulthandler refuses.
    """
    for number, name, mode in _FILES:
        if not _is_open(number):
            # the lowest free number is given, and those below are open by now
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
