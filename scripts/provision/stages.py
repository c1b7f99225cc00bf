"""Do each stage of the set-up once, and again when its inputs change."""

from __future__ import annotations

from dataclasses import dataclass
import hashlib
from pathlib import Path
from typing import Callable, Iterable


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
    stamps = folder / '.setup'
    stamps.mkdir(exist_ok=True)
    ran = 0
    for stage in stages:
        stamp = stamps / stage.name
        if not ran and stamp.exists() and stamp.read_text() == stage.key:
            continue
        stamp.unlink(missing_ok=True)
        print(f'dla_ros set-up: {stage.says}', flush=True)
        stage.act()
        stamp.write_text(stage.key)
        ran += 1
    return ran


def key_of(*inputs: object) -> str:
    """Hash values as they print, and files (given as Path) by their contents."""
    digest = hashlib.sha256()
    for part in inputs:
        content = part.read_bytes() if isinstance(part, Path) else str(part).encode()
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()
