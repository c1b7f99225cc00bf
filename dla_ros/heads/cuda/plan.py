"""How a network is decoded on the GPU: which kernel, and where its numbers are."""

from dataclasses import dataclass

from dla_ros.detections import Float32
from dla_ros.heads.activation import logit
from dla_ros.heads.cuda.parameters import Parameters, Scale, Tensor
from dla_ros.tensors.data_type import DataType
from dla_ros.tensors.lay_out import ATOM, group_size, pixel_channels
from dla_ros.tensors.layout import Layout
from dla_ros.tensors.quantise import scale_of
from dla_ros.tensors.spec import TensorSpec

KERNELS = ('nanodet', 'yolov8', 'yolox', 'yolov5', 'detectnet_v2', 'centernet', 'ssd')
_ALL = 30  # a shift that leaves every value in the first group


@dataclass(frozen=True)
class MapPlan:
    """Say where one feature map lies: outputs by place, first channels, cells and their grid."""

    boxes: int
    classes: int
    first_box: int
    first_class: int
    cells: int
    columns: int
    stride: int = 1
    first_cell: int = 0
    anchor: tuple[float, float] = (0.0, 0.0)
    shifts: int | None = None


@dataclass(frozen=True, eq=False)
class Priors:
    """Hold what SSD's boxes are written against, and how (``ssd.py``)."""

    boxes: Float32
    variances: tuple[float, ...]
    box_order: tuple[int, ...]
    has_background: bool
    is_softmax: bool


@dataclass(frozen=True, eq=False)
class DecodePlan:
    """Hold what does not change from frame to frame; ``bins`` 0: boxes are plain numbers."""

    kernel: str
    maps: tuple[MapPlan, ...]
    classes: int
    bins: int
    is_sigmoid: bool
    offset: float
    is_transposed: bool = False
    box_scale: float = 1.0
    priors: Priors | None = None

    @property
    def most_cells(self) -> int:
        """Give the cells of the largest map."""
        return max(each.cells for each in self.maps)

    def fill(self, parameters: Parameters, outputs: tuple[TensorSpec, ...]) -> None:
        """Write all but addresses and thresholds; raise TensorError if int8 has no scale."""
        parameters.classes, parameters.bins = self.classes, self.bins
        parameters.is_sigmoid, parameters.offset = self.is_sigmoid, self.offset
        parameters.box_scale = self.box_scale
        if self.priors is not None:
            parameters.variances[:] = self.priors.variances
            parameters.box_order[:] = self.priors.box_order
            parameters.has_background = self.priors.has_background
            parameters.is_softmax = self.priors.is_softmax
        first_order = 0
        for scale, each in zip(parameters.scales, self.maps, strict=False):
            self._fill_map(scale, each, outputs)
            scale.first_order = first_order
            first_order += each.cells * self.classes

    def thresholds(self, confidence: float) -> tuple[float, float]:
        """Give the least raw number and the least score for a confidence threshold."""
        is_logit = self.is_sigmoid or (self.priors is not None and self.priors.is_softmax)
        return (logit(confidence) if is_logit else confidence), confidence

    def _fill_map(self, scale: Scale, plan: MapPlan, outputs: tuple[TensorSpec, ...]) -> None:
        for tensor, place in ((scale.boxes, plan.boxes), (scale.classes, plan.classes)):
            _fill_tensor(tensor, outputs[place], is_transposed=self.is_transposed)
        if plan.shifts is not None:
            _fill_tensor(scale.shifts, outputs[plan.shifts], is_transposed=False)
        scale.first_box, scale.first_class = plan.first_box, plan.first_class
        scale.anchor_width, scale.anchor_height = plan.anchor
        scale.first_cell, scale.cells = plan.first_cell, plan.cells
        scale.columns, scale.stride = plan.columns, plan.stride


def _fill_tensor(tensor: Tensor, spec: TensorSpec, *, is_transposed: bool) -> None:
    """Write the steps; transposed, a line holds a cell's values, a channel or line is a cell."""
    element = spec.data_type.itemsize
    group, pixel = 1, element
    if spec.layout.is_grouped:
        group, pixel = group_size(spec.layout), ATOM
    elif spec.layout is Layout.DLA_HWC4:
        group = pixel_channels(spec.channels)
        pixel = group * element
    tensor.element = element
    tensor.scale = scale_of(spec) if spec.data_type is DataType.INT8 else 1.0
    if is_transposed:
        if spec.dims[1] > 1:
            tensor.cell_columns, tensor.cell_outer = group, spec.plane_stride
            tensor.cell_inner = element
        else:
            tensor.cell_columns, tensor.cell_outer = 1, spec.line_stride
        tensor.value_shift, tensor.value_inner = _ALL, pixel
    else:
        tensor.cell_columns, tensor.cell_outer = spec.dims[3], spec.line_stride
        tensor.cell_inner = pixel
        tensor.value_shift, tensor.value_outer = group.bit_length() - 1, spec.plane_stride
        tensor.value_inner = element
