"""Boxes drawn on a picture, for people to look at."""

from collections.abc import Sequence
import colorsys

import cv2
from dla_ros.detections import Detections
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Color = tuple[int, int, int]

FONT = cv2.FONT_HERSHEY_SIMPLEX
SUBPIXEL_BITS = 4  # OpenCV draws at 1/16 pixel
LEAST_TEXT = 0.4  # below this Hershey letters run together
GOLDEN = 0.618034  # steps of the golden section spread hues evenly, however many there are


def draw(bgr: Picture, detections: Detections, labels: Sequence[str] = ()) -> Picture:
    """
    Give a copy of a picture (h, w, 3 of uint8) with a box, a name and a score for each detection.

    Boxes are in pixels of the picture. A class without a label is shown by its number. Lines and
    letters grow with the picture; better scores lie on top.
    """
    picture = np.ascontiguousarray(bgr).copy()
    unit = min(picture.shape[:2]) / 800
    for place in np.argsort(detections.scores, kind='stable'):
        class_id = int(detections.class_ids[place])
        name = labels[class_id] if class_id < len(labels) else str(class_id)
        text = f'{name} {detections.scores[place]:.2f}'
        _draw_one(picture, detections.xyxy[place], text, class_color(class_id), unit)
    return picture


def class_color(class_id: int) -> Color:
    """Give a bright blue-green-red colour that a class always has."""
    red, green, blue = colorsys.hsv_to_rgb(class_id * GOLDEN % 1, 0.75, 1.0)
    return round(blue * 255), round(green * 255), round(red * 255)


def _draw_one(
    picture: Picture, xyxy: NDArray[np.float32], text: str, color: Color, unit: float
) -> None:
    thickness = max(1, round(3 * unit))
    # The edge of a box lies between pixels, OpenCV's coordinates on their centres.
    left, top, right, bottom = (round((float(edge) - 0.5) * 2**SUBPIXEL_BITS) for edge in xyxy)
    cv2.rectangle(
        picture, (left, top), (right, bottom), color, thickness, cv2.LINE_AA, SUBPIXEL_BITS
    )
    _draw_tag(picture, (round(float(xyxy[0])), round(float(xyxy[1]))), text, color, unit)


def _draw_tag(
    picture: Picture, corner: tuple[int, int], text: str, color: Color, unit: float
) -> None:
    """Write on a plate above a box's top left corner, moved to where it lies in the picture."""
    scale, thickness = max(LEAST_TEXT, 0.8 * unit), max(1, round(1.2 * unit))
    (width, ascent), descent = cv2.getTextSize(text, FONT, scale, thickness)
    margin = max(2, round(4 * unit))
    width, height = width + 2 * margin, ascent + descent + 2 * margin
    left = max(0, min(corner[0], picture.shape[1] - width))
    top = max(0, min(corner[1] - height, picture.shape[0] - height))
    cv2.rectangle(picture, (left, top), (left + width, top + height), color, cv2.FILLED)
    place = (left + margin, top + margin + ascent)
    cv2.putText(picture, text, place, FONT, scale, _ink(color), thickness, cv2.LINE_AA)


def _ink(color: Color) -> Color:
    """Give black or white, whichever is easier to read on a colour."""
    blue, green, red = color
    luma = 0.114 * blue + 0.587 * green + 0.299 * red
    return (0, 0, 0) if luma > 128 else (255, 255, 255)
