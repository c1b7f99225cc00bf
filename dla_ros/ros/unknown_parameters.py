"""Parameters given at start that a node does not have: misspelt ones, most of the time."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from dla_ros.ros.rows import overrides_of, QOS_OVERRIDES
from rclpy.node import Node


def warn_of_unknown(node: Node, words: Sequence[str] = ()) -> None:
    """
    Warn of what was given to a node at start and has no effect.

    ``words`` are those of the command line. Overrides of QoS are not looked at: their topics are
    known when the node is configured.
    """
    names = [name for name in overrides_of(node) if not name.startswith(QOS_OVERRIDES)]
    known = node.list_parameters([], 0).names
    for sentence in unknown(names, known):
        node.get_logger().warning(sentence)
    if '--params-file' in words and not overrides_of(node):
        file, name = words[words.index('--params-file') + 1], node.get_fully_qualified_name()
        node.get_logger().warning(
            f"nothing in '{file}' is for this node; its first line should be '{name}:', or "
            "'/**:' for every node"
        )


def warn_of_unknown_qos(node: Node, known: Iterable[str]) -> None:
    """Warn of overrides of QoS that are for none of a node's topics or policies."""
    names = [name for name in overrides_of(node) if name.startswith(QOS_OVERRIDES)]
    for sentence in unknown(names, known):
        node.get_logger().warning(sentence)


def unknown(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Return a sentence for each name that is not known, with what may have been meant."""
    right = sorted(known)
    return [_sentence(name, right) for name in names if name not in right]


def _sentence(name: str, known: Sequence[str]) -> str:
    meant = get_close_matches(name, known, n=1)
    hint = f", did you mean '{meant[0]}'?" if meant else ''
    return f"unknown parameter '{name}'{hint} (it has no effect)"
