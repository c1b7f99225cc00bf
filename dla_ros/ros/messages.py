"""Messages in, messages out: images to views, detections to vision_msgs."""

from collections.abc import Sequence
from typing import Any

from dla_ros.detections import Detections
from dla_ros.errors import ImageError
from dla_ros.images.compressed import decode
from dla_ros.images.encodings import ENCODINGS
from dla_ros.images.image import check_pixels, ImageView, MAX_PIXELS, to_image_view
import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import Header
from vision_msgs.msg import (
    Detection2D,
    Detection2DArray,
    LabelInfo,
    ObjectHypothesisWithPose,
    VisionClass,
)

_LONGEST_FRAME_ID = 1024


def check_frame_id(message: Any) -> None:
    """Raise ImageError for a frame_id that would be copied, at its length, into each detection."""
    length = len(message.header.frame_id)
    if length > _LONGEST_FRAME_ID:
        raise ImageError(
            f'its frame_id has {length} characters, at most {_LONGEST_FRAME_ID} are taken; set '
            'frame_id in the driver of the camera'
        )


def view_image(message: Image, max_pixels: int = MAX_PIXELS) -> ImageView:
    """Look at an Image's pixels without a copy; raise ImageError for what cannot be an image."""
    view = to_image_view(
        message.data,
        height=message.height,
        width=message.width,
        encoding=message.encoding,
        step=message.step,
        is_bigendian=bool(message.is_bigendian),
    )
    return check_pixels(view, max_pixels)


def decode_image(message: CompressedImage, max_pixels: int = MAX_PIXELS) -> ImageView:
    """Decode a CompressedImage; raise ImageError for a broken one."""
    return decode(message.data, message.format, max_pixels)


def to_detection_array(
    detections: Detections, header: Header, class_ids: Sequence[str]
) -> Detection2DArray:
    """
    Write boxes as vision_msgs, the image's own header on both levels.

    ``class_ids`` gives the string for each class index (``index`` or ``name`` form).
    """
    message = Detection2DArray(header=header)
    rows = zip(
        detections.xyxy.tolist(),
        detections.scores.tolist(),
        detections.class_ids.tolist(),
        strict=True,
    )
    message.detections = [
        _to_detection(header, box, score, class_ids[index]) for box, score, index in rows
    ]
    return message


def _to_detection(header: Header, box: list[float], score: float, class_id: str) -> Detection2D:
    left, top, right, bottom = box
    found = Detection2D(header=header)
    found.bbox.center.position.x = (left + right) / 2
    found.bbox.center.position.y = (top + bottom) / 2
    found.bbox.size_x = right - left
    found.bbox.size_y = bottom - top
    result = ObjectHypothesisWithPose()
    result.hypothesis.class_id = class_id
    result.hypothesis.score = score
    found.results = [result]
    return found


def to_label_info(labels: Sequence[str], threshold: float, header: Header) -> LabelInfo:
    """Write which class_id means which name (vision_msgs/LabelInfo)."""
    classes = [VisionClass(class_id=i, class_name=name) for i, name in enumerate(labels)]
    return LabelInfo(header=header, class_map=classes, threshold=threshold)


def to_image(bgr: NDArray[np.uint8], header: Header) -> Image:
    """Write a (height, width, 3) picture as a bgr8 Image; the only copy is into the message."""
    height, width, channels = bgr.shape
    message = Image(header=header, height=height, width=width, encoding='bgr8')
    message.step = width * channels
    # assigning an ndarray or memoryview is checked byte by byte: 350 ms at 1080p
    message.data.frombytes(memoryview(np.ascontiguousarray(bgr)).cast('B'))
    return message


def is_compressed(message: Any) -> bool:
    """Tell a CompressedImage from an Image."""
    return isinstance(message, CompressedImage)


def is_unknown_encoding(message: Image) -> bool:
    """Tell an encoding that the core does not know."""
    return message.encoding not in ENCODINGS


def to_detections(message: Detection2DArray) -> tuple[int, Detections]:
    """Read boxes back: the image stamp in nanoseconds, and the boxes (class_id as an index)."""
    stamp_ns = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
    rows = [(found.bbox, found.results[0].hypothesis) for found in message.detections]
    boxes = [
        (
            box.center.position.x - box.size_x / 2,
            box.center.position.y - box.size_y / 2,
            box.center.position.x + box.size_x / 2,
            box.center.position.y + box.size_y / 2,
        )
        for box, _ in rows
    ]
    return stamp_ns, Detections(
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array([hypothesis.score for _, hypothesis in rows], np.float32),
        np.array([int(hypothesis.class_id) for _, hypothesis in rows], np.int32),
    )
