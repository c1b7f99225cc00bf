"""Initialise rclpy, or say in one sentence what of the command line or environment is wrong."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import re

from dla_ros.errors import ConfigError
import rclpy
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.logging import get_logger
from rclpy.signals import SignalHandlerOptions

# what rclpy raises for arguments and an environment that cannot be
_REFUSALS = (
    rclpy_implementation.RCLError,
    rclpy_implementation.UnknownROSArgsError,
    UnicodeEncodeError,
    InvalidParameterTypeException,
    InvalidParameterValueException,
)
_NO_LOG = 'failed to initialize logging: '
_ADVICE = (
    ('log level', 'a level is debug, info, warn, error or fatal, as --log-level info'),
    ('parameter override', 'write NAME:=VALUE, as -p slots:=2 or -p "image_topics:=[/a, /b]"'),
    ('-p flag', 'write NAME:=VALUE, as -p slots:=2'),
    ('remap rule', 'write FROM:=TO, as -r image:=/camera/image_raw'),
    ('-r flag', 'write FROM:=TO, as -r image:=/camera/image_raw'),
    ('params', 'give a YAML file, as config/detector.yaml of this package'),
    ('Enclave', 'a right one is /front'),
    ('ROS_DOMAIN_ID', 'set it to a whole number from 0 to 101'),
)


def initialise(words: Sequence[str]) -> None:
    """
    Initialise rclpy with a command line, within ``refusing``; it handles no signals then.

    Where no log file can be written (a user without a home, a folder of somebody else) the
    console and /rosout remain, and that is said.
    """
    try:
        rclpy.init(args=list(words), signal_handler_options=SignalHandlerOptions.NO)
    except rclpy_implementation.RCLError as err:
        reason = reason_of(err)
        if not reason.startswith(_NO_LOG):
            raise
        rclpy.try_shutdown()
        without = [*words, '--ros-args', '--disable-external-lib-logs']
        rclpy.init(args=without, signal_handler_options=SignalHandlerOptions.NO)
        get_logger('dla_ros').warning(
            f'no log file is written: {reason.removeprefix(_NO_LOG)}; the console and /rosout '
            'remain. Set ROS_LOG_DIR to a folder that can be written'
        )


@contextmanager
def refusing() -> Iterator[None]:
    """Raise ConfigError, one sentence, for what rclpy refuses while a node is being started."""
    try:
        yield
    except _REFUSALS as err:
        raise ConfigError(_sentence(err)) from err


def _sentence(err: Exception) -> str:
    if isinstance(err, rclpy_implementation.UnknownROSArgsError):
        return (
            f'ROS knows no argument {err}; after --ros-args come -p NAME:=VALUE, -r FROM:=TO, '
            '--params-file FILE, --log-level LEVEL and the like'
        )
    if isinstance(err, UnicodeEncodeError):
        return f'an argument is no UTF-8: {err.object!r}'
    reason = reason_of(err)
    advice = next((text for mark, text in _ADVICE if mark in reason), '')
    return f'{reason}; {advice}' if advice else reason


def reason_of(err: Exception) -> str:
    """Return the reason without the lines of C that it went through."""
    reason = re.sub(r',?\s+at \S+\.c(?:pp)?:\d+', '', str(err)).strip()
    return reason.removeprefix('failed to initialize rcl: ').rstrip('.')
