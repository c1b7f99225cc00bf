"""One detector of a robot."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dla_ros.config import DetectorConfig
from dla_ros.robots.fallback_engine import FallbackEngine
from dla_ros.robots.names import join, resolve
from dla_ros.topics import beside, compressed, topics_of_a_node


@dataclass(frozen=True)
class DetectorEntry:
    """
    Say how one detector node is started.

    ``parameters`` are those that the robot file sets, checked and with absolute paths. ``emulate``
    is an ONNX model that becomes a loadable of the emulated DLA before the start; then there is
    no engine yet. ``remap`` renames topics.
    ``fallback_engine`` is what to run on while the engine does not answer; None: nothing.
    """

    name: str
    namespace: str = ''
    parameters: Mapping[str, Any] = field(default_factory=dict)
    remap: Mapping[str, str] = field(default_factory=dict)
    emulate: Path | None = None
    fallback_engine: FallbackEngine | None = None

    @property
    def config(self) -> DetectorConfig:
        """Give all settings of the node, defaults included."""
        return DetectorConfig.of(self.parameters)

    @property
    def dla_core(self) -> int:
        """Give the DLA core."""
        return self.config.dla_core

    @property
    def engine(self) -> str:
        """Give the path of the network: the loadable, or the model to emulate."""
        return str(self.emulate or self.config.engine_file_path)

    def namespace_in(self, base: str) -> str:
        """Give the node's namespace in a robot that lives in ``base``; '/' is the root."""
        return join(base, self.namespace)

    def full_name(self, base: str = '') -> str:
        """Give the node's name with its namespace."""
        return join(self.namespace_in(base), self.name)

    def topics(self, base: str = '') -> dict[str, str]:
        """Give the absolute image topics, and where the detections of each appear."""
        return {
            self._topic(topic, base): self._topic(beside(topic, 'detections'), base)
            for topic in self.config.image_topics
        }

    def heard_topics(self, base: str = '') -> tuple[str, ...]:
        """Give the topic that each image is received on, which image_transport may change."""
        plain = self.topics(base)
        if self.config.image_transport == 'raw':
            return tuple(plain)
        return tuple(self._topic(compressed(topic), base) for topic in plain)

    def is_remappable(self, topic: str) -> bool:
        """Tell whether the node has this topic, by whichever name it is called here."""
        known = topics_of_a_node(self.config.image_topics)
        return self._absolute(topic) in {self._absolute(name) for name in known}

    def label_topic(self, base: str = '') -> str:
        """Give the absolute topic of the class names."""
        return self._topic('label_info', base)

    def _topic(self, topic: str, base: str) -> str:
        rules = {self._absolute(key, base): to for key, to in self.remap.items()}
        return self._absolute(rules.get(self._absolute(topic, base), topic), base)

    def _absolute(self, topic: str, base: str = '') -> str:
        return resolve(topic, self.namespace_in(base), self.name)
