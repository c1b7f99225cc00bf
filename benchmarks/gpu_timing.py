"""Three times of GPU work: between two events, on the host, and in a graph without launch gaps."""

from collections.abc import Callable
from statistics import median
from time import perf_counter_ns

from cuda.bindings import runtime
from dla_ros.devices.cuda.status import check

Work = Callable[[int], None]  # gets a number that counts up, to turn to other buffers each time
WARM_UP = 30


def event_us(work: Work, stream, samples: int = 300) -> float:
    """Give the median microseconds between events before and after one piece of work."""
    pairs = [[check(runtime.cudaEventCreate(), 'event') for _ in range(2)] for _ in range(samples)]
    warm_up(work, stream)
    for number, (start, end) in enumerate(pairs):
        check(runtime.cudaEventRecord(start, stream), 'record')
        work(number)
        check(runtime.cudaEventRecord(end, stream), 'record')
        if number % 20 == 19:
            synchronize(stream)
    synchronize(stream)
    times = [check(runtime.cudaEventElapsedTime(*pair), 'elapsed') * 1000 for pair in pairs]
    for event in (event for pair in pairs for event in pair):
        runtime.cudaEventDestroy(event)
    return median(times)


def host_us(work: Work, stream, samples: int = 30, batch: int = 50) -> float:
    """Give the median microseconds that the caller spends on one piece of work."""
    warm_up(work, stream)
    times = []
    for _ in range(samples):
        started = perf_counter_ns()
        for number in range(batch):
            work(number)
        times.append((perf_counter_ns() - started) / 1000 / batch)
        synchronize(stream)
    return median(times)


def device_us(work: Work, stream, samples: int = 20, launches: int = 200) -> float | None:
    """Give the median microseconds of one piece among many in a graph; None if none can be."""
    warm_up(work, stream)
    mode = runtime.cudaStreamCaptureMode.cudaStreamCaptureModeRelaxed
    check(runtime.cudaStreamBeginCapture(stream, mode), 'capture')
    try:
        for number in range(launches):
            work(number)
    except Exception as error:
        print(f'  (no graph: {type(error).__name__}: {error})')
        runtime.cudaStreamEndCapture(stream)
        runtime.cudaGetLastError()
        return None
    status, graph = runtime.cudaStreamEndCapture(stream)
    if status != runtime.cudaError_t.cudaSuccess:
        runtime.cudaGetLastError()
        return None
    ready = check(runtime.cudaGraphInstantiate(graph, 0), 'instantiate')
    replay = lambda number: check(runtime.cudaGraphLaunch(ready, stream), 'launch')  # noqa: E731
    time = event_us(replay, stream, samples) / launches
    runtime.cudaGraphExecDestroy(ready)
    runtime.cudaGraphDestroy(graph)
    return time


def warm_up(work: Work, stream) -> None:
    for number in range(WARM_UP):
        work(number)
    synchronize(stream)


def synchronize(stream) -> None:
    check(runtime.cudaStreamSynchronize(stream), 'synchronize')
