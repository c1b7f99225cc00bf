"""
Write benchmarks/KERNELS.md: registers and spills of every kernel for every GPU that matters.

`python scripts/report_kernels.py`, after a kernel has changed; needs NVRTC and no GPU. With
`--check` it writes nothing and fails if a kernel spills.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
import re
import sys

from dla_ros.devices.cuda.compiler import compiled, version
from dla_ros.heads import cuda
from dla_ros.preprocess.cuda.preprocessor import SOURCE as FUSED
from dla_ros.preprocess.cuda.variant import every_variant

ARCHITECTURES = {'sm_87': 'Orin', 'sm_90': 'H100, H200', 'sm_110': 'Thor', 'sm_121': 'Spark'}
TARGET = Path(__file__).resolve().parent.parent / 'benchmarks' / 'KERNELS.md'
_KERNEL = re.compile(
    r"entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
    r'(\d+) bytes spill loads.*?Used (\d+) registers',
    re.DOTALL,
)

Row = tuple[str, str, list[str]]


def main() -> int:
    """Compile everything, and write or check."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    parser.add_argument('--check', action='store_true', help='only fail if a kernel spills')
    is_check = parser.parse_args().check
    rows = [*_preprocessing(), *_decoding()]
    spills = [row for row in rows if any('spill' in cell for cell in row[2])]
    for kernel, variant, cells in spills:
        print(f'{kernel} ({variant}) spills: {cells}', file=sys.stderr)
    if not is_check:
        TARGET.write_text(_page(rows))
    return int(bool(spills) and is_check)


def _decoding() -> Iterator[Row]:
    """Give the kernel of each head with its figures by architecture."""
    for source in sorted(Path(cuda.__file__).parent.glob('*.cu')):
        yield from _figures(source, (), 'every tensor')


def _preprocessing() -> Iterator[Row]:
    """Give each kernel of each variant."""
    for variant in every_variant():
        yield from _figures(FUSED, variant.options, str(variant))


def _figures(source: Path, options: tuple[str, ...], variant: str) -> Iterator[Row]:
    by_kernel: dict[str, list[str]] = {}
    for architecture in ARCHITECTURES:
        for found in _KERNEL.findall(compiled(source, options, architecture).log):
            kernel, stack, stores, loads, registers = found
            spilled = '' if stack == stores == loads == '0' else f', spill {stores}/{loads}'
            by_kernel.setdefault(kernel, []).append(registers + spilled)
    for kernel, cells in sorted(by_kernel.items()):
        yield f'{source.name}: {kernel}', variant, cells


def _page(rows: list[Row]) -> str:
    heads = ' | '.join(f'{each} ({gpu})' for each, gpu in ARCHITECTURES.items())
    lines = [
        '# Registers of the kernels',
        '',
        'Registers of one thread, as the assembler reports them; a kernel that spilled would say '
        'so. No kernel',
        f'uses shared memory or a stack. Written by `scripts/report_kernels.py` with NVRTC '
        f'{version()}.',
        '',
        f'| kernel | compiled for | {heads} |',
        '|---|---|' + '---:|' * len(ARCHITECTURES),
    ]
    lines += [f'| {kernel} | {variant} | ' + ' | '.join(cells) + ' |'
              for kernel, variant, cells in rows]  # fmt: skip
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    sys.exit(main())
