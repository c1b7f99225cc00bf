"""Networks of every form that a kernel decodes, and the kernels compiled for the CPU."""

import ctypes
from dataclasses import dataclass
from pathlib import Path
import subprocess

from dla_ros.heads import cuda
from dla_ros.heads.cuda.decoder import CudaDecoder
from dla_ros.heads.cuda.plan import plan_for
from dla_ros.heads.registry import open_head
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.packing import pack, unpack
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest

SOURCES = sorted(Path(cuda.__file__).parent.glob('*.cu'))
GRIDS = ((12, 20), (6, 10), (3, 5))
NETWORK = (96, 160)
FORMS = {
    'fp16:chw16': (DataType.FP16, Layout.CHW16),
    'int8:chw32': (DataType.INT8, Layout.CHW32),
    'fp16:dla_linear': (DataType.FP16, Layout.DLA_LINEAR),
    'int8:dla_linear': (DataType.INT8, Layout.DLA_LINEAR),
    'fp32:linear': (DataType.FP32, Layout.LINEAR),
}
PRIORS = [[0.1 * (i % 9), 0.2 + 0.001 * i, 0.1 + 0.01 * (i % 7), 0.2] for i in range(300)]
CELLS = sum(height * width for height, width in GRIDS)
CASES = {
    'nanodet': ('nanodet', [(1, 40 + 44, *grid) for grid in GRIDS], {'reg_max': 10}),
    'nanodet-plus': ('nanodet', [(1, 3 + 32, *grid) for grid in GRIDS],
                     {'reg_max': 7, 'cell_offset': 0}),
    'yolov8': ('yolov8', [(1, 64 + 20, *grid) for grid in GRIDS], {}),
    'yolov8 apart': ('yolov8', [(1, c, *grid) for grid in GRIDS for c in (64, 20)], {}),
    'yolov8 exported': ('yolov8', [(1, 4 + 20, 1, CELLS)], {}),
    'yolox': ('yolox', [(1, 5 + 20, *grid) for grid in GRIDS], {}),
    'yolov5': ('yolov5', [(1, 3 * (5 + 9), *grid) for grid in GRIDS], {}),
    'detectnet_v2': ('detectnet_v2', [(1, 3, *GRIDS[0]), (1, 12, *GRIDS[0])],
                     {'activation': 'sigmoid'}),
    'centernet': ('centernet', [(1, 20, *GRIDS[0]), (1, 2, *GRIDS[0]), (1, 2, *GRIDS[0])], {}),
    'yolox exported along h': ('yolox', [(1, 1, CELLS, 5 + 20)], {}),
    'ssd': ('ssd', [(1, len(PRIORS), 1, 7), (1, len(PRIORS), 1, 4)], {'priors': PRIORS}),
    'ssd along h': ('ssd', [(1, 1, len(PRIORS), 6), (1, 1, len(PRIORS), 4)],
                    {'priors': PRIORS, 'has_background': False, 'activation': 'sigmoid',
                     'box_order': 'yxhw'}),
    'yolox exported': ('yolox', [(1, CELLS, 1, 5 + 20)], {}),
}  # fmt: skip


@dataclass
class Case:
    """Hold a head, its outputs and their bytes."""

    head: object
    specs: tuple
    buffers: list

    @classmethod
    def make(cls, name, form, seed):
        head_name, sizes, options = CASES[name]
        network = lay_out('images', (1, 3, *NETWORK), DataType.FP16, Layout.DLA_HWC4)
        scale = 0.06 if FORMS[form][0] is DataType.INT8 else None
        specs = tuple(lay_out(f'o{i}', dims, *FORMS[form], scale) for i, dims in enumerate(sizes))
        head = open_head(head_name, network, specs, options)
        rng = np.random.default_rng(seed)
        buffers = []
        for spec in specs:
            values = rng.normal(-1.5, 1.5, spec.dims).astype(np.float32)
            if 'exported' in name:
                values = np.abs(values) / 5  # scores, and boxes of some size
            if name in {'detectnet_v2', 'centernet'} and spec is not specs[0]:
                values = np.abs(values)
            buffers.append(np.zeros(spec.size, np.uint8))
            pack(spec, values, buffers[-1])
        return cls(head, specs, buffers)

    def decode_on_cpu(self, confidence):
        outputs = [unpack(*pair) for pair in zip(self.specs, self.buffers, strict=True)]
        return self.head.decode(outputs, confidence)

    @property
    def plan(self):
        return plan_for(self.head, self.specs)


@pytest.fixture(params=CASES)
def case_name(request):
    return request.param


@pytest.fixture(params=FORMS)
def make_case(request, case_name):
    """Make a network's outputs from a seed, for every head and type and layout."""
    return lambda seed=0: Case.make(case_name, request.param, seed)


class OrdinaryMemory:
    def __init__(self, nbytes):
        self.host = np.zeros(nbytes, np.uint8)
        self.pointer = self.address = self.host.ctypes.data
        self.nbytes = nbytes


class OrdinaryDevice:
    """Give one piece of memory for list and copy: what the kernel adds is seen at once."""

    def __init__(self):
        self._memory = None

    def allocate(self, nbytes):
        self._memory = OrdinaryMemory(nbytes)
        return self._memory

    def pin(self, nbytes):
        return self._memory


@pytest.fixture(scope='session')
def run_on_cpu(tmp_path_factory):
    """Decode with the GPU's code on the CPU: (case, confidence) to detections or None."""
    folder = tmp_path_factory.mktemp('decode')
    library, every = folder / 'decode.so', folder / 'every_kernel.inc'
    every.write_text(''.join(f'#include "{source.name}"\n' for source in SOURCES))
    flags = ('-std=c++17', '-O1', '-shared', '-fPIC', '-fsanitize=undefined')
    here = Path(__file__).with_name('kernels_on_cpu.cpp')
    places = (f'-I{folder}', f'-I{SOURCES[0].parent}')
    command = ['c++', *flags, '-fno-sanitize-recover=undefined', *places, str(here)]
    subprocess.run([*command, '-o', str(library)], check=True)
    kernels = ctypes.CDLL(str(library))

    def run(case, confidence):
        buffers = [type('Memory', (), {'address': each.ctypes.data}) for each in case.buffers]
        table = None
        if case.plan.table is not None:
            table = OrdinaryMemory(case.plan.table.nbytes)
            table.host.view(np.float32)[:] = case.plan.table.ravel()
        decoder = CudaDecoder(case.plan, case.specs, buffers, OrdinaryDevice(), None, table)
        told = decoder._parameters
        told.threshold, told.confidence = case.plan.thresholds(confidence)
        kernel = getattr(kernels, case.plan.kernel)
        kernels.run_on_cpu(kernel, ctypes.byref(told), *decoder._grid, 64)
        return decoder.take()

    return run


@pytest.fixture(scope='session')
def assert_same():
    """Compare two lists of boxes, order and all; exp may differ in its last bits."""

    def compare(found, wanted):
        np.testing.assert_array_equal(found.class_ids, wanted.class_ids)
        np.testing.assert_allclose(found.scores, wanted.scores, atol=2e-6)
        np.testing.assert_allclose(found.xyxy, wanted.xyxy, rtol=1e-5, atol=1e-3)

    return compare


@pytest.fixture
def make_spec():
    """Lay a plain tensor out."""
    return lambda name, dims: lay_out(name, dims, DataType.FP16, Layout.DLA_LINEAR)
