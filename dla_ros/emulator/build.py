"""Making a loadable for the emulated DLA from an ONNX model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dla_ros.emulator.model import read_model
from dla_ros.emulator.scales import calibrate, input_scale
from dla_ros.engines.onnx_session import OnnxSession, Port
from dla_ros.errors import LoadableError
from dla_ros.loadable.emulated import to_blobs
from dla_ros.loadable.loadable import Loadable
from dla_ros.loadable.write import write
from dla_ros.preprocess.preprocessing import Preprocessing
from dla_ros.record.check import digests_of_weights, sha256_of
from dla_ros.record.record import DeploymentRecord, record_path
from dla_ros.record.sections import Artifact, Build, Io, Runtime
from dla_ros.record.sections import Port as RecordedPort
from dla_ros.tensors.descriptor import TensorDescriptor
from dla_ros.tensors.format import DataType, format_of, to_format
from dla_ros.tensors.spec import lay_out, TensorSpec, to_dims
from numpy.typing import NDArray

Specs = tuple[TensorSpec, ...]


def emulate(
    model_path: str | Path,
    out_path: str | Path,
    *,
    input_format: str = 'fp16:chw16',
    output_format: str = 'fp16:chw16',
    scales: Mapping[str, float] | None = None,
    calibration: Iterable[NDArray[Any]] = (),
    record: DeploymentRecord | None = None,
) -> DeploymentRecord:
    """
    Write a loadable and its record beside it; give the record.

    A format is trtexec's, one for all tensors or one for each, with commas. The int8 step of a
    tensor is taken from ``scales`` by its name, else from the record; else an input's follows
    from the preprocessing, an output's from ``calibration``: pictures (uint8, (h, w, 3), rgb8) or
    network inputs (float).
    What is known of the model comes from ``record``, else from the record beside the model.
    Raise a DlaRosError for what cannot be made.
    """
    source, target = Path(model_path), Path(out_path)
    model = read_model(source)
    card = record or _card_of(source)
    with OnnxSession.open(model) as session:
        known = {**card.scales, **(scales or {})}
        if card.preprocessing is not None:
            known = _fill_in(known, session, card.preprocessing, calibration)
        inputs = _to_specs(session.inputs, input_format, known, 'preprocessing in its record')
        outputs = _to_specs(session.outputs, output_format, known, 'calibration pictures')
    _write_loadable(target, model, inputs, outputs)
    made = _to_record(card, source, target, inputs, outputs)
    made.write(record_path(target))
    return made


def _card_of(source: Path) -> DeploymentRecord:
    card = DeploymentRecord.beside(source)
    if card is None:
        return DeploymentRecord()
    card.check_artifact(source)
    return card


def _fill_in(
    known: dict[str, float],
    session: OnnxSession,
    preprocessing: Preprocessing,
    calibration: Iterable[NDArray[Any]],
) -> dict[str, float]:
    """Add the scales that nobody gave but that follow from something."""
    derived = {port.name: input_scale(preprocessing) for port in session.inputs}
    return {**derived, **calibrate(session, calibration, preprocessing), **known}


def _to_specs(
    ports: Sequence[Port], formats: str, scales: Mapping[str, float], remedy: str
) -> Specs:
    parts = formats.split(',')
    if len(parts) not in {1, len(ports)}:
        raise LoadableError(
            f"'{formats}' are {len(parts)} formats, the model has {len(ports)} tensors there "
            f'({", ".join(port.name for port in ports)}); give one for all, or one for each'
        )
    every = parts * len(ports) if len(parts) == 1 else parts
    pairs = zip(ports, every, strict=True)
    return tuple(_to_spec(port, part, scales, remedy) for port, part in pairs)


def _to_spec(port: Port, text: str, scales: Mapping[str, float], remedy: str) -> TensorSpec:
    data_type, layout = to_format(text)
    if port.dtype.kind != 'f':
        raise LoadableError(
            f"tensor '{port.name}' of the model holds {port.dtype}; a DLA computes with real "
            'numbers: cut the model before it becomes that'
        )
    scale = scales.get(port.name) if data_type is DataType.INT8 else None
    if data_type is DataType.INT8 and scale is None:
        raise LoadableError(
            f"tensor '{port.name}' shall be {text}, but its int8 scale is not known; "
            f'give scales, or {remedy}, or use fp16'
        )
    return lay_out(port.name, to_dims(port.name, port.dims), data_type, layout, scale)


def _write_loadable(target: Path, model: bytes, inputs: Specs, outputs: Specs) -> None:
    scales = {spec.name: spec.scale for spec in inputs + outputs if spec.scale is not None}
    loadable = Loadable(
        tuple(TensorDescriptor.of(spec) for spec in inputs),
        tuple(TensorDescriptor.of(spec) for spec in outputs),
        to_blobs(model, scales),
    )
    write(loadable, target)


def _to_record(
    card: DeploymentRecord, source: Path, target: Path, inputs: Specs, outputs: Specs
) -> DeploymentRecord:
    formats = [','.join(_format(spec) for spec in specs) for specs in (inputs, outputs)]
    command = (
        f'dla_ros emulate {source.name} -o {target.name} '
        f'--input-format {formats[0]} --output-format {formats[1]}'
    )
    return replace(
        card,
        source=replace(
            card.source,
            file=source.name,
            sha256=sha256_of(source),
            external_data=digests_of_weights(source),
        ),
        build=Build(tool='dla_ros emulate', command=command, precision='fp32'),
        artifact=Artifact('dla_emulator_loadable', sha256_of(target), target.stat().st_size),
        runtime=Runtime('hybrid'),
        io=Io(*({spec.name: _recorded(spec) for spec in specs} for specs in (inputs, outputs))),
    )


def _recorded(spec: TensorSpec) -> RecordedPort:
    return RecordedPort(_format(spec), spec.scale)


def _format(spec: TensorSpec) -> str:
    return format_of(spec.data_type, spec.layout)
