"""The one place that talks to ONNX Runtime."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
import os
from pathlib import Path
import re
from typing import Any

from dla_ros.errors import EngineError
from dla_ros.files.regular_file import is_regular
from dla_ros.installation.libraries import why_missing
from dla_ros.model.external_data import external_files
from dla_ros.owner import Owner
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Model = bytes | str | Path
ProviderOptions = Mapping[str, Mapping[str, str]]

CPU = 'CPUExecutionProvider'
ELEMENTS = {
    'tensor(float)': np.float32,
    'tensor(float16)': np.float16,
    'tensor(int8)': np.int8,
    'tensor(uint8)': np.uint8,
    'tensor(int32)': np.int32,
    'tensor(int64)': np.int64,
}
LOG_ERRORS_ONLY = 3


@dataclass(frozen=True)
class Port:
    """Describe one input or output of a model: its name, sizes and NumPy element type."""

    name: str
    dims: tuple[int, ...]
    dtype: 'np.dtype[Any]'


class OnnxSession(Owner):
    """
    Run one ONNX model with ONNX Runtime, on exactly the providers asked for.

    ``inputs`` and ``outputs`` are the model's ports in its own order; ``providers`` are the
    execution providers that really run, ONNX Runtime's own CPU fallback included.
    """

    def __init__(self, session: Any, label: str) -> None:
        """Take over an opened session; use :meth:`open`."""
        self._session = session
        self._label = label
        self.inputs = tuple(_port(value, label) for value in session.get_inputs())
        self.outputs = tuple(_port(value, label) for value in session.get_outputs())
        self.providers: tuple[str, ...] = tuple(session.get_providers())
        self._output_names = [port.name for port in self.outputs]

    @classmethod
    def open(
        cls,
        model: Model,
        *,
        providers: Sequence[str] = (CPU,),
        provider_options: ProviderOptions | None = None,
        threads: int | None = None,
        content: bytes | None = None,
    ) -> 'OnnxSession':
        """
        Load a model from a file or from its bytes.

        ``content`` is what was read of the file: ONNX Runtime gets that, and does not read the
        file again, unless weights lie in other files, which it looks for beside it.
        ``provider_options`` maps a provider's name to its options. ``threads`` is the number of
        CPU threads within one operator (None: ONNX Runtime chooses one per physical core). Raise
        EngineError if the library, a provider or the model is missing or refused.
        """
        library = import_runtime()
        label = 'model in memory' if isinstance(model, bytes) else str(model)
        _check_available(providers, library.get_available_providers())
        source = model if isinstance(model, bytes) else str(_existing(Path(model)))
        if isinstance(source, str):
            known = Path(source).read_bytes() if content is None else content
            # ONNX Runtime would follow any reference
            if not external_files(Path(source), known) and content is not None:
                source = content
        options = dict(provider_options or {})
        try:
            session = library.InferenceSession(
                source,
                _session_options(library, threads),
                providers=[(name, dict(options.get(name, {}))) for name in providers],
            )
        # ONNX Runtime's errors have no base class of their own.
        except Exception as err:
            raise EngineError(
                f'ONNX Runtime refuses {label}: {_reason(err)}; '
                f'look at it with: python3 -c "import onnx; onnx.checker.check_model(\'FILE\')"'
            ) from err
        _check_granted(providers, session.get_providers())
        return cls(session, label)

    def run(self, arrays: Sequence[Array]) -> list[Array]:
        """Run once; ``arrays`` and the result stand in the order of the ports."""
        feed = {port.name: array for port, array in zip(self.inputs, arrays, strict=True)}
        session = self._opened()
        try:
            return list(session.run(self._output_names, feed))
        except Exception as err:
            raise EngineError(f'ONNX Runtime failed on {self._label}: {_reason(err)}') from err

    def bind(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> Callable[[], None]:
        """
        Give a function that runs once, from and into these arrays, without a copy.

        They stand in the order of the ports, contiguous, with the ports' types and sizes, and
        live as long as the function. It may run on any thread; two of them may run at once.
        """
        binding = self._opened().io_binding()
        for port, array in zip(self.inputs, inputs, strict=True):
            binding.bind_input(*_place(port, array))
        for port, array in zip(self.outputs, outputs, strict=True):
            binding.bind_output(*_place(port, array))

        def run() -> None:
            session = self._opened()
            try:
                session.run_with_iobinding(binding)
            except Exception as err:
                raise EngineError(f'ONNX Runtime failed on {self._label}: {_reason(err)}') from err

        return run

    def close(self) -> None:
        """Release the model; a second call does nothing."""
        self._session = None

    def _opened(self) -> Any:
        if self._session is None:
            raise EngineError(f'the session of {self._label} is closed; open it again to run it')
        return self._session


def import_runtime() -> Any:
    """
    Import ONNX Runtime, its telemetry off.

    Official builds since 1.29 send events to their maker, from a robot's node too, and keep an id
    of the device in the home folder; only this variable, set before the import, stops all of it
    (Privacy.md in the wheel). A process that had ONNX Runtime already gets what its call can do.
    """
    os.environ['ORT_DISABLE_TELEMETRY'] = '1'
    try:
        import onnxruntime
    except ImportError as err:
        raise EngineError(why_missing('onnxruntime', err)) from err
    onnxruntime.disable_telemetry_events()
    return onnxruntime


def _session_options(library: Any, threads: int | None) -> Any:
    if threads is not None and threads < 1:
        raise EngineError(f'{threads} threads cannot run a model; use 1 or more, or leave it out')
    options = library.SessionOptions()
    options.log_severity_level = LOG_ERRORS_ONLY
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = threads or 0
    # Idle threads that spin take the CPU which this package is there to spare.
    options.add_session_config_entry('session.intra_op.allow_spinning', '0')
    return options


def _existing(path: Path) -> Path:
    if not is_regular(path):
        raise EngineError(f"there is no model file '{path}'; check the engine file's path")
    return path


def _check_available(asked: Sequence[str], available: Sequence[str]) -> None:
    missing = [name for name in asked if name not in available]
    if missing or not asked:
        raise EngineError(
            f'execution provider {", ".join(missing) or "(none)"} is not in this ONNX Runtime; '
            f'it has: {", ".join(available)}. Choose one of them, or install a build that has it'
        )


def _check_granted(asked: Sequence[str], granted: Sequence[str]) -> None:
    missing = [name for name in asked if name not in granted]
    if missing:
        raise EngineError(
            f'execution provider {", ".join(missing)} could not start (driver or library '
            f'missing?); ONNX Runtime would quietly use {", ".join(granted)} instead. '
            f'Mend the provider, or ask for {", ".join(granted)}'
        )


def _port(value: Any, label: str) -> Port:
    if value.type not in ELEMENTS:
        raise EngineError(
            f"'{value.name}' of {label} has type {value.type}; supported: {', '.join(ELEMENTS)}"
        )
    dynamic = [dim for dim in value.shape if not isinstance(dim, int) or dim < 1]
    if dynamic:
        raise EngineError(_dynamic_text(value, dynamic[0], label))
    return Port(value.name, tuple(value.shape), np.dtype(ELEMENTS[value.type]))


def _place(port: Port, array: Array) -> tuple[str, str, int, 'np.dtype[Any]', list[int], int]:
    """Say where a port's memory is, as IOBinding takes it."""
    if array.shape != port.dims or array.dtype != port.dtype or not array.flags.c_contiguous:
        raise ValueError(f'an array {array.dtype}{array.shape} cannot be bound to {port}')
    return port.name, 'cpu', 0, port.dtype, list(port.dims), array.ctypes.data


def _dynamic_text(value: Any, dim: Any, label: str) -> str:
    fix = (
        f'--dim_param {dim} --dim_value 1'
        if isinstance(dim, str)
        else (f'--input_name {value.name} --input_shape 1,3,HEIGHT,WIDTH')
    )
    return (
        f"'{value.name}' of {label} has the size {value.shape}, where {dim!r} is not fixed; "
        f'export the model with fixed sizes, or run: '
        f'python3 -m onnxruntime.tools.make_dynamic_shape_fixed {fix} IN.onnx OUT.onnx'
    )


def _reason(err: Exception) -> str:
    """Drop ONNX Runtime's own number and code, which say nothing to a person."""
    return re.sub(r'^\[ONNXRuntimeError\] : \d+ : \w+ : ', '', str(err)).strip()
