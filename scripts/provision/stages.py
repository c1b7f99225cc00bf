"""Do each stage of the set-up once, and again when its inputs change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import hashlib
from pathlib import Path

from provision.process import SetupError

STAMPS = '.setup'
UNFINISHED = 'unfinished'


@dataclass(frozen=True)
class Stage:
    """Pair an act with the key that says whether it must be repeated."""

    name: str
    says: str
    key: str
    act: Callable[[], None]


def run_stages(folder: Path, stages: Iterable[Stage]) -> int:
    """
    Run the stages from the first changed one on; return how many ran.

    A later stage builds on an earlier one, so it is repeated with it.
    """
    stamps = folder / STAMPS
    stamps.mkdir(exist_ok=True)
    ran = 0
    for stage in stages:
        stamp = stamps / stage.name
        if not ran and stamp.exists() and stamp.read_text() == stage.key:
            continue
        stamp.unlink(missing_ok=True)
        print(f'dla_ros set-up: {stage.says}', flush=True)
        _act(stage, stamps / UNFINISHED)
        stamp.write_text(stage.key)
        ran += 1
    return ran


def was_interrupted(folder: Path) -> bool:
    """Say whether a stage was killed half-way, so that what it left cannot be trusted."""
    return (folder / STAMPS / UNFINISHED).exists()


def _act(stage: Stage, mark: Path) -> None:
    """Keep the mark only if neither success nor a plain failure takes it away."""
    mark.write_text(stage.name)
    try:
        stage.act()
    except SetupError:
        mark.unlink()
        raise
    mark.unlink()


def key_of(*inputs: object) -> str:
    """Hash values as they print, and files (given as Path) by their contents."""
    digest = hashlib.sha256()
    for part in inputs:
        content = part.read_bytes() if isinstance(part, Path) else str(part).encode()
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()
