"""The C side of cudla.h."""

import ctypes

from dla_ros.emulator.abi import CALLS, Descriptor, Task


def test_the_structs_have_the_sizes_of_cudla_h():
    assert (ctypes.sizeof(Task), ctypes.sizeof(Descriptor)) == (48, 168)
    assert (Descriptor.size.offset, Descriptor.codes.offset, Descriptor.strides.offset) == (
        88, 128, 136,
    )  # fmt: skip


def test_every_function_of_the_binding_is_there(emulator):
    from cuda.bindings._internal import cudla as internal

    wanted = {name.strip('_') for name in internal._inspect_function_pointers()}
    everywhere = ctypes.CDLL(None)
    assert len(wanted) == len(CALLS)
    assert [name for name in wanted if not hasattr(everywhere, name)] == []
