"""A detector put together: device, engine, head and pipeline, from settings alone."""

from dla_ros.detector.detector import Detector

__all__ = ['Detector']
