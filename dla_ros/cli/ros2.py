"""The command ``ros2 dla``: the verbs of ``dla_ros``, where ros2cli is."""

import argparse
from collections.abc import Sequence
import os
import sys

from dla_ros.cli.main import add_verbs
from dla_ros.installation.own_command import own_command
from ros2cli.command import CommandExtension


class DlaCommand(CommandExtension):  # type: ignore[misc]  # ros2cli has no types
    """Detect objects on an NVIDIA DLA: emulate, inspect, detect, parameters, robot."""

    def add_arguments(
        self, parser: argparse.ArgumentParser, cli_name: str, *, argv: Sequence[str] | None = None
    ) -> None:
        """Declare the verbs, for help and completion."""
        add_verbs(parser, _own_words(argv))

    def main(self, *, parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
        """Become ``dla_ros``: the Python of ros2 may lack what the workspace was built with."""
        words = [*own_command(), *_own_words(None)]
        os.execv(words[0], words)


def _own_words(argv: Sequence[str] | None) -> list[str]:
    """Return what stands behind ``dla`` on the command line."""
    words = list(sys.argv[1:] if argv is None else argv)
    return words[words.index('dla') + 1 :] if 'dla' in words else []
