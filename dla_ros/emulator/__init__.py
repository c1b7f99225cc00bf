"""
A DLA in software: libcudla.so.1 at its C interface, for machines without one.

It never starts by itself; ``start`` must be called, before cuda.bindings.cudla is first used.
"""

from dla_ros.emulator.options import EmulatorOptions
from dla_ros.emulator.process import running, start

__all__ = ['EmulatorOptions', 'running', 'start']
