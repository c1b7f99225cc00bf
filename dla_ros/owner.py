"""What everything that owns something has in common: ``with`` closes it."""

from types import TracebackType
from typing import TypeVar

T = TypeVar('T', bound='Owner')


class Owner:
    """Be closed at the end of a ``with`` block; children say how."""

    def close(self) -> None:
        """Give back what is owned; a second call does nothing."""
        raise NotImplementedError

    def __enter__(self: T) -> T:
        """Enter a with block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()
