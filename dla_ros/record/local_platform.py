"""What this machine is, in the words of a record."""

from pathlib import Path
import re

from dla_ros.record.sections import Platform

# First line of nv_tegra_release: "# R36 (release), REVISION: 4.3, GCID: ..., BOARD: ..."
L4T = re.compile(r'# R(\d+) \(release\), REVISION: ([\d.]+)')
JETPACK = re.compile(r'^Package: nvidia-jetpack\n(?:.+\n)*?Version: (\S+)', re.MULTILINE)


def platform_here(root: Path = Path('/')) -> Platform:
    """Read what NVIDIA's files tell of a Jetson; on other machines nothing is known."""
    device = _read(root / 'proc/device-tree/model')
    l4t = L4T.search(_read(root / 'etc/nv_tegra_release'))
    jetpack = JETPACK.search(_read(root / 'var/lib/dpkg/status')) if l4t else None
    return Platform(
        device=device.strip('\0\n ') or None,
        l4t=f'{l4t[1]}.{l4t[2]}' if l4t else None,
        jetpack=_first(jetpack),
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding='utf-8', errors='replace')
    except OSError:
        return ''  # not a Jetson


def _first(match: 're.Match[str] | None') -> str | None:
    return match[1] if match else None
