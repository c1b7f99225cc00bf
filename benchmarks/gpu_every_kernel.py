r"""
Launch every kernel once over pictures of odd sizes, for compute-sanitizer to watch.

Run on a machine with a GPU, for each tool of memcheck, racecheck, initcheck, synccheck:
compute-sanitizer --tool memcheck --report-api-errors no --error-exitcode 1 \
    python benchmarks/gpu_every_kernel.py
"""

from itertools import product

from dla_ros.devices.cuda.device import CudaDevice
from dla_ros.heads.cuda.decoder import CudaDecoder
from dla_ros.heads.cuda.plan import plan_for
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import to_image_view
from dla_ros.preprocess.cuda.preprocessor import CudaPreprocessor
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.tensors.spec import ALLOWED_TYPES, lay_out
import gpu_decode
import numpy as np

NETWORKS = {
    'bgr8': Preprocessing('bgr8'),
    'mono8': Preprocessing('mono8', (0.0,), (255.0,), Padding.BOTTOM_RIGHT),
}


def picture(encoding, height=38, width=54):
    known = ENCODINGS[encoding]
    step = width * known.pixel_bytes
    rows = height * 3 // 2 if known.is_semi_planar else height
    data = np.random.default_rng(0).integers(0, 256, step * rows, np.uint8)
    return to_image_view(data, height=height, width=width, encoding=encoding, step=step)


def prepare_all(device):
    """Write every kind of tensor from every encoding."""
    launches = 0
    for (layout, data_types), preprocessing in product(ALLOWED_TYPES.items(), NETWORKS.values()):
        for data_type in data_types:
            channels = len(preprocessing.mean)
            spec = lay_out('x', (1, channels, 33, 45), data_type, layout, 1 / 127)
            stream, buffer = device.open_stream(), device.allocate(spec.size)
            preprocessor = CudaPreprocessor.open(preprocessing, spec, device)
            for encoding in ENCODINGS:
                for _ in range(2):
                    preprocessor.prepare(picture(encoding), buffer, stream)
                    stream.synchronize()
                    launches += 1
            for each in (preprocessor, buffer, stream):
                each.close()
    return launches


def decode_all(device):
    """Decode the outputs of every head in every layout."""
    launches = 0
    for case, form in product(gpu_decode.CASES, gpu_decode.FORMS):
        stream = device.open_stream()
        head, specs = gpu_decode.head_of(case, form)
        buffers, mirrors = gpu_decode.outputs_of(device, specs, case[-1], stream)
        decoder = CudaDecoder.open(plan_for(head, specs), specs, buffers, device)
        decoder.enqueue(stream, gpu_decode.CONFIDENCE)
        stream.synchronize()
        assert len(decoder.take())
        launches += 1
        for each in (decoder, *mirrors, *buffers, stream):
            each.close()
    return launches


def main():
    for is_integrated in (False, True):
        with CudaDevice.open(is_integrated=is_integrated) as device:
            print(prepare_all(device), 'pictures prepared, integrated:', is_integrated)
    with CudaDevice.open() as device:
        print(decode_all(device), 'networks decoded')


if __name__ == '__main__':
    main()
