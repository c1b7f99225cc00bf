"""What a network file is, told from its first bytes."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

HEAD_BYTES = 64  # enough of a file to tell its kind
# trtexec writes 'ptrt' or, since TensorRT 8, 'ftrt' (netron's list of signatures).
PLAN_TAGS = (b'ptrt', b'ftrt')
ONNX_SECOND_FIELDS = b'\x12\x1a\x22\x28\x32\x3a\x42'


@dataclass(frozen=True)
class _Row:
    words: str
    is_kind: Callable[[bytes], bool]
    recorded: tuple[str, ...] = ()


def _is_onnx(head: bytes) -> bool:
    """Tell whether a ModelProto starts here: ir_version, then another of its fields."""
    return (
        len(head) > 2
        and head[:1] == b'\x08'
        and 0 < head[1] < 0x80
        and head[2] in ONNX_SECOND_FIELDS
    )


def _is_plan(head: bytes) -> bool:
    """Tell a plan; Ultralytics writes a length and its own JSON before it."""
    return head[:4] in PLAN_TAGS or head[3:5] == b'\x00{'


def _is_text(head: bytes) -> bool:
    return all(byte in b'\t\r\n' or 32 <= byte < 127 for byte in head)


class FileKind(Enum):
    """
    Name what somebody may hand over as a network; the first row that fits holds.

    ``words`` say it to a person, ``recorded`` are the words of a record's ``artifact.kind``.
    """

    EMPTY = _Row('an empty file', lambda head: not head)
    LOADABLE = _Row(
        'a DLA loadable',
        lambda head: head[4:8] == b'NVDA',
        ('dla_standalone_loadable', 'dla_emulator_loadable'),
    )
    PLAN = _Row('a TensorRT engine (plan)', _is_plan)
    ONNX = _Row('an ONNX model', _is_onnx, ('onnx_model',))
    LFS_POINTER = _Row(
        'a Git LFS pointer, not the file itself',
        lambda head: head.startswith(b'version https://git-lfs'),
    )
    ARCHIVE = _Row('an archive', lambda head: head[:4] == b'PK\x03\x04' or head[:2] == b'\x1f\x8b')
    TEXT = _Row('a text file', _is_text)
    UNKNOWN = _Row('a file of no known kind', lambda head: True)

    @classmethod
    def of(cls, head: bytes) -> 'FileKind':
        """Tell the kind from the first :data:`HEAD_BYTES` bytes, or from all of a short file."""
        return next(kind for kind in cls if kind.value.is_kind(head))

    @property
    def words(self) -> str:
        """Return how to say it."""
        return self.value.words

    @property
    def recorded(self) -> tuple[str, ...]:
        """Return what a record may call it; nothing for what is no network."""
        return self.value.recorded


RECORDED = {name: kind for kind in FileKind for name in kind.recorded}
