"""Where frames wait for a free slot."""

from dla_ros.pipeline.frame import Frame


class Mailbox:
    """
    Keep the newest frame of each source, and give the sources their turn.

    A source that was served goes behind those that wait: a fast camera cannot starve a slow one.
    Whoever uses it from several threads holds a lock.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: dict[str, Frame] = {}

    def __len__(self) -> int:
        """Count the waiting frames, at most one of each source."""
        return len(self._waiting)

    def put(self, frame: Frame) -> Frame | None:
        """Let ``frame`` wait; give back the older one of the same source whose place it takes."""
        superseded = self._waiting.get(frame.source)
        # Assigning to a known key keeps its place in the order: newer pictures, same turn.
        self._waiting[frame.source] = frame
        return superseded

    def take(self) -> Frame:
        """Give the frame of the source that has waited longest; raise KeyError if none waits."""
        if not self._waiting:
            raise KeyError('no frame waits')
        return self._waiting.pop(next(iter(self._waiting)))

    def clear(self) -> list[Frame]:
        """Empty it and give back what waited."""
        left = list(self._waiting.values())
        self._waiting.clear()
        return left
