"""What ONNX Runtime's providers run a model on, in words."""

from collections.abc import Mapping, Sequence

from dla_ros.engines.onnx_session import ProviderOptions

TENSORRT = 'TensorrtExecutionProvider'
ON = {'1', 'true', 'True'}


def to_placement(providers: Sequence[str], options: ProviderOptions) -> str:
    """
    Name the providers in their order, and the DLA where TensorRT is told to use it.

    ONNX Runtime hands each operator to the first provider that takes it, and tells nobody; so the
    text promises no more than the order.
    """
    names = [
        f'{name}: {_to_dla(options.get(name, {}))}' if _uses_dla(name, options) else name
        for name in providers
    ]
    return f'ONNX Runtime ({", ".join(names)})'


def _uses_dla(name: str, options: ProviderOptions) -> bool:
    return name == TENSORRT and str(options.get(name, {}).get('trt_dla_enable', '0')) in ON


def _to_dla(options: Mapping[str, str]) -> str:
    return f'DLA core {options.get("trt_dla_core", 0)}, layers it cannot take on the GPU'
