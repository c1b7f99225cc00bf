"""How the emulated library says no."""

from dla_ros.engines.cudla.status import CudlaStatus


class Refusal(Exception):  # noqa: N818 - it never leaves the emulator: callers see its status
    """Carry the status that cudla.h documents, and what the caller did wrong."""

    def __init__(self, status: int, reason: str) -> None:
        """Keep both."""
        super().__init__(reason)
        self.status = int(status)
        self.reason = reason


def demand(condition: object, status: CudlaStatus, reason: str) -> None:
    """
    Refuse unless the condition holds.

    For a reason that is made of values raise Refusal yourself, where every frame passes by: made
    here, its words are paid for although nothing is refused.
    """
    if not condition:
        raise Refusal(status, reason)
