"""One rule by which a picture is scaled, the same on every machine and device."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


def sample(pixels: Pixels, sampled: Pixels) -> Pixels:
    """
    Scale ``pixels`` (h, w[, n]) to the size of ``sampled`` (H, W[, n]), bilinear; give the result.

    The rule, for each channel, is in integers so that every device can follow it to the bit:

    1. Along an axis of h source and H target pixels, target pixel i looks at
       ``x = (1 / (H / h)) * (i + 0.5) - 0.5`` (pixel centres are at half), each operation rounded
       to IEEE double. ``j = floor(x)``; the weight of pixel j + 1 is ``b = rint((x - j) * 256)``,
       a half to even, that of pixel j is ``256 - b``. Where j < 0 or j >= h - 1 the pixel at the
       edge counts alone.
    2. Horizontally ``t = (256 - b) * p[j] + b * p[j + 1]``, exact in 16 bits.
    3. Vertically ``v = (256 - b) * t[j] + b * t[j + 1]``, exact in 32 bits.
    4. The result is ``(v + 32768) >> 16``.

    Nothing is averaged beyond the 2 x 2 neighbours, so strong reduction aliases, as cv2.resize
    does by default. Equal sizes give ``pixels`` itself. This is cv2.INTER_LINEAR_EXACT; why it was
    chosen: docs/decisions.md, "Sampling rule".
    """
    if pixels.shape == sampled.shape:
        return pixels
    height, width = sampled.shape[:2]
    cv2.resize(pixels, (width, height), dst=sampled, interpolation=_method(pixels, sampled))
    return sampled


def _method(pixels: NDArray[Any], sampled: NDArray[Any]) -> int:
    """
    Pick the cheaper of two ways to the same pixels.

    At an odd whole ratio (1920 to 640) x is a whole number, b is 0, and the rule only picks.
    """
    (down, rest_down), (across, rest_across) = map(divmod, pixels.shape[:2], sampled.shape[:2])
    only_picks = rest_down == rest_across == 0 and down % 2 == across % 2 == 1
    return cv2.INTER_NEAREST_EXACT if only_picks else cv2.INTER_LINEAR_EXACT
