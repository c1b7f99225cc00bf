"""Where frames wait for a free slot."""

from dla_ros.pipeline.frame import Frame


class Mailbox:
    """
    Keep the newest frame of each source, and give the sources their turn.

    A source that was served goes behind those that wait: a fast camera cannot starve a slow one.
    A frame that somebody waits for is a source of its own. Whoever uses it from several threads
    holds a lock.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: dict[str | Frame, Frame] = {}

    def __len__(self) -> int:
        """Count the waiting frames."""
        return len(self._waiting)

    def put(self, frame: Frame) -> Frame | None:
        """Let ``frame`` wait; give back the older one of the same source whose place it takes."""
        key = frame.source if frame.answer is None else frame
        superseded = self._waiting.get(key)
        # Assigning to a known key keeps its place in the order: newer pictures, same turn.
        self._waiting[key] = frame
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
