"""Arithmetic on whatever a network gives."""

from contextlib import AbstractContextManager

import numpy as np


def unchecked() -> AbstractContextManager[object]:
    """
    Let overflow, infinities and NaN pass without a warning within a with block.

    What comes of them is dropped where candidates are made, or is right (exp of a large number).
    """
    return np.errstate(over='ignore', invalid='ignore')
