"""JPEG and PNG pictures, as image_transport sends them, to image views."""

from dla_ros.images.compressed.decode import decode

__all__ = ['decode']
