"""One thing worth knowing, and how bad it is."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """Say how bad it is; the numbers are those of diagnostic_msgs/DiagnosticStatus."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


@dataclass(frozen=True)
class Finding:
    """
    Say one thing in a sentence.

    ``kind`` names what was found without its figures: two findings of one kind are the same
    trouble, told a second later.
    """

    level: Level
    kind: str
    text: str


def merge(findings: Iterable[Finding], else_text: str) -> tuple[Level, str]:
    """Return the highest level and what is above OK, worst first; ``else_text`` if nothing is."""
    bad = sorted((f for f in findings if f.level > Level.OK), key=lambda f: -f.level)
    if not bad:
        return Level.OK, else_text
    return bad[0].level, '; '.join(finding.text for finding in bad)
