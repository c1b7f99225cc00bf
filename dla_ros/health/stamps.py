"""How old an image is by its stamp, where the stamp and the clock can be compared at all."""

from dataclasses import dataclass

from dla_ros.health.finding import Finding, Level

_HOUR_S = 3600.0
_LONGEST_S = _HOUR_S  # no image waits so long in a queue of a few
_NS = 10**9


@dataclass(frozen=True)
class Age:
    """
    Hold the milliseconds from an image's stamp to now; None where the two cannot be compared.

    ``doubt`` says why they cannot, or why the difference is hardly a latency.
    """

    ms: float | None
    doubt: Finding | None = None


class StampAge:
    """
    Measure how old images are by their stamps; leave out what is no age, and count it.

    A clock that was set, stands still, or is another one than the camera's gives differences that
    are no latencies. Those below zero are left out; one above an hour is doubted.
    """

    def __init__(self) -> None:
        """Start with nothing left out."""
        self.left_out = 0
        self._latest_ns = 0

    def measure(self, stamp_ns: int, now_ns: int, *, is_simulated: bool) -> Age:
        """Return the age of an image stamped ``stamp_ns`` at ``now_ns`` of the node's clock."""
        set_back_s = (self._latest_ns - now_ns) / _NS
        self._latest_ns = max(self._latest_ns, now_ns)
        doubt = _doubt(stamp_ns, now_ns, set_back_s, is_simulated=is_simulated)
        if doubt is not None and doubt.level > Level.OK:
            self.left_out += 1
            return Age(None, doubt)
        self._latest_ns = now_ns
        return Age((now_ns - stamp_ns) / 1e6, doubt)


def _doubt(stamp_ns: int, now_ns: int, set_back_s: float, *, is_simulated: bool) -> Finding | None:
    age_s = (now_ns - stamp_ns) / _NS
    if is_simulated and not now_ns:
        return _warn(
            'no clock', 'use_sim_time is set and nothing has come on /clock; publish it (ros2 '
            'bag play --clock), or leave use_sim_time out',
        )  # fmt: skip
    if not stamp_ns:
        return _warn('no stamp', 'the images carry the stamp 0; their driver should set it')
    if age_s < 0 < set_back_s:
        return _warn('clock set back', f'the clock was set back by {set_back_s:.1f} s')
    if age_s < 0:
        return _warn(
            'stamp ahead', f"the images are stamped {_span(-age_s)} ahead of this node's clock; "
            "bring the camera's clock and this one together (chrony, PTP)",
        )  # fmt: skip
    if age_s > _LONGEST_S:
        # no fault of anybody where a bag is played
        text = f'the images were stamped {_span(age_s)} ago: recorded ones, or another clock'
        return Finding(Level.OK, 'old stamp', text)
    return None


def _warn(kind: str, text: str) -> Finding:
    return Finding(Level.WARN, kind, text)


def _span(seconds: float) -> str:
    if seconds < 1:
        return f'{1000 * seconds:.1f} ms'
    if seconds < 2 * _HOUR_S:
        return f'{seconds:.0f} s'
    hours = seconds / _HOUR_S
    return f'{hours:.0f} hours' if hours < 48 else f'{hours / 24:.0f} days'
