"""The executable ``bag_player``: publish a recorded bag, byte for byte, at its own pace."""

import argparse
from collections.abc import Sequence
from itertools import chain
import math
from pathlib import Path
import sys
from typing import TYPE_CHECKING

from dla_ros.ros.start_up import start_up

if TYPE_CHECKING:
    from dla_ros.bags.read import BagTopic


def main(words: Sequence[str] | None = None) -> int:
    """Play the bag and tell how many messages were published."""
    words = sys.argv[1:] if words is None else words
    start_up(words)
    from dla_ros.ros.executable import execute, parser_of

    parser = parser_of('bag_player', 'Publish a recorded bag, byte for byte, at its own pace.')
    parser.add_argument('bag', type=Path, help='folder of a rosbag2 bag (mcap or sqlite3)')
    parser.add_argument('--topics', nargs='+', default=None, help='only these topics')
    parser.add_argument('--rate', type=rate, default=1.0, help='speed; 0: as fast as possible')
    parser.add_argument('--wait', type=float, default=0.0, metavar='SECONDS',
                        help='wait so long for a subscriber on each topic')  # fmt: skip
    return execute(parser, play, words)


def play(options: argparse.Namespace, words: Sequence[str]) -> int:
    """Play the bag of the command line."""
    from dla_ros.bags.read import bag_topics, read_messages
    from dla_ros.errors import BagError
    from dla_ros.ros.bag_player import BagPlayer
    from dla_ros.ros.initialise import refusing
    from dla_ros.ros.process import ros
    import rclpy

    messages = read_messages(options.bag, options.topics)
    first = next(messages, None)  # what cannot be played is told before anything is published
    if first is None:
        raise BagError(f"'{options.bag}' holds no message to play")
    topics = [each for each in bag_topics(options.bag) if is_played(each, options.topics)]
    with ros(words) as stop:
        with refusing():
            node = rclpy.create_node('bag_player')
        player = BagPlayer(node, options.rate)
        player.announce({each.name: each.type_name for each in topics})
        if options.wait and not player.wait_for_subscribers(stop, options.wait):
            print(f'bag_player: no subscriber after {options.wait} s', file=sys.stderr)
        player.play(chain([first], messages), stop)
        player.finish(stop)
        count = sum(each.message_count for each in topics)
        print(f'published {player.published} of {count} messages')
        node.destroy_node()
    return 0


def is_played(topic: 'BagTopic', names: Sequence[str] | None) -> bool:
    """Tell whether messages of a topic are asked for and there."""
    return topic.message_count > 0 and (names is None or topic.name in names)


def rate(text: str) -> float:
    """Read a speed; raise ArgumentTypeError for what is none."""
    found = float(text)
    if not 0 <= found < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is no speed; give 1 for as recorded, or 0")
    return found


if __name__ == '__main__':
    sys.exit(main())
