"""A network that takes its time and does nothing, to measure what surrounds it."""

import time

from dla_ros.detections import Detections
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out


class SleepingBinding:
    def __init__(self, device, engine, stream):
        self.stream = stream
        self.inputs = (device.allocate(engine.inputs[0].size),)
        self.outputs = (device.allocate(engine.outputs[0].size),)

    def close(self):
        for buffer in (*self.inputs, *self.outputs):
            buffer.close()


class SleepingEngine:
    backend, placement, is_emulated = 'onnx', 'a sleeping network', True
    inputs = (lay_out('images', (1, 3, 416, 416), DataType.FP16, Layout.CHW16),)
    outputs = (lay_out('nothing', (1, 1, 1, 1), DataType.FP16, Layout.CHW16),)

    def __init__(self, device, task_s):
        self.device = device
        self.task_s = task_s

    def bind(self, stream):
        return SleepingBinding(self.device, self, stream)

    def submit(self, binding):
        binding.stream.enqueue(self.run)

    def run(self):
        if self.task_s:
            time.sleep(self.task_s)

    def last_error(self):
        return None

    def close(self):
        pass


class NoBoxes:
    num_classes = 1

    def decode(self, outputs, confidence_threshold):
        return Detections.empty()
