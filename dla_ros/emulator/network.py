"""What computes the outputs of an emulated module."""

from collections.abc import Callable, Sequence
from typing import Protocol

from dla_ros.engines.onnx_session import OnnxSession, Port
from dla_ros.errors import LoadableError
from dla_ros.tensors.spec import TensorSpec
import numpy as np
from numpy.typing import NDArray

Values = list[NDArray[np.float32]]
Specs = tuple[TensorSpec, ...]


class Network(Protocol):
    """Turn inputs into outputs, float32 of the shapes (n, c, h, w) of a module's tensors."""

    def run(self, read: Callable[[], Values]) -> Values | None:
        """Give the outputs; None: all zero. ``read`` unpacks the inputs and may be left out."""

    def close(self) -> None:
        """Release the network."""


class OnnxNetwork:
    """Run the model that a loadable carries in ONNX Runtime."""

    def __init__(self, session: OnnxSession, inputs: Specs, outputs: Specs) -> None:
        """Take over a session; LoadableError unless its ports have the names of the tensors."""
        self._session = session
        self._feeds = [(_place(port.name, inputs), port) for port in session.inputs]
        self._fetches = [(_place(spec.name, session.outputs), spec.dims) for spec in outputs]

    def run(self, read: Callable[[], Values]) -> Values | None:
        """Run once."""
        values = read()
        found = self._session.run(
            [values[place].reshape(port.dims).astype(port.dtype) for place, port in self._feeds]
        )
        return [
            np.asarray(found[place], np.float32).reshape(dims) for place, dims in self._fetches
        ]

    def close(self) -> None:
        """Release the model."""
        self._session.close()


def _place(name: str, among: Sequence[Port | TensorSpec]) -> int:
    names = [each.name for each in among]
    if name not in names:
        raise LoadableError(f"the model in this loadable has no '{name}' among {names}")
    return names.index(name)


class ZeroNetwork:
    """Cost nothing: every output is zero."""

    def run(self, read: Callable[[], Values]) -> Values | None:
        """Read nothing."""
        return None

    def close(self) -> None:
        """Do nothing."""


class OnceNetwork:
    """Compute the first outputs and give them again and again, at no cost."""

    def __init__(self, network: Network) -> None:
        """Take over the network that computes them."""
        self._network = network
        self._outputs: Values | None = None

    def run(self, read: Callable[[], Values]) -> Values | None:
        """Run the first time only."""
        if self._outputs is None:
            self._outputs = self._network.run(read)
        return self._outputs

    def close(self) -> None:
        """Release the network."""
        self._network.close()
