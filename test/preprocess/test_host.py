"""Pictures into network inputs: every encoding, layout, type and padding against plain floats."""

from dla_ros.errors import ConfigError, TensorError
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import ImageView, to_image_view
from dla_ros.preprocess.host import HostPreprocessor
from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.packing import pack
from dla_ros.tensors.spec import lay_out, TensorSpec
from hypothesis import given, settings
from hypothesis import strategies as st
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


def expected(spec, settings, letterbox, content):
    """Normalise in floats and pack: the plain way from the same scaled 8-bit pixels."""
    canvas = np.full((*letterbox.network, content.shape[2]), settings.padding_value, np.float64)
    rows = slice(letterbox.top, letterbox.top + letterbox.height)
    columns = slice(letterbox.left, letterbox.left + letterbox.width)
    canvas[rows, columns] = content
    values = ((canvas - settings.mean) / settings.std).transpose(2, 0, 1)[np.newaxis]
    out = np.zeros(spec.size, np.uint8)
    pack(spec, values.astype(np.float32), out)
    return out


def steps_apart(spec, left, right):
    """Give the largest difference of two buffers in ulps, or in steps for int8."""
    number = {1: np.int8, 2: np.int16, 4: np.int32}[spec.data_type.itemsize]
    left, right = (buffer.view(number).astype(np.int64) for buffer in (left, right))
    if spec.data_type is not DataType.INT8:
        # Sign and magnitude to a number line: -0 and 0 are one place.
        lowest = -(1 << (8 * spec.data_type.itemsize - 1))
        left, right = (np.where(each < 0, lowest - each, each) for each in (left, right))
    return np.abs(left - right).max()


