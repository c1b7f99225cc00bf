"""Which heads there are, and how one is found by its name."""

from types import MappingProxyType

from dla_ros.entry_points import brought, load
from dla_ros.errors import HeadError
from dla_ros.heads.centernet import CenterNet
from dla_ros.heads.detectnet_v2 import DetectNetV2
from dla_ros.heads.nanodet import NanoDet
from dla_ros.heads.protocol import Head, Options
from dla_ros.heads.ssd import Ssd
from dla_ros.heads.yolov5 import YoloV5
from dla_ros.heads.yolov8 import YoloV8
from dla_ros.heads.yolox import YoloX
from dla_ros.tensors.spec import TensorSpec

GROUP = 'dla_ros.heads'
HEADS: MappingProxyType[str, type[Head]] = MappingProxyType(
    {
        'centernet': CenterNet,
        'detectnet_v2': DetectNetV2,
        'nanodet': NanoDet,
        'ssd': Ssd,
        'yolov5': YoloV5,
        'yolov8': YoloV8,
        'yolox': YoloX,
    }
)


def open_head(
    name: str, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
) -> Head:
    """Fit the head of this name to a network; raise HeadError if it is unknown or unfit."""
    return find_head(name).open(network_input, outputs, options)


def find_head(name: str) -> type[Head]:
    """
    Give the head of this name: one of this package, else one that another package brings.

    Names of this package cannot be taken over, so that a recorded deployment keeps its meaning.
    Raise HeadError, with the known names, if there is none.
    """
    if name in HEADS:
        return HEADS[name]
    others = brought(GROUP)
    if name in others:
        needed = ('open', 'decode')
        found: type[Head] = load(
            others[name], 'head', needed, HeadError, 'dla_ros.heads.protocol.Head'
        )
        return found
    raise HeadError(
        f"head '{name}' is not known; known heads: {', '.join(sorted({*HEADS, *others}))}. "
        f"A package adds one by the entry point group '{GROUP}'"
    )
