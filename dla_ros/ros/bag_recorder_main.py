"""The executable ``bag_recorder``: write topics to an MCAP bag until a signal."""

import argparse
from collections.abc import Sequence
from pathlib import Path
import sys
from typing import Any

from dla_ros.ros.start_up import start_up


def main(words: Sequence[str] | None = None) -> int:
    """Record until SIGINT or SIGTERM, then tell what was recorded."""
    words = sys.argv[1:] if words is None else words
    start_up(words)
    from dla_ros.ros.executable import execute, parser_of

    parser = parser_of('bag_recorder', 'Write topics to an MCAP bag until SIGINT or SIGTERM.')
    parser.add_argument('bag', type=Path, help='folder to make')
    parser.add_argument('topics', nargs='+', metavar='TOPIC=TYPE',
                        help='as /camera/detections=vision_msgs/msg/Detection2DArray')  # fmt: skip
    return execute(parser, record, words)


def record(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Record the topics of the command line."""
    from dla_ros.bags.write import BagWriter
    from dla_ros.ros.bag_recorder import definitions_of, Recorder
    from dla_ros.ros.executors import open_executor
    from dla_ros.ros.initialise import refusing
    from dla_ros.ros.polled_events import PolledEvents
    from dla_ros.ros.process import ros, spin
    from dla_ros.ros.topic_names import resolve_topic

    pairs = [pair(text) for text in options.topics]
    definitions = definitions_of([type_name for _, type_name in pairs])
    with ros(words) as stop, BagWriter.open(options.bag, definitions) as writer:
        with refusing():
            node: Any = PolledEvents('bag_recorder')
        recorder = Recorder(node, writer)
        for topic, type_name in pairs:
            resolve_topic(node, topic)
            recorder.record(topic, type_name)
        executor = open_executor('auto')
        executor.add_node(node)
        spin(executor, lambda: stop.is_asked)
        recorder.drain(executor)
        for topic, count in recorder.counts.items():
            print(f'{topic}: {count} messages')
        node.destroy_node()
    return 0


def pair(text: str) -> tuple[str, str]:
    """Take TOPIC=TYPE apart; raise ConfigError for what is none."""
    from dla_ros.errors import ConfigError

    topic, equals, type_name = text.partition('=')
    if not equals or type_name.count('/') != 2:
        raise ConfigError(f"'{text}' is not TOPIC=TYPE, as /image=sensor_msgs/msg/Image")
    return topic, type_name


if __name__ == '__main__':
    sys.exit(main())
