"""A tensor in the words of cudla.h and of the NVDLA loadable schema."""

from dataclasses import dataclass

from dla_ros.errors import TensorError
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import check_pair, Dims, TensorSpec
from dla_ros.tensors.view import check_geometry

NCHW, NHWC, NCXHWX = 1, 2, 3  # data_format; 0 is unknown
TYPE_NAMES = {0: 'unknown', 1: 'fp32', 2: 'fp16', 3: 'int16', 4: 'int8', 5: 'uint8', 6: 'uint16'}
DATA_TYPES = {2: DataType.FP16, 4: DataType.INT8}
TYPE_CODES = {data_type: code for code, data_type in DATA_TYPES.items()}

# layout -> data_format, data_category, pixel_format: 0 image or 2 feature or 3 planar; 0 R8,
# 12 A8B8G8R8 and 36 FEATURE are what drivers and files were seen to report.
CODES = {
    Layout.DLA_LINEAR: (NCHW, 3, 0),
    Layout.DLA_HWC4: (NHWC, 0, 12),
    Layout.CHW16: (NCXHWX, 2, 36),
    Layout.CHW32: (NCXHWX, 2, 36),
}


@dataclass(frozen=True)
class TensorDescriptor:
    """
    Hold the fields of ``cudlaModuleTensorDescriptor``, as numbers.

    ``dims`` is (n, c, h, w); ``strides`` are eight numbers in bytes: element, line (one step in
    h), plane (one step in c, or one 32-byte channel group), the rest without a reliable meaning.
    """

    name: str
    size: int
    dims: Dims
    data_format: int
    data_type: int
    data_category: int
    pixel_format: int
    pixel_mapping: int
    strides: tuple[int, ...]

    @classmethod
    def of(cls, spec: TensorSpec) -> 'TensorDescriptor':
        """Describe a tensor; raise TensorError for what a DLA never has (fp32, plain linear)."""
        if spec.layout not in CODES or spec.data_type not in TYPE_CODES:
            raise TensorError(
                f'tensor {spec}: a DLA takes and gives fp16 or int8 as dla_linear, dla_hwc4, '
                'chw16 or chw32'
            )
        data_format, category, pixel_format = CODES[spec.layout]
        element, line, plane = spec.data_type.itemsize, spec.line_stride, spec.plane_stride
        strides = (element, line, plane, 0, 0, 0, 0, 0)
        code = TYPE_CODES[spec.data_type]
        return cls(
            spec.name, spec.size, spec.dims, data_format, code, category, pixel_format, 0, strides
        )

    def to_spec(self, scale: float | None = None) -> TensorSpec:
        """
        Say where the elements lie, by the strides given here, never by a formula.

        A dla_hwc4 input of a colour network may come with 3 or 4 channels: both are stored as 4.
        Raise TensorError for types and formats that are not supported, and for strides that leave
        the tensor's own bytes.
        """
        data_type = self._data_type()
        spec = TensorSpec(
            self.name,
            self.dims,
            data_type,
            self._layout(data_type),
            self.strides[1],
            0 if self.data_format == NHWC else self.strides[2],
            self.size,
            scale,
        )
        check_pair(self.name, data_type, spec.layout)
        check_geometry(spec)
        return spec

    def _data_type(self) -> DataType:
        if self.data_type not in DATA_TYPES:
            name = TYPE_NAMES.get(self.data_type, 'no known type')
            raise TensorError(
                f"tensor '{self.name}' has data_type {self.data_type} ({name}); supported are "
                'fp16 and int8. Build with --inputIOFormats and --outputIOFormats of these'
            )
        return DATA_TYPES[self.data_type]

    def _layout(self, data_type: DataType) -> Layout:
        grouped = Layout.CHW16 if data_type is DataType.FP16 else Layout.CHW32
        layouts = {NCHW: Layout.DLA_LINEAR, NHWC: Layout.DLA_HWC4, NCXHWX: grouped}
        if self.data_format not in layouts or self.pixel_mapping != 0:
            raise TensorError(
                f"tensor '{self.name}' has data_format {self.data_format} and pixel_mapping "
                f'{self.pixel_mapping}; supported are formats 1 (dla_linear), 2 (dla_hwc4) and 3 '
                '(chw16, chw32), mapping 0 (pitch linear)'
            )
        return layouts[self.data_format]
