"""Boxes from the ways in which networks write them."""

from dla_ros.detections import Float32
import numpy as np


def from_centres(centres: Float32, sizes: Float32) -> Float32:
    """Give xyxy (n, 4) from centres x, y (n, 2) and sizes width, height (n, 2)."""
    halves = sizes / np.float32(2)
    return np.concatenate([centres - halves, centres + halves], axis=1)


def from_sides(points: Float32, sides: Float32) -> Float32:
    """Give xyxy (n, 4) from points x, y (n, 2) and distances left, top, right, bottom (n, 4)."""
    return np.concatenate([points - sides[:, :2], points + sides[:, 2:]], axis=1)
