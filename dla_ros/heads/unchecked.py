"""Arithmetic on whatever a network gives."""

import numpy as np


def unchecked() -> np.errstate:
    """
    Let overflow, infinities and NaN pass without a warning within a with block.

    What comes of them is dropped where candidates are made, or is right (exp of a large number).
    """
    return np.errstate(over='ignore', invalid='ignore')
