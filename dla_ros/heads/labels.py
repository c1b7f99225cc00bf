"""Names of the classes, from a file, and whether they fit a network."""

from collections.abc import Sequence
from pathlib import Path

from dla_ros.errors import HeadError
from dla_ros.files.regular_file import read_regular

MOST_BYTES = 1 << 20


def read_labels(path: Path) -> tuple[str, ...]:
    """
    Read class names, one a line, in the order of the classes; empty lines do not count.

    Raise HeadError if the file is missing, not text, or empty.
    """
    try:
        text = read_regular(path, MOST_BYTES).decode('utf-8-sig')
    except (OSError, UnicodeDecodeError) as err:
        reason = err.strerror if isinstance(err, OSError) else err
        raise HeadError(
            f"label file '{path}' cannot be read ({reason}); it should be UTF-8 text, a name a "
            'line'
        ) from err
    labels = tuple(line.strip() for line in text.splitlines() if line.strip())
    if not labels:
        raise HeadError(f"label file '{path}' is empty; it should have a name a line")
    return labels


def check_labels(labels: Sequence[str], num_classes: int) -> None:
    """Raise HeadError unless there is a name for each class; no names at all are allowed."""
    if labels and len(labels) != num_classes:
        raise HeadError(
            f'labels {len(labels)}, output classes {num_classes}; '
            'give one name for each class of the network, or none'
        )
