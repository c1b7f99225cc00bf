import ctypes

from dla_ros.engines.cudla.status import CudlaStatus as S


def test_registering_gives_another_address(bench):
    memory = bench.memory(64)
    mapped = bench.cudla.mem_register(bench.open(), memory.address, 64, 0)
    assert mapped != memory.address


def test_registering_twice_says_so_and_after_unregistering_is_fine(bench):
    handle, memory = bench.open(), bench.memory(64)
    mapped = bench.cudla.mem_register(handle, memory.address, 64, 0)
    again = ('mem_register', handle, memory.address, 64, 0)
    assert bench.status(*again) == S.MEMORY_REGISTERED
    bench.cudla.mem_unregister(handle, mapped)
    assert bench.status('mem_unregister', handle, mapped) == S.INVALID_ADDRESS
    assert bench.status(*again) == 0


def test_memory_is_registered_on_each_handle_for_itself(bench):
    first, second, memory = bench.open(), bench.open(), bench.memory(64)
    mapped = bench.cudla.mem_register(first, memory.address, 64, 0)
    assert bench.cudla.mem_register(second, memory.address, 64, 0) != mapped
    assert bench.status('mem_unregister', second, mapped) == S.INVALID_ADDRESS


def test_only_aligned_memory_of_the_device_can_be_registered(bench):
    handle, memory = bench.open(), bench.memory(128)
    foreign = ctypes.create_string_buffer(1 << 16)
    aligned = -(-ctypes.addressof(foreign) // 64) * 64
    for address, nbytes, flags, status in (
        (memory.address + 16, 32, 0, S.INVALID_ADDRESS),
        (memory.address, 129, 0, S.INVALID_ADDRESS),
        (memory.address, 0, 0, S.INVALID_ADDRESS),
        (0, 64, 0, S.INVALID_ADDRESS),
        (aligned, 64, 0, S.INVALID_ADDRESS),
        (memory.address, 64, 2, S.UNSUPPORTED_OPERATION),
        (memory.address, 64, 4, S.INVALID_PARAM),
        (memory.address + 32, 96, 0, 0),
    ):
        assert bench.status('mem_register', handle, address, nbytes, flags) == status


def test_memory_freed_before_it_was_unregistered_is_noticed(bench):
    handle, memory = bench.open(), bench.device.allocate(64)
    mapped = bench.cudla.mem_register(handle, memory.address, 64, 0)
    memory.close()
    assert bench.status('mem_unregister', handle, mapped) == S.INVALID_ADDRESS
