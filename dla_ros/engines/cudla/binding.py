"""What one cuDLA task in flight needs."""

from collections.abc import Sequence

from dla_ros.devices.protocol import Buffer, Device, Stream
from dla_ros.engines.cudla.handle import DeviceHandle
from dla_ros.engines.cudla.library import Cudla
from dla_ros.engines.cudla.module import Module, Specs
from dla_ros.held import Held


class CudlaBinding:
    """
    Own the buffers of one slot, their registrations and the task.

    ``task`` and all that it points to live as long as the binding: cuDLA may read them until the
    stream has been waited for.
    """

    def __init__(
        self,
        cudla: Cudla,
        handle: DeviceHandle,
        module: Module,
        device: Device,
        stream: Stream,
        specs: tuple[Specs, Specs],
    ) -> None:
        """Allocate and register; what is refused half-way gives the rest back."""
        self.stream = stream
        with Held() as taken:
            # Memory is freed after all of it is unregistered: last in, first out.
            self.inputs, self.outputs = (_allocate(each, device, taken) for each in specs)
            inputs, outputs = (
                [_register(buffer, cudla, handle, taken) for buffer in buffers]
                for buffers in (self.inputs, self.outputs)
            )
            self.task = cudla.types.Task()
            self.task.module_handle = module.number
            self.task.input_tensor = inputs
            self.task.output_tensor = outputs
            self._taken = taken.pop_all()

    def close(self) -> None:
        """Unregister, then free; the stream has been waited for. A second call does nothing."""
        self._taken.close()


def _allocate(specs: Specs, device: Device, taken: Held) -> tuple[Buffer, ...]:
    buffers = []
    for spec in specs:
        buffers.append(device.allocate(spec.size))
        taken.callback(buffers[-1].close)
    return tuple(buffers)


def _register(buffer: Buffer, cudla: Cudla, handle: DeviceHandle, taken: Held) -> int:
    """Map a buffer for the DLA; tasks name the mapped address, not the buffer's own."""
    mapped = int(cudla.call('mem_register', handle.number, buffer.address, buffer.nbytes, 0))
    taken.callback(cudla.call, 'mem_unregister', handle.number, mapped)
    return mapped


def close_all(bindings: Sequence[CudlaBinding]) -> None:
    """Close every binding, even where one refuses; then raise what the last one raised."""
    with Held() as each:
        for binding in bindings:
            each.callback(binding.close)
