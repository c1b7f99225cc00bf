"""Latency topics, with the leaf names of autoware_tensorrt_yolox, published when listened to."""

from dla_ros.pipeline.frame import Timings
from dla_ros.topics import LATENCIES
from rclpy.node import Node
from std_msgs.msg import Float64

_QOS_DEPTH = 10


class Latencies:
    """
    Publish milliseconds per frame on ``~/debug/*_ms``.

    ``pipeline_latency_ms`` is from the image's stamp to now, and left out where the two clocks
    cannot be compared; ``processing_time_ms`` is from the arrival of the image to its detections.
    """

    names = LATENCIES

    def __init__(self, node: Node) -> None:
        """Create the publishers."""
        self._node = node
        self._publishers = {
            name: node.create_publisher(Float64, f'~/debug/{name}_ms', _QOS_DEPTH)
            for name in self.names
        }

    def publish(self, timings: Timings, pipeline_latency_ms: float | None) -> None:
        """Publish one frame's times to whoever listens."""
        self._send('preprocess', timings.preprocess_ms)
        self._send('inference', timings.inference_ms)
        self._send('postprocess', timings.postprocess_ms)
        self._send('processing_time', timings.total_ms)
        if pipeline_latency_ms is not None:
            self._send('pipeline_latency', pipeline_latency_ms)

    def close(self) -> None:
        """Destroy the publishers."""
        while self._publishers:
            self._node.destroy_publisher(self._publishers.popitem()[1])

    def _send(self, name: str, value: float) -> None:
        publisher = self._publishers[name]
        if publisher.get_subscription_count():
            publisher.publish(Float64(data=value))
