"""Latency topics, with the leaf names of autoware_tensorrt_yolox, published when listened to."""

from dla_ros.pipeline.result import Timings
from rclpy.node import Node
from std_msgs.msg import Float64, Header

_QOS_DEPTH = 10


class Latencies:
    """
    Publish milliseconds per frame on ``~/debug/*_ms``.

    ``pipeline_latency_ms`` is from the image's stamp to now, so it needs the camera's clock to be
    the node's; ``processing_time_ms`` is from the arrival of the image to its detections.
    """

    names = ('preprocess', 'inference', 'postprocess', 'processing_time', 'pipeline_latency')

    def __init__(self, node: Node) -> None:
        """Create the publishers."""
        self._node = node
        self._publishers = {
            name: node.create_publisher(Float64, f'~/debug/{name}_ms', _QOS_DEPTH)
            for name in self.names
        }

    def publish(self, timings: Timings, header: Header) -> None:
        """Publish one frame's times to whoever listens."""
        self._send('preprocess', timings.preprocess_ms)
        self._send('inference', timings.inference_ms)
        self._send('postprocess', timings.postprocess_ms)
        self._send('processing_time', timings.total_ms)
        if self._is_heard('pipeline_latency'):
            # rclpy's Time refuses stamps before 1970, which a message may carry
            stamp_ns = header.stamp.sec * 10**9 + header.stamp.nanosec
            age_ns = self._node.get_clock().now().nanoseconds - stamp_ns
            self._send('pipeline_latency', age_ns / 1e6)

    def close(self) -> None:
        """Destroy the publishers."""
        while self._publishers:
            self._node.destroy_publisher(self._publishers.popitem()[1])

    def _is_heard(self, name: str) -> bool:
        return self._publishers[name].get_subscription_count() > 0

    def _send(self, name: str, value: float) -> None:
        if self._is_heard(name):
            self._publishers[name].publish(Float64(data=value))
