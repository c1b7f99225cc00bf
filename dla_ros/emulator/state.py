"""What the emulated library remembers between calls."""

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from threading import Event, RLock
from weakref import WeakSet

from dla_ros.emulator.core import Core
from dla_ros.emulator.network import Network
from dla_ros.emulator.options import EmulatorOptions, TASK
from dla_ros.emulator.refusal import demand, Refusal
from dla_ros.engines.cudla.status import CudlaStatus
from dla_ros.loadable.loadable import Loadable
from dla_ros.tensors.spec import TensorSpec

KEPT_REFUSALS = 20
# Handles and mapped addresses look like nothing that a process could own, and never come again.
HANDLES, MAPPED = 0x0D1A_0000_0000, 0x0D1B_0000_0000


@dataclass(frozen=True)
class Registration:
    """Hold memory that the DLA may use: its own address, and the one that tasks must name."""

    address: int
    nbytes: int
    mapped: int


@dataclass(eq=False)
class Module:
    """Hold a loaded network; its tensors carry the int8 scales that the loadable brought."""

    number: int
    handle: 'Handle'
    loadable: Loadable
    network: Network
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]


@dataclass(eq=False)
class Handle:
    """Hold a device handle; ``tasks`` are those submitted and not over, ``error`` is sticky."""

    number: int
    core_index: int
    core: Core
    timeout_s: float = 30.0  # cudla.h
    module: Module | None = None
    has_loaded: bool = False
    error: int = CudlaStatus.SUCCESS
    registrations: dict[int, Registration] = field(default_factory=dict)
    tasks: 'WeakSet[RunningTask]' = field(default_factory=WeakSet)
    is_destroyed: Event = field(default_factory=Event)

    def check_idle(self, what: str) -> None:
        """Refuse while tasks run; where one hangs, going on is the only way out."""
        in_flight = [task for task in self.tasks if not task.is_over]
        is_hung = self.core.is_hung or any(task.is_hung for task in in_flight)
        demand(
            is_hung or not in_flight,
            CudlaStatus.UMD,
            f'{what} while a task is in flight; synchronize the stream first',
        )


class RunningTask:
    """Be what a handle must know of a submitted task; a broken stream drops it unrun."""

    is_over = False
    is_hung = False


class State:
    """Hold everything behind the 13 calls; ``lock`` is the library's global lock."""

    def __init__(self, options: EmulatorOptions) -> None:
        """Start with idle cores."""
        self.lock = RLock()
        self.numbers: Iterator[int] = count(HANDLES, 0x1000)
        self.addresses: Iterator[int] = count(MAPPED, 0x1000)
        self.handles: dict[int, Handle] = {}
        self.modules: dict[int, Module] = {}
        self.calls: Counter[str] = Counter()
        self.is_interrupted = False
        self.tasks_run = 0
        self.tasks_failed = 0
        self.refusals: deque[str] = deque(maxlen=KEPT_REFUSALS)
        self.leaks: list[str] = []
        self.cores: list[Core] = []
        self.set_options(options)

    def set_options(self, options: EmulatorOptions) -> None:
        """Take other options; faults are counted from now."""
        with self.lock:
            self.options = options
            self._counted: Counter[str] = Counter()
            while len(self.cores) < options.cores:
                self.cores.append(Core())

    def count(self, call: str) -> int:
        """Count a call, or a task on the DLA; give its number since the options were set."""
        with self.lock:
            if call != TASK:
                self.calls[call] += 1
            self._counted[call] += 1
            return self._counted[call]

    def fail_if_told(self, call: str, nth: int) -> None:
        """Refuse where the options want the n-th call to fail."""
        for fault in self.options.fail:
            if (fault.call, fault.nth) == (call, nth):
                raise Refusal(fault.status, f'told to fail: {call} number {nth}')

    def handle(self, number: int | None) -> Handle:
        """Find a live handle."""
        handle = self.handles.get(number or 0)
        if handle is None:
            raise Refusal(CudlaStatus.INVALID_DEVICE, f'{number or 0:#x} is no device handle')
        return handle

    def module(self, number: int | None) -> Module:
        """Find a module that is loaded in a live handle."""
        module = self.modules.get(number or 0)
        if module is None:
            raise Refusal(CudlaStatus.INVALID_MODULE, f'{number or 0:#x} is no loaded module')
        if module.handle.is_destroyed.is_set():
            raise Refusal(
                CudlaStatus.INVALID_DEVICE, 'the device handle of the module is destroyed'
            )
        return module
