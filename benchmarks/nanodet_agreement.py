"""
Compare NanoDet on the emulated DLA with the same network in ONNX Runtime at full precision.

Both see the 48 frames of the pedestrian bag through the whole detector. A box matches one of the
same class in the reference that it overlaps by half; the best pairs go first. Says how much type
and layout of a loadable's tensors change, not how a real DLA rounds inside (the emulator computes
in fp32).
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
import tempfile

from dla_ros.bags.read import BagImage, read_images
from dla_ros.config import DetectorConfig
from dla_ros.detections import Detections
from dla_ros.detector import Detector
from dla_ros.emulator.build import emulate
from dla_ros.preprocess.bgr import to_bgr
from machine import describe
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / 'models' / 'nanodet_g_416.onnx'
BAG = ROOT / 'data' / 'pedestrians'
FORMATS = (
    ('fp16:chw16', 'fp16:chw16'),
    ('fp16:dla_linear', 'fp16:dla_linear'),
    ('int8:chw32', 'fp16:chw16'),
    ('int8:dla_hwc4', 'fp16:chw16'),
    ('int8:chw32', 'int8:chw32'),
    ('int8:dla_hwc4', 'int8:dla_linear'),
)
THRESHOLD = 0.4
PERSON = 0


def detect(engine: Path, images: Sequence[BagImage]) -> list[Detections]:
    """Give the detections of every image, in order."""
    config = DetectorConfig(
        engine_file_path=str(engine), dla_device='emulator', confidence_threshold=THRESHOLD
    )
    with Detector.open(config) as detector:
        return list(detector.detect_many(image.view for image in images))


def overlaps(one: Detections, two: Detections) -> np.ndarray:
    """Give the IoU (n, m) of each pair of boxes, 0 for different classes."""
    low = np.maximum(one.xyxy[:, None, :2], two.xyxy[None, :, :2])
    high = np.minimum(one.xyxy[:, None, 2:], two.xyxy[None, :, 2:])
    both = np.clip(high - low, 0, None).prod(axis=2)
    areas = [(each.xyxy[:, 2:] - each.xyxy[:, :2]).prod(axis=1) for each in (one, two)]
    iou = both / (areas[0][:, None] + areas[1][None] - both)
    return np.where(one.class_ids[:, None] == two.class_ids[None], iou, 0)


def matches(one: Detections, two: Detections) -> list[tuple[float, float]]:
    """Give (IoU, difference of scores) of the matched boxes of two pictures."""
    iou = overlaps(one, two)
    pairs = []
    while iou.size and iou.max() >= 0.5:
        i, j = np.unravel_index(iou.argmax(), iou.shape)
        pairs.append((float(iou[i, j]), abs(float(one.scores[i] - two.scores[j]))))
        iou[i], iou[:, j] = 0, 0
    return pairs


def report(name: str, found: list[Detections], reference: list[Detections]) -> None:
    """Print one line."""
    boxes, wanted = (sum(len(each) for each in side) for side in (found, reference))
    persons = sum(int((each.class_ids == PERSON).sum()) for each in found)
    pairs = [pair for two in zip(found, reference, strict=True) for pair in matches(*two)]
    ious, scores = np.array(pairs).reshape(-1, 2).T
    print(
        f'{name:<36}{boxes:>6}{persons:>8}{len(pairs):>9}{wanted - len(pairs):>8}'
        f'{boxes - len(pairs):>7}{ious.mean():>10.4f}{ious.min():>9.4f}{scores.mean():>10.4f}'
        f'{scores.max():>9.4f}'
    )


def main() -> None:
    """Compare each format."""
    print(describe())
    images = list(read_images(BAG))
    calibration = [to_bgr(image.view)[:, :, ::-1] for image in islice(images, 0, None, 6)]
    reference = detect(MODEL, images)
    print(f'{len(images)} frames, threshold {THRESHOLD}; int8 outputs calibrated on '
          f'{len(calibration)} of them')  # fmt: skip
    print(
        f'{"input, outputs":<36}{"boxes":>6}{"persons":>8}{"matched":>9}{"missed":>8}{"extra":>7}'
        f'{"mean IoU":>10}{"min IoU":>9}{"|Δscore|":>10}{"max":>9}'
    )
    report('ONNX Runtime fp32 (the reference)', reference, reference)
    with tempfile.TemporaryDirectory() as folder:
        for inputs, outputs in FORMATS:
            engine = Path(folder) / 'nanodet.dla'
            emulate(
                MODEL, engine, input_format=inputs, output_format=outputs, calibration=calibration
            )
            report(f'{inputs}, {outputs}', detect(engine, images), reference)


if __name__ == '__main__':
    main()
