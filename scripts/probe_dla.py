"""
Show what cuDLA reports of this machine and of a loadable, as JSON.

    python3 scripts/probe_dla.py detector.dla [--core 1] [--emulated]

For a DLA that nobody has seen with this package yet: docs/jetson.md says what to do with it.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
import json
from pathlib import Path
import sys
from typing import Any

from dla_ros.devices.open import open_device
from dla_ros.emulator import start
from dla_ros.engines.cudla.handle import DeviceHandle
from dla_ros.engines.cudla.library import Cudla
from dla_ros.engines.cudla.module import Module
from dla_ros.errors import DlaRosError
from dla_ros.loadable.loadable import Loadable, read_file
from dla_ros.record.local_platform import platform_here

TIMEOUT_MS = 2000
FIELDS = ('name', 'size_', 'n', 'c', 'h', 'w', 'data_format', 'data_type', 'data_category',
          'pixel_format', 'pixel_mapping')  # fmt: skip


def main() -> int:
    """Print everything that can be asked; what is refused is said in its place."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('loadable', type=Path)
    parser.add_argument('--core', type=int, default=0)
    parser.add_argument('--emulated', action='store_true', help='the DLA in software')
    options = parser.parse_args()
    found: dict[str, Any] = {'platform': vars_of(platform_here())}
    code = 0
    try:
        with ExitStack() as held:
            ask(options, found, held)
    except DlaRosError as err:
        found['refused'] = str(err)
        code = 1
    print(json.dumps(found, indent=1))
    return code


def ask(options: argparse.Namespace, found: dict[str, Any], held: ExitStack) -> None:
    """Go up step by step, so that what was learned before a refusal is kept."""
    data = read_file(options.loadable)
    found['bytes'] = len(data)
    found['file says'] = from_file(data)
    held.enter_context(open_device('host' if options.emulated else 'cuda'))
    if options.emulated:
        start()
    cudla = Cudla.open(is_emulated=options.emulated)
    found['version'] = cudla.call('get_version')
    found['cores'] = cudla.call('device_get_count')
    handle = DeviceHandle.open(cudla, options.core, TIMEOUT_MS)
    held.callback(handle.close)
    found['attributes'] = attributes(cudla, handle)
    module = Module(cudla, handle, data)
    held.callback(module.close)
    kinds = cudla.types.ModuleAttributeType
    for side, kind in (('inputs', kinds.INPUT_TENSOR_DESCRIPTORS),
                       ('outputs', kinds.OUTPUT_TENSOR_DESCRIPTORS)):  # fmt: skip
        tensors = cudla.call('module_get_attributes', module.number, int(kind))
        found[side] = [described(tensor) for tensor in tensors]


def from_file(data: bytes) -> Any:
    """Read the file as this package does; a real one may be laid out otherwise."""
    try:
        loadable = Loadable.read(data)
    except DlaRosError as err:
        return str(err)
    return {
        'inputs': [str(spec) for spec in loadable.inputs],
        'outputs': [str(spec) for spec in loadable.outputs],
        'blobs': {blob.name: len(blob.data) for blob in loadable.blobs},
    }


def attributes(cudla: Cudla, handle: DeviceHandle) -> dict[str, Any]:
    """Ask for the two attributes of a device."""
    kinds = cudla.types.DevAttributeType
    return {
        'unified_addressing': int(
            cudla.call('device_get_attribute', handle.number, int(kinds.UNIFIED_ADDRESSING))
            .unified_addressing_supported
        ),
        'device_version': int(
            cudla.call('device_get_attribute', handle.number, int(kinds.DEVICE_VERSION))
            .device_version
        ),
    }  # fmt: skip


def described(tensor: Any) -> dict[str, Any]:
    """Give a descriptor as plain data."""
    row: dict[str, Any] = {name.rstrip('_'): getattr(tensor, name) for name in FIELDS}
    row['stride'] = [int(stride) for stride in tensor.stride]
    return {key: value if isinstance(value, (str, list)) else int(value)
            for key, value in row.items()}  # fmt: skip


def vars_of(value: Any) -> dict[str, Any]:
    """Give the fields of a dataclass that are known."""
    return {key: each for key, each in vars(value).items() if each is not None}


if __name__ == '__main__':
    sys.exit(main())
