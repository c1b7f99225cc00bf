"""Reading a loadable for cuDLA, and refusing what could only fail later and less clearly."""

from pathlib import Path

from dla_ros.errors import LoadableError
from dla_ros.loadable.emulated import check_for_emulator, MODEL
from dla_ros.loadable.loadable import BUILD_HINT, check_kind, Loadable, read_file


def read_loadable(path: Path, *, is_emulated: bool, content: bytes | None = None) -> bytes:
    """
    Give a loadable's bytes, of the kind that the chosen DLA can run.

    ``content`` is what was read of the file already; it is not read again then.
    For hardware only the identifier is looked at: what the compiler of a given JetPack writes
    into the tables is its driver's business. Raise LoadableError for any other file.
    """
    data, label = read_file(path) if content is None else content, f"'{path}'"
    if is_emulated:
        check_for_emulator(Loadable.read(data, label), label)
        return data
    check_kind(data, label)
    if MODEL.encode() in data:
        raise LoadableError(
            f'{label} was made for the emulated DLA, the hardware cannot run it; set '
            f'dla_device: emulator, or {BUILD_HINT}'
        )
    return data
