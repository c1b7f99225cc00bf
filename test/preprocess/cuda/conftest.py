"""The kernels compiled for the CPU, and memory for them."""

import ctypes
from pathlib import Path
import subprocess

from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.preprocess.cuda.family import FAMILIES
from dla_ros.preprocess.cuda.launcher import Launcher
from dla_ros.preprocess.cuda.parameters import Parameters
from dla_ros.preprocess.cuda.preprocessor import SOURCE
from dla_ros.preprocess.cuda.route import Route
from dla_ros.preprocess.cuda.staging import Staging
from dla_ros.preprocess.cuda.variant import pixel_stride, Variant
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.tables import to_tables
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
import numpy as np
import pytest

FORMS = [
    (DataType.FP32, Layout.LINEAR),
    (DataType.FP16, Layout.LINEAR),
    (DataType.INT8, Layout.LINEAR),
    (DataType.FP16, Layout.DLA_LINEAR),
    (DataType.INT8, Layout.DLA_LINEAR),
    (DataType.FP16, Layout.DLA_HWC4),
    (DataType.INT8, Layout.DLA_HWC4),
    (DataType.FP16, Layout.CHW16),
    (DataType.INT8, Layout.CHW32),
]
NETWORKS = {
    'rgb8': ((123.7, 116.3, 103.5), (58.4, 57.1, 57.4)),
    'bgr8': ((0.0, 0.0, 0.0), (255.0, 255.0, 255.0)),
    'mono8': ((127.5,), (128.0,)),
}


class OrdinaryMemory:
    """Give what pinned memory gives, without a GPU; ends in a page of its own bytes only."""

    def __init__(self, nbytes):
        self.host = np.full(nbytes, 0xA5, np.uint8)
        self.pointer = self.address = self.host.ctypes.data
        self.nbytes = nbytes

    def close(self):
        pass


class OrdinaryDevice:
    """Give ordinary memory, which kernels on the CPU read in place."""

    is_integrated = True

    def pin(self, nbytes):
        return OrdinaryMemory(nbytes)


class CpuProgram:
    """Run the kernels of one variant in this process."""

    def __init__(self, library):
        self._run = ctypes.CDLL(str(library)).run_on_cpu

    def launch(self, name, grid, block, arguments, stream):
        parameters = ctypes.c_void_p.from_address(arguments)
        self._run(FAMILIES.index(name), parameters, *grid, *block)


@pytest.fixture(scope='session')
def program_for(tmp_path_factory):
    """Compile a variant once, with bounds and overflow checked by the compiler's sanitizer."""
    folder, programs = tmp_path_factory.mktemp('kernels'), {}

    def compiled(variant):
        if variant not in programs:
            library = folder / f'{len(programs)}.so'
            here = Path(__file__).with_name('kernels_on_cpu.cpp')
            flags = ('-std=c++17', '-O1', '-shared', '-fPIC', '-fsanitize=undefined')
            trap = '-fno-sanitize-recover=undefined'
            command = ['c++', *flags, trap, f'-I{SOURCE.parent}', *variant.options]
            subprocess.run([*command, str(here), '-o', str(library)], check=True)
            programs[variant] = CpuProgram(library)
        return programs[variant]

    return compiled


@pytest.fixture(scope='session')
def prepare_on_cpu(program_for):
    """Prepare one picture with the GPU's code on the CPU: (settings, spec, image) to bytes."""

    def prepare(settings, spec, image):
        variant = Variant.of(spec, len(settings.mean))
        box = Letterbox.fit(image.height_width, spec.height_width, settings.padding)
        route = Route.of(image, box)
        launcher, staging = Launcher(program_for(variant)), Staging(OrdinaryDevice())
        staging.reserve(route.nbytes)
        staging.put(image, route, None)
        out = np.zeros(spec.size + 256, np.uint8)
        start = -out.ctypes.data % 256
        tables = np.concatenate([each.view(np.uint8) for each in to_tables(settings, spec)])
        told: Parameters = launcher.parameters
        route.fill(told, is_blue_first=settings.encoding == 'bgr8')
        told.first = staging.address
        told.second = staging.address + route.pitch * image.height
        told.out = out.ctypes.data + start
        told.tables, told.columns = tables.ctypes.data, route.columns.ctypes.data
        told.rows = route.rows.ctypes.data
        told.line_stride, told.plane_stride = spec.line_stride, spec.plane_stride
        told.pixel_stride = pixel_stride(spec, len(settings.mean))
        told.padding_value = settings.padding_value
        launcher.aim(route.family.kernel, (0, spec.dims[2]), (0, spec.dims[3]))
        launcher.launch(0)
        assert not out[:start].any()
        assert not out[start + spec.size :].any()
        return out[start : start + spec.size]

    return prepare


@pytest.fixture(scope='session')
def make_spec():
    """Lay an input out: (form, height, width, channels)."""

    def make(form, height, width, channels=3):
        data_type, layout = form
        scale = 0.0187 if data_type is DataType.INT8 else None
        return lay_out('images', (1, channels, height, width), data_type, layout, scale)

    return make


@pytest.fixture(scope='session')
def random_image():
    """Make a random image view of an encoding, with junk behind each row."""

    def make(encoding, height, width, seed=0, junk=0, is_bigendian=False):
        known = ENCODINGS[encoding]
        unit_h, unit_w = known.multiple_of
        height = -(-max(height, known.smallest) // unit_h) * unit_h
        width = -(-max(width, known.smallest) // unit_w) * unit_w
        step = width * known.pixel_bytes + junk
        rows = height * 3 // 2 if known.is_semi_planar else height
        data = np.random.default_rng(seed).integers(0, 256, step * rows, np.uint8)
        return to_image_view(
            data, height=height, width=width, encoding=encoding, step=step,
            is_bigendian=is_bigendian,
        )  # fmt: skip

    return make


@pytest.fixture(scope='session')
def forms():
    """Give every type and layout that a network input may have."""
    return FORMS


@pytest.fixture(scope='session')
def networks():
    """Give mean and std for each colour order."""
    return NETWORKS
