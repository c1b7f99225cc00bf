"""What the emulator is told to be: fast or slow, healthy or failing."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
import os
from typing import Any

from dla_ros.emulator.abi import CALLS
from dla_ros.engines.cudla.status import CudlaStatus
from dla_ros.errors import ConfigError

VARIABLE = 'DLA_ROS_EMULATOR'
TASK = 'task'  # not a call: the task itself, on the DLA
SHORT = {
    'version': 'get_version',
    'count': 'device_get_count',
    'create': 'create_device',
    'register': 'mem_register',
    'load': 'module_load_from_memory',
    'attributes': 'module_get_attributes',
    'unload': 'module_unload',
    'submit': 'submit_task',
    'unregister': 'mem_unregister',
    'last_error': 'get_last_error',
    'destroy': 'destroy_device',
    'timeout': 'set_task_timeout_in_ms',
}
DRIVERS = ('present', 'missing', 'old')
_MOST_INT = 2**31 - 1
_MOST_DIGITS = 20
_MOST_MS = 3_600_000
NETWORKS = ('onnx', 'none', 'once')


@dataclass(frozen=True)
class Fault:
    """Make the n-th call (from 1) return a status; the call 'task' is a task on the DLA."""

    call: str
    nth: int
    status: int


@dataclass(frozen=True)
class EmulatorOptions:
    """
    Hold the settings of the emulated DLA.

    ``task_ms`` is the time of a task on its core; 0: as long as the network takes. ``cores`` 0 is
    a machine without a DLA. ``driver`` is
    'present', 'missing' (every call returns status 15) or 'old' (every call returns 1).
    ``network`` is 'onnx', 'none' (outputs are zero and cost nothing) or 'once' (the outputs of
    the first task, again and again). ``threads`` are ONNX Runtime's, 0: its own choice.
    ``hang`` lists the submitted tasks, counted from 1, that end by their timeout only, ``stuck``
    those that do not end even so. ``delay_ms`` makes calls slow.
    """

    task_ms: float = 0.0
    cores: int = 2
    version: int = 1_005_000
    driver: str = 'present'
    network: str = 'onnx'
    threads: int = 0
    fail: tuple[Fault, ...] = ()
    hang: tuple[int, ...] = ()
    stuck: tuple[int, ...] = ()
    delay_ms: dict[str, float] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> 'EmulatorOptions':
        """
        Read ``task_ms=5,cores=1,fail=submit:3:7,hang=submit:10,delay=load:200``.

        ``fail=CALL:NTH[:STATUS]`` (status 7 unless given), ``hang=submit:NTH``,
        ``stuck=submit:NTH`` and ``delay=CALL:MS`` may stand several times. Raise ConfigError for
        what is not understood.
        """
        options = cls()
        for part in filter(None, (each.strip() for each in text.split(','))):
            key, _, value = (each.strip() for each in part.partition('='))
            if key not in _READERS:
                known = ', '.join(_READERS)
                raise ConfigError(f"emulator option '{part}' is not known; known are: {known}")
            try:
                options = replace(options, **_READERS[key](options, key, value))
            except ValueError as error:
                raise ConfigError(f"emulator option '{part}' cannot be: {error}") from error
        return options

    @classmethod
    def from_environment(cls) -> 'EmulatorOptions':
        """Read the environment variable DLA_ROS_EMULATOR; the defaults where it is not set."""
        return cls.parse(os.environ.get(VARIABLE, ''))


Changes = dict[str, Any]
Reader = Callable[[EmulatorOptions, str, str], Changes]


def _count(most: int) -> Reader:
    def read(_: EmulatorOptions, key: str, value: str) -> Changes:
        return {key: _whole(value, 0, most)}

    return read


def _time(_: EmulatorOptions, key: str, value: str) -> Changes:
    return {key: _milliseconds(value)}


def _choice(choices: tuple[str, ...]) -> Reader:
    def read(_: EmulatorOptions, key: str, value: str) -> Changes:
        if value not in choices:
            raise ValueError(f'use {" or ".join(choices)}')
        return {key: value}

    return read


def _fail(options: EmulatorOptions, _: str, value: str) -> Changes:
    parts = value.split(':')
    if len(parts) not in {2, 3}:
        raise ValueError('write fail=CALL:NTH or fail=CALL:NTH:STATUS')
    call = TASK if parts[0] == TASK else _call(parts[0])
    usual = CudlaStatus.DLA_INVALID_INPUT if call == TASK else CudlaStatus.UMD
    status = _status(parts[2]) if len(parts) == 3 else int(usual)
    return {'fail': (*options.fail, Fault(call, _whole(parts[1], 1), status))}


def _endless(options: EmulatorOptions, key: str, value: str) -> Changes:
    call, _, nth = value.partition(':')
    if _call(call) != 'submit_task' or not nth:
        raise ValueError(f'write {key}=submit:NTH')
    return {key: (*getattr(options, key), _whole(nth, 1))}


def _delay(options: EmulatorOptions, _: str, value: str) -> Changes:
    call, _, milliseconds = value.partition(':')
    return {'delay_ms': {**options.delay_ms, _call(call): _milliseconds(milliseconds)}}


def _call(name: str) -> str:
    call = SHORT.get(name, name)
    if call not in CALLS:
        raise ValueError(f"'{name}' is no call; calls are: {', '.join([*SHORT, TASK])}")
    return call


def _status(text: str) -> int:
    value = int(text, 0) if len(text) <= _MOST_DIGITS else -1
    if not 0 <= value <= _MOST_INT:
        raise ValueError(f"'{text}' is not a number from 0 to {_MOST_INT}, as an enum has")
    return value


def _whole(text: str, least: int, most: int = _MOST_INT) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    value = int(text) if is_number else -1
    if not least <= value <= most:
        raise ValueError(f"'{text}' is not a whole number from {least} to {most}")
    return value


def _milliseconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= _MOST_MS:
        raise ValueError(f"'{text}' is not a number of milliseconds from 0 to {_MOST_MS}")
    return value


_READERS: dict[str, Reader] = {
    'task_ms': _time,
    'cores': _count(16),
    'version': _count(2**63 - 1),
    'threads': _count(256),
    'driver': _choice(DRIVERS),
    'network': _choice(NETWORKS),
    'fail': _fail,
    'hang': _endless,
    'stuck': _endless,
    'delay': _delay,
}
