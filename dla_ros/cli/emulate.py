"""Make a loadable for the emulated DLA from an ONNX model, with its record beside it."""

import argparse
from pathlib import Path

from dla_ros.emulator.build import emulate

_FORMATS = 'TYPE:LAYOUT as trtexec spells it, as fp16:chw16, int8:chw32, int8:dla_hwc4'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument('model', type=Path, help='ONNX model, its record (MODEL.yaml) beside it')
    parser.add_argument('-o', '--output', type=Path, required=True, help='loadable to write')
    parser.add_argument('--input-format', default='fp16:chw16', help=_FORMATS)
    parser.add_argument('--output-format', default='fp16:chw16', help=_FORMATS)


def run(options: argparse.Namespace) -> int:
    """Write the loadable and its record."""
    emulate(
        options.model,
        options.output,
        input_format=options.input_format,
        output_format=options.output_format,
    )
    print(f'{options.output}\n{options.output}.yaml')
    return 0
