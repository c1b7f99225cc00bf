"""Build the message packages that the ROS wheels lack, once for all environments."""

from __future__ import annotations

import os
from pathlib import Path
import shutil
import tempfile

from provision.stages import key_of, Stage
from provision.venv import Venv

NAMES = ('vision_msgs', 'composition_interfaces')


def install(venv: Venv, root: Path, distro: str) -> Stage:
    """Install the message packages, built now or taken from the user's cache."""
    kept = wheel_folder(venv, root, distro)

    def act() -> None:
        if not _is_kept(kept):
            build(venv, root, distro, kept)
        venv.pip('install', '--no-deps', '--force-reinstall', *sorted(kept.glob('*.whl')))

    names = ' and '.join(NAMES)
    says = f'installing {names}' if _is_kept(kept) else f'building {names}, about a minute'
    return Stage('interfaces', says, str(kept), act)


def build(venv: Venv, root: Path, distro: str, kept: Path) -> None:
    """Build the wheels aside and move them into place whole, so that no half set is kept."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    venv.pip('install', '-r', root / 'requirements' / f'ros-{distro}-build.txt')
    os.environ.setdefault('CMAKE_BUILD_PARALLEL_LEVEL', str(os.cpu_count()))
    sources = [root / 'interfaces' / name for name in NAMES]
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        fresh = Path(scratch) / 'wheels'
        venv.pip('wheel', '--no-build-isolation', '--no-deps', '-w', fresh, *sources)
        move(fresh, kept)


def move(fresh: Path, kept: Path) -> None:
    """Move a whole set of wheels into place, unless another set-up has done so meanwhile."""
    try:
        fresh.rename(kept)
    except OSError:
        if not _is_kept(kept):  # half a set, that somebody has deleted from
            shutil.rmtree(kept)
            fresh.rename(kept)


def wheel_folder(venv: Venv, root: Path, distro: str) -> Path:
    """Return where wheels made from exactly these inputs are kept."""
    cache = Path(os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache')
    pins = [root / 'requirements' / f'ros-{distro}{part}.txt' for part in ('', '-build')]
    version = venv.interpreter.version[:2]
    key = key_of(distro, version, venv.interpreter.platform, *pins, *_sources(root))
    return cache / 'dla_ros' / 'interfaces' / key[:16]


def _is_kept(kept: Path) -> bool:
    """Return whether every package has its wheel there."""
    return all(any(kept.glob(f'{name}-*.whl')) for name in NAMES)


def _sources(root: Path) -> list[Path]:
    return sorted(path for path in (root / 'interfaces').rglob('*') if path.is_file())