@pytest.mark.parametrize('encoding', ENCODINGS)
@settings(max_examples=60)
@given(
    form=st.sampled_from(FORMS),
    network=st.sampled_from(sorted(NETWORKS)),
    padding=st.sampled_from(Padding),
    source=st.tuples(st.integers(3, 60), st.integers(3, 60)),
    target=st.tuples(st.integers(1, 50), st.integers(1, 50)),
    junk=st.integers(0, 9),
    is_bigendian=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_input_is_that_of_plain_floats(
    make_spec,
    prepared,
    picture,
    network_pixels,
    sampled_by_the_rule,
    encoding,
    form,
    network,
    padding,
    source,
    target,
    junk,
    is_bigendian,
    seed,
):
    unit = ENCODINGS[encoding].multiple_of
    height, width = source[0] + source[0] % unit[0], source[1] + source[1] % unit[1]
    image = picture(encoding, height, width, seed, junk, is_bigendian)
    mean, std = NETWORKS[network]
    preprocessing = Preprocessing(network, mean, std, padding, padding_value=seed % 256)
    spec = make_spec(form, *target, channels=len(mean))
    out = prepared(HostPreprocessor.open(preprocessing, spec), spec, image)

    letterbox = Letterbox.fit((height, width), target, padding)
    content = sampled_by_the_rule(
        network_pixels(image, network), letterbox.height, letterbox.width
    )
    assert steps_apart(spec, out, expected(spec, preprocessing, letterbox, content)) <= 1


@pytest.mark.parametrize('form', FORMS)
@pytest.mark.parametrize('network', ['rgb8', 'bgr8', 'mono8'])
def test_four_colour_forms_of_a_picture_give_the_same_bytes(make_spec, prepared, form, network):
    rgb = np.random.default_rng(0).integers(0, 256, (31, 47, 3), np.uint8)
    alpha = np.random.default_rng(1).integers(0, 256, (31, 47, 1), np.uint8)
    forms = {
        'rgb8': rgb,
        'bgr8': rgb[:, :, ::-1],
        '8UC3': rgb[:, :, ::-1],
        'rgba8': np.concatenate([rgb, alpha], axis=2),
        'bgra8': np.concatenate([rgb[:, :, ::-1], alpha], axis=2),
        '8UC4': np.concatenate([rgb[:, :, ::-1], alpha], axis=2),
    }
    mean, std = NETWORKS[network]
    spec = make_spec(form, 20, 24, channels=len(mean))
    preprocessor = HostPreprocessor.open(Preprocessing(network, mean, std), spec)
    inputs = {
        prepared(preprocessor, spec, as_message(encoding, pixels)).tobytes()
        for encoding, pixels in forms.items()
    }
    assert len(inputs) == 1


def as_message(encoding, pixels):
    height, width = pixels.shape[:2]
    step = pixels[0].nbytes
    return to_image_view(
        pixels.tobytes(), height=height, width=width, encoding=encoding, step=step
    )


@pytest.mark.parametrize('form', FORMS)
@pytest.mark.parametrize('network', ['rgb8', 'mono8'])
def test_grey_is_the_colour_picture_with_equal_channels(make_spec, prepared, form, network):
    grey = np.random.default_rng(0).integers(0, 256, (31, 47), np.uint8)
    mean, std = NETWORKS[network]
    spec = make_spec(form, 20, 24, channels=len(mean))
    preprocessor = HostPreprocessor.open(Preprocessing(network, mean, std), spec)
    of_grey = prepared(preprocessor, spec, as_message('mono8', grey))
    of_colour = prepared(preprocessor, spec, as_message('rgb8', np.dstack([grey] * 3)))
    assert np.array_equal(of_grey, of_colour)


@pytest.mark.parametrize('encoding', ENCODINGS)
def test_bytes_behind_a_row_are_never_read(make_spec, prepared, encoding):
    known = ENCODINGS[encoding]
    spec = make_spec((DataType.FP16, Layout.CHW16), 20, 24)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    rows = 12 if known.is_semi_planar else 8
    pixels = np.random.default_rng(0).integers(0, 256, (rows, 8 * known.pixel_bytes), np.uint8)
    inputs = set()
    for junk in (0x00, 0xAA, 0xFF):
        laid = np.full((rows, pixels.shape[1] + 6), junk, np.uint8)
        laid[:, :-6] = pixels
        view = to_image_view(
            laid.tobytes(), height=8, width=8, encoding=encoding, step=laid.shape[1]
        )
        inputs.add(prepared(preprocessor, spec, view).tobytes())
    assert len(inputs) == 1


@pytest.mark.parametrize('form', [FORMS[3], FORMS[6], FORMS[7]])
def test_strides_of_a_driver_are_followed(make_spec, prepared, picture, form):
    plain = make_spec(form, 33, 40)
    line = plain.line_stride + 64
    plane = line * 33 + 128 if plain.plane_stride else 0
    wide = TensorSpec('images', plain.dims, *form, line, plane, (plane or line * 33) * 3, 0.0187)
    settings = Preprocessing(padding_value=9)
    image = picture('rgb8', 20, 40)
    out = prepared(HostPreprocessor.open(settings, wide), wide, image)
    letterbox = Letterbox.fit((20, 40), (33, 40), Padding.CENTER)
    assert steps_apart(wide, out, expected(wide, settings, letterbox, image.planes[0])) <= 1


def test_a_driver_may_count_the_empty_channel_of_hwc4(make_spec, prepared, picture):
    image = picture('rgb8', 20, 40)
    inputs = []
    for channels in (3, 4):
        spec = make_spec((DataType.INT8, Layout.DLA_HWC4), 33, 40, channels)
        inputs.append(prepared(HostPreprocessor.open(Preprocessing(), spec), spec, image))
    assert np.array_equal(*inputs)


def test_channels_that_do_not_fit_the_network_are_refused(make_spec):
    with pytest.raises(ConfigError, match="has 1 channels, but encoding 'rgb8' has 3"):
        HostPreprocessor.open(Preprocessing(), make_spec(FORMS[0], 8, 8, channels=1))
    with pytest.raises(ConfigError, match="has 4 channels, but encoding 'rgb8' has 3"):
        HostPreprocessor.open(Preprocessing(), make_spec(FORMS[0], 8, 8, channels=4))
    grey = Preprocessing('mono8', (0.0,), (1.0,))
    with pytest.raises(ConfigError, match="has 3 channels, but encoding 'mono8' has 1"):
        HostPreprocessor.open(grey, make_spec(FORMS[0], 8, 8))


def test_a_batch_is_refused():
    spec = lay_out('images', (2, 3, 8, 8), DataType.FP32, Layout.LINEAR)
    with pytest.raises(ConfigError, match='batch 2'):
        HostPreprocessor.open(Preprocessing(), spec)


def test_a_buffer_too_small_is_refused(make_spec, picture):
    spec = make_spec(FORMS[0], 8, 8)
    preprocessor = HostPreprocessor.open(Preprocessing(), spec)
    with pytest.raises(TensorError, match=f'needs {spec.size} bytes'):
        preprocessor.prepare(picture('rgb8', 8, 8), np.zeros(spec.size - 1, np.uint8))


def test_a_picture_decoded_from_a_file_is_taken_as_well(make_spec, prepared):
    spec = make_spec(FORMS[0], 8, 8)
    pixels = np.full((8, 8, 3), (1, 2, 3), np.uint8)
    image = ImageView('bgr8', 8, 8, (pixels,))
    settings = Preprocessing(std=(1.0, 1.0, 1.0))
    out = prepared(HostPreprocessor.open(settings, spec), spec, image).view(np.float32)
    assert out.reshape(3, 64)[:, 0].tolist() == [3, 2, 1]
