"""Names of the topics beside an image topic."""

from collections.abc import Sequence

from dla_ros.errors import ConfigError


def beside(image_topic: str, name: str) -> str:
    """
    Give ``name`` in the namespace of an image topic.

    'image' → 'detections'; '/front/image_raw' → '/front/detections': a relative topic stays
    relative, so namespaces and remaps of the node still apply.
    """
    parent, slash, _ = image_topic.rpartition('/')
    return f'{parent}{slash}{name}'


def check_topics(image_topics: Sequence[str]) -> None:
    """Refuse no topic, a topic twice, or two topics whose detections would be one topic."""
    if not image_topics or not all(image_topics):
        raise ConfigError(
            f'image_topics is {list(image_topics)}; name at least one topic, as [image]'
        )
    seen: dict[str, str] = {}
    for topic in image_topics:
        place = beside(topic, 'detections')
        if place in seen:
            raise ConfigError(
                f"image_topics '{seen[place]}' and '{topic}' would both publish '{place}'; "
                'give each camera its own namespace, as /front/image_raw and /rear/image_raw'
            )
        seen[place] = topic


def compressed(image_topic: str) -> str:
    """Give the topic on which image_transport publishes compressed images."""
    return f'{image_topic}/compressed'
