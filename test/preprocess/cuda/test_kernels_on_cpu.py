"""The kernels' arithmetic, compiled for the CPU, against the host preprocessor: to the bit."""

from dla_ros.images.encodings import ENCODINGS
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.tensors.format import DataType, Layout
from hypothesis import given, settings
from hypothesis import strategies as st
import numpy as np
import pytest


def host(settings, spec, image):
    out = np.full(spec.size, 0x5A, np.uint8)
    HostPreprocessor.open(settings, spec).prepare(image, out)
    return out


@pytest.mark.parametrize('encoding', ENCODINGS)
@settings(max_examples=15, deadline=None)
@given(
    form=st.integers(0, 8),
    network=st.sampled_from(['rgb8', 'bgr8', 'mono8']),
    padding=st.sampled_from(Padding),
    source=st.tuples(st.integers(1, 60), st.integers(1, 60)),
    target=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    junk=st.sampled_from([0, 1, 5]),
    is_bigendian=st.booleans(),
    seed=st.integers(0, 1 << 16),
)
def test_the_kernel_gives_what_the_cpu_gives(
    prepare_on_cpu, forms, networks, make_spec, random_image, encoding, form, network, padding,
    source, target, junk, is_bigendian, seed,
):  # fmt: skip
    mean, std = networks[network]
    preprocessing = Preprocessing(network, mean, std, padding, padding_value=seed % 256)
    image = random_image(encoding, *source, seed, junk, is_bigendian)
    spec = make_spec(forms[form], *target, len(mean))
    given_ = prepare_on_cpu(preprocessing, spec, image)
    wanted = host(preprocessing, spec, image)
    if 'bayer' in encoding and network == 'mono8':
        # OpenCV before 5 rounds these twice where it computes many pixels at once.
        view = {1: np.int8, 2: np.float16, 4: np.float32}[spec.data_type.itemsize]
        tolerance = 1 if view is np.int8 else 1.01 / 128
        apart = np.abs(given_.view(view).astype(float) - wanted.view(view).astype(float))
        assert apart.max() <= tolerance
    else:
        np.testing.assert_array_equal(given_, wanted)


@pytest.mark.parametrize('encoding', ['rgb8', 'bgra8', 'mono8', 'uyvy', 'nv12', 'bayer_grbg8'])
@pytest.mark.parametrize('size', [(108, 192), (216, 384), (72, 128), (480, 64), (33, 1000)])
def test_usual_ratios_and_extreme_shapes_agree(
    prepare_on_cpu, make_spec, random_image, encoding, size
):
    preprocessing = Preprocessing()
    spec = make_spec((DataType.FP16, Layout.CHW16), 64, 64)
    image = random_image(encoding, *size)
    np.testing.assert_array_equal(
        prepare_on_cpu(preprocessing, spec, image), host(preprocessing, spec, image)
    )
