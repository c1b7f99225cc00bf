"""Whether the tensors that a loadable describes are those of its model, and fit this machine."""

from collections.abc import Sequence
import math
import os

from dla_ros.engines.onnx_session import Port
from dla_ros.errors import LoadableError
from dla_ros.tensors.spec import lay_out, TensorSpec

# Drivers pad lines and planes; a descriptor that asks for more was not written by one.
_MOST_PADDING = 4
_ALIGNMENT = 4096


def check_ports(specs: Sequence[TensorSpec], ports: Sequence[Port]) -> None:
    """Raise LoadableError unless each tensor has as many elements as the port of its name."""
    found = {port.name: port for port in ports}
    for spec in specs:
        port = found.get(spec.name)
        if port is not None and math.prod(port.dims) != math.prod(spec.dims):
            raise LoadableError(
                f"tensor {spec} has {math.prod(spec.dims)} elements, '{port.name}' of the model "
                f'in this loadable {math.prod(port.dims)}; make the loadable again'
            )


def check_memory(specs: Sequence[TensorSpec]) -> None:
    """Raise LoadableError for tensors padded beyond measure, or larger than half of memory."""
    for spec in specs:
        dense = lay_out(spec.name, spec.dims, spec.data_type, spec.layout).size
        if spec.size > _MOST_PADDING * dense + _ALIGNMENT:
            raise LoadableError(
                f'tensor {spec} takes {spec.size} bytes, its elements {dense}; make the loadable '
                'again'
            )
    there = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE')
    total = sum(spec.size for spec in specs)
    if total > there // 2:
        raise LoadableError(
            f'its tensors take {total} bytes, this machine has {there} of memory, of which the '
            'emulator takes half at most'
        )
