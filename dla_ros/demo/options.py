"""The command line of the demo."""

import argparse
from collections.abc import Sequence
from pathlib import Path

_HOME = Path(__file__).resolve().parents[2]


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Read the command line; the defaults show pedestrians found by NanoDet."""
    parser = argparse.ArgumentParser(
        prog='python -m dla_ros.demo',
        description='Play a bag through a detector on an emulated DLA and show what it found.',
    )
    parser.add_argument('--bag', type=Path, default=_HOME / 'data' / 'pedestrians')
    parser.add_argument('--model', type=Path, default=_HOME / 'models' / 'nanodet_g_416.onnx')
    parser.add_argument('--out', type=Path, default=_HOME / 'build' / 'demo')
    parser.add_argument('--input-format', default='fp16:chw16', help='as trtexec spells it')
    parser.add_argument('--output-format', default='fp16:chw16', help='as trtexec spells it')
    parser.add_argument('--rate', type=float, default=1.0, help='speed of the bag')
    return parser.parse_args(arguments)
