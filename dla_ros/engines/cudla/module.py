"""A network loaded into a cuDLA device handle."""

from collections.abc import Mapping
from typing import Any

from dla_ros.engines.cudla.handle import DeviceHandle
from dla_ros.engines.cudla.library import Cudla
from dla_ros.tensors.descriptor import TensorDescriptor
from dla_ros.tensors.format import DataType
from dla_ros.tensors.packing import scale_of
from dla_ros.tensors.spec import TensorSpec

Specs = tuple[TensorSpec, ...]


class Module:
    """
    Own a loaded module; ``number`` is for cuDLA calls.

    The bytes of the loadable are kept until it is unloaded: how long cuDLA reads them is not
    documented.
    """

    def __init__(self, cudla: Cudla, handle: DeviceHandle, loadable: bytes) -> None:
        """Load; raise DlaError where cuDLA refuses the file."""
        self._cudla = cudla
        self._loadable: bytes | None = loadable
        self.number = cudla.call(
            'module_load_from_memory', handle.number, loadable, len(loadable), 0
        )

    def inputs(self, scales: Mapping[str, float]) -> Specs:
        """Ask for the inputs; see :meth:`outputs`."""
        return self._specs(self._cudla.types.ModuleAttributeType.INPUT_TENSOR_DESCRIPTORS, scales)

    def outputs(self, scales: Mapping[str, float]) -> Specs:
        """
        Ask for the outputs, int8 ones with their step out of ``scales``.

        Raise TensorError for a tensor that is not supported or whose scale is not known.
        """
        return self._specs(self._cudla.types.ModuleAttributeType.OUTPUT_TENSOR_DESCRIPTORS, scales)

    def close(self) -> None:
        """Unload; a second call does nothing."""
        if self._loadable is not None:
            self._cudla.call('module_unload', self.number, 0)
            self._loadable = None

    def _specs(self, attribute: int, scales: Mapping[str, float]) -> Specs:
        found = self._cudla.call('module_get_attributes', self.number, int(attribute))
        return tuple(_to_spec(descriptor, scales) for descriptor in found)


def _to_spec(descriptor: Any, scales: Mapping[str, float]) -> TensorSpec:
    tensor = TensorDescriptor(
        name=str(descriptor.name),
        size=int(descriptor.size_),
        dims=tuple(int(getattr(descriptor, axis)) for axis in 'nchw'),  # type: ignore[arg-type]
        data_format=int(descriptor.data_format),
        data_type=int(descriptor.data_type),
        data_category=int(descriptor.data_category),
        pixel_format=int(descriptor.pixel_format),
        pixel_mapping=int(descriptor.pixel_mapping),
        strides=tuple(int(stride) for stride in descriptor.stride),
    )
    spec = tensor.to_spec(_scale(tensor.name, scales))
    if spec.data_type is DataType.INT8:
        scale_of(spec)  # refuses where nobody has told it
    return spec


def _scale(name: str, scales: Mapping[str, float]) -> float | None:
    """Find a scale by name; Orin's compiler appends a quote that the model does not have."""
    return scales.get(name, scales.get(name.removesuffix("'")))
