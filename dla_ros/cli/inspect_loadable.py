"""Show what a DLA loadable holds: tensors, layouts, blobs."""

import argparse
from pathlib import Path

from dla_ros.loadable.loadable import Loadable
from dla_ros.tensors.spec import TensorSpec
from rich.console import Console
from rich.table import Table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verb's arguments."""
    parser.add_argument('loadable', type=Path, help='a file of trtexec --buildDLAStandalone')


def run(options: argparse.Namespace) -> int:
    """Print tensors and blobs."""
    loadable = Loadable.read(options.loadable)
    table = Table('', 'tensor', 'n x c x h x w', 'format', 'line', 'plane', 'bytes')
    for kind, specs in (('input', loadable.inputs), ('output', loadable.outputs)):
        for spec in specs:
            table.add_row(kind, *_cells(spec))
    console = Console()
    console.print(table)
    for blob in loadable.blobs:
        console.print(f'blob {blob.name}: {len(blob.data)} bytes', highlight=False)
    return 0


def _cells(spec: TensorSpec) -> tuple[str, ...]:
    dims = 'x'.join(str(size) for size in spec.dims)
    format_name = f'{spec.data_type.value}:{spec.layout.value}'
    return (
        spec.name,
        dims,
        format_name,
        str(spec.line_stride),
        str(spec.plane_stride),
        str(spec.size),
    )
