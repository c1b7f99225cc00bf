"""The contract of a head, which turns a network's outputs into boxes."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dla_ros.detections import Detections, Float32
from dla_ros.tensors.spec import TensorSpec

Options = Mapping[str, Any]


class Head(Protocol):
    """
    Read one family of detection networks.

    A head belongs to one network: everything that follows from its sizes is worked out by
    ``open``. Other packages add heads through the entry-point group ``dla_ros.heads``.
    """

    @property
    def num_classes(self) -> int:
        """Give the number of classes the network tells apart."""

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'Head':
        """
        Fit the head to a network whose picture goes in through ``network_input``.

        ``options`` come from the deployment record (``head.options``). Raise HeadError if the
        outputs are not what this head reads, or an option is unknown.
        """

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """
        Give all boxes whose score reaches the threshold (0..1), before suppression, in any order.

        ``outputs`` are float32 arrays (n, c, h, w) in the order and with the sizes given to
        ``open``. Boxes are in pixels of the network's input and always finite, whatever the
        network gave.
        """
