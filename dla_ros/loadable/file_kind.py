"""What a network file is, told from its first bytes."""

from enum import Enum

HEAD_BYTES = 64  # enough of a file to tell its kind
# trtexec writes 'ptrt' or, since TensorRT 8, 'ftrt' (netron's list of signatures).
PLAN_TAGS = (b'ptrt', b'ftrt')
ONNX_SECOND_FIELDS = b'\x12\x1a\x22\x28\x32\x3a\x42'


class FileKind(Enum):
    """Name what somebody may hand over as a network; the value is how to say it."""

    LOADABLE = 'a DLA loadable'
    ONNX = 'an ONNX model'
    PLAN = 'a TensorRT engine (plan)'
    EMPTY = 'an empty file'
    LFS_POINTER = 'a Git LFS pointer, not the file itself'
    ARCHIVE = 'an archive'
    TEXT = 'a text file'
    UNKNOWN = 'a file of no known kind'

    @classmethod
    def of(cls, head: bytes) -> 'FileKind':
        """Tell the kind from the first :data:`HEAD_BYTES` bytes, or from all of a short file."""
        for kind, is_kind in _TESTS:
            if is_kind(head):
                return kind
        return cls.UNKNOWN


def _is_onnx(head: bytes) -> bool:
    """Tell whether a ModelProto starts here: ir_version, then another of its fields."""
    return head[:1] == b'\x08' and 0 < head[1] < 0x80 and head[2] in ONNX_SECOND_FIELDS


def _is_plan(head: bytes) -> bool:
    """Tell a plan; Ultralytics writes a length and its own JSON before it."""
    return head[:4] in PLAN_TAGS or head[3:5] == b'\x00{'


def _is_text(head: bytes) -> bool:
    return all(byte in b'\t\r\n' or 32 <= byte < 127 for byte in head)


_TESTS = (
    (FileKind.EMPTY, lambda head: not head),
    (FileKind.LOADABLE, lambda head: head[4:8] == b'NVDA'),
    (FileKind.PLAN, _is_plan),
    (FileKind.ONNX, lambda head: len(head) > 2 and _is_onnx(head)),
    (FileKind.LFS_POINTER, lambda head: head.startswith(b'version https://git-lfs')),
    (FileKind.ARCHIVE, lambda head: head[:4] == b'PK\x03\x04' or head[:2] == b'\x1f\x8b'),
    (FileKind.TEXT, _is_text),
)
