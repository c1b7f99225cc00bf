"""Make a loadable for the emulated DLA from an ONNX model, with its record beside it."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from dla_ros.cli.detect import read_picture
from dla_ros.emulator.build import emulate
from dla_ros.errors import ConfigError
from dla_ros.preprocess.bgr import to_bgr

_FORMATS = 'TYPE:LAYOUT as trtexec spells it, as fp16:chw16, int8:chw32, int8:dla_hwc4'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument('model', type=Path, help='ONNX model, its record (MODEL.yaml) beside it')
    parser.add_argument('-o', '--output', type=Path, required=True, help='loadable to write')
    parser.add_argument('--input-format', default='fp16:chw16', help=_FORMATS)
    parser.add_argument('--output-format', default='fp16:chw16', help=_FORMATS)
    parser.add_argument('--scale', action='append', default=[], metavar='TENSOR=STEP',
                        help='the int8 step of a tensor')  # fmt: skip
    parser.add_argument('--calibration', type=Path, nargs='+', default=[], metavar='PICTURE',
                        help='jpeg or png files, to find the int8 steps of outputs')  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Write the loadable and its record."""
    emulate(
        options.model,
        options.output,
        input_format=options.input_format,
        output_format=options.output_format,
        scales=read_scales(options.scale),
        calibration=(to_bgr(read_picture(path))[..., ::-1] for path in options.calibration),
    )
    print(f'{options.output}\n{options.output}.yaml')
    return 0


def read_scales(pairs: Sequence[str]) -> dict[str, float]:
    """Read TENSOR=STEP words; raise ConfigError for anything else."""
    scales = {}
    for pair in pairs:
        name, _, text = pair.rpartition('=')
        try:
            scales[name] = float(text)
        except ValueError:
            scales[name] = 0.0
        if not name or not 0 < scales[name] < float('inf'):
            raise ConfigError(f"--scale '{pair}' is not TENSOR=STEP with a step above 0")
    return scales
