"""Names of the topics beside an image topic."""

from collections.abc import Sequence

from dla_ros.errors import ConfigError

# Leaf names that image_transport gives the other forms of an image topic.
_FORMS = ('compressed', 'compressedDepth', 'theora', 'zstd', 'ffmpeg', 'foxglove')
# What is published of each frame, on ``~/debug/NAME_ms``.
LATENCIES = ('preprocess', 'inference', 'postprocess', 'processing_time', 'pipeline_latency')
# What every node of rclpy has.
_OF_ROS = ('/clock', '/parameter_events', '/rosout')


def beside(image_topic: str, name: str) -> str:
    """
    Give ``name`` in the namespace of an image topic.

    'image' → 'detections'; '/front/image_raw' → '/front/detections': a relative topic stays
    relative, so namespaces and remaps of the node still apply.
    """
    parent, slash, _ = image_topic.rpartition('/')
    return f'{parent}{slash}{name}'


def topics_of_a_node(image_topics: Sequence[str]) -> list[str]:
    """Return the topics of a detector node, as its code names them."""
    return [
        *image_topics,
        *(compressed(topic) for topic in image_topics),
        *(beside(topic, name) for topic in image_topics for name in ('detections', 'debug_image')),
        'label_info',
        *(f'~/debug/{name}_ms' for name in LATENCIES),
        '~/transition_event',
        '/diagnostics',
        *_OF_ROS,
    ]


def check_topics(image_topics: Sequence[str]) -> None:
    """Refuse no topic, a form of one, or two topics whose detections would be one topic."""
    if not image_topics or not all(image_topics):
        raise ConfigError(
            f'image_topics is {list(image_topics)}; name at least one topic, as [image]'
        )
    seen: dict[str, str] = {}
    for topic in image_topics:
        check_form(topic)
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


def check_form(topic: str, named: str = '') -> None:
    """
    Refuse a topic that image_transport makes of another: it carries no sensor_msgs/Image.

    ``named``: what image_topics calls it, if it is remapped.
    """
    plain, _, form = topic.rpartition('/')
    if form not in _FORMS:
        return
    told = (
        f"image_topics '{named}' is remapped to '{topic}'" if named else f"image_topics '{topic}'"
    )
    plain = plain or '/image_raw'
    if form == 'compressed':
        raise ConfigError(
            f'{told}: the compressed form is not named; set image_transport: compressed and '
            + (f"remap it to '{plain}'" if named else f'image_topics: [{plain}]')
        )
    raise ConfigError(
        f"{told}: the node does not read '{form}'; take the plain topic '{plain}' with "
        f'image_transport raw or compressed (ros2 run image_transport republish {form} raw makes '
        'one)'
    )
