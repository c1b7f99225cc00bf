"""Names as ROS allows them, and how they join."""

import re

_WORD = r'[A-Za-z_][A-Za-z0-9_]*'
_NODE = re.compile(_WORD)
_NAMESPACE = re.compile(rf'/?{_WORD}(/{_WORD})*')
_TOPIC = re.compile(rf'(~/|/)?{_WORD}(/{_WORD})*')

NODE_WORDS = 'letters, digits and _, no digit first, as front_detector'
NAMESPACE_WORDS = "names joined by '/', as front or robot1/front"
TOPIC_WORDS = "names joined by '/', as image_raw or /front/image_raw"


def is_node_name(text: str) -> bool:
    """Tell whether a node may be called so."""
    return _NODE.fullmatch(text) is not None


def is_namespace(text: str) -> bool:
    """Tell whether a namespace may be called so; the empty one is."""
    return text in {'', '/'} or _NAMESPACE.fullmatch(text) is not None


def is_topic(text: str) -> bool:
    """Tell whether a topic may be called so: absolute, relative, or private to a node."""
    return _TOPIC.fullmatch(text) is not None


def join(*namespaces: str) -> str:
    """Give the absolute name: each part is inside the one before, unless it begins with '/'."""
    name = '/'
    for part in namespaces:
        name = part if part.startswith('/') else f'{name.rstrip("/")}/{part}'
    return name.rstrip('/') or '/'


def resolve(topic: str, namespace: str, node: str) -> str:
    """Give the absolute name of a node's topic."""
    if topic.startswith('~/'):
        return join(namespace, node, topic[2:])
    return join(namespace, topic)
