"""Modules of the emulated library: load, describe, unload."""

import ctypes

from dla_ros.emulator.abi import bytes_at, Descriptor, read_u64, write_u32, write_u64
from dla_ros.emulator.extent import check_memory, check_ports
from dla_ros.emulator.network import Network, OnceNetwork, OnnxNetwork, Specs, ZeroNetwork
from dla_ros.emulator.options import EmulatorOptions
from dla_ros.emulator.refusal import demand, Refusal
from dla_ros.emulator.state import Module, State
from dla_ros.engines.cudla.status import CudlaStatus
from dla_ros.engines.onnx_session import OnnxSession
from dla_ros.errors import DlaRosError
from dla_ros.loadable.emulated import check_for_emulator, scaled
from dla_ros.loadable.loadable import Loadable

DIAGNOSTICS = 1
NUM_INPUTS, NUM_OUTPUTS, INPUTS, OUTPUTS, NUM_STATISTICS, STATISTICS = range(6)


def module_load_from_memory(
    state: State, number: int, data: int, size: int, result: int, flags: int
) -> None:
    """Load a loadable, the only one in the life of its handle."""
    with state.lock:
        handle = state.handle(number)
        demand(flags != DIAGNOSTICS, CudlaStatus.UNSUPPORTED_OPERATION, 'no diagnostics')
        demand(not flags, CudlaStatus.INVALID_PARAM, f'flags {flags:#x} are not known')
        demand(data and size and result, CudlaStatus.INVALID_PARAM, 'a parameter is NULL or 0')
        demand(
            not handle.has_loaded,
            CudlaStatus.UNSUPPORTED_OPERATION,
            'a handle loads one module in its life; create another handle',
        )
        handle.has_loaded = True
    # Unlocked: it may take seconds, and cuDLA's tasks on other handles go on meanwhile.
    loadable, network, inputs, outputs = _open(bytes_at(data, size), state.options)
    with state.lock:
        module = Module(next(state.numbers), handle, loadable, network, inputs, outputs)
        handle.module = state.modules[module.number] = module
        write_u64(result, module.number)


def module_get_attributes(state: State, number: int, attribute: int, result: int) -> None:
    """Write a number of tensors, or fill the caller's array of descriptors."""
    loadable = state.module(number).loadable
    demand(result, CudlaStatus.INVALID_PARAM, 'attribute is NULL')
    if attribute in {NUM_STATISTICS, STATISTICS}:
        raise Refusal(CudlaStatus.UNSUPPORTED_OPERATION, 'no layer statistics')
    inputs, outputs = loadable.input_descriptors, loadable.output_descriptors
    sides = {NUM_INPUTS: inputs, NUM_OUTPUTS: outputs, INPUTS: inputs, OUTPUTS: outputs}
    demand(attribute in sides, CudlaStatus.INVALID_ATTRIBUTE, f'there is no {attribute}')
    tensors = sides[attribute]
    if attribute in {NUM_INPUTS, NUM_OUTPUTS}:
        write_u32(result, len(tensors))
        return
    array = read_u64(result)
    demand(array, CudlaStatus.INVALID_PARAM, 'the array of descriptors is NULL')
    filled = (Descriptor * len(tensors))(*(Descriptor.of(tensor) for tensor in tensors))
    ctypes.memmove(array, filled, ctypes.sizeof(filled))


def module_unload(state: State, number: int, flags: int) -> None:
    """Unload a module; its handle cannot load another."""
    module = state.module(number)
    demand(flags == 0, CudlaStatus.INVALID_PARAM, f'flags {flags:#x} must be 0')
    module.handle.check_idle('module_unload')
    del state.modules[number]
    module.handle.module = None
    module.network.close()


def _open(data: bytes, options: EmulatorOptions) -> tuple[Loadable, Network, Specs, Specs]:
    """Read a loadable and make its network; what a file can do wrong is UMD."""
    try:
        loadable = Loadable.read(data)
        inputs = scaled(loadable, loadable.inputs)
        outputs = scaled(loadable, loadable.outputs)
        return loadable, _network(loadable, inputs, outputs, options), inputs, outputs
    except DlaRosError as error:
        raise Refusal(CudlaStatus.UMD, str(error)) from error


def _network(
    loadable: Loadable, inputs: Specs, outputs: Specs, options: EmulatorOptions
) -> Network:
    check_memory((*inputs, *outputs))
    model = bytes(check_for_emulator(loadable, 'the loadable').data)
    if options.network == 'none':
        return ZeroNetwork()
    session = OnnxSession.open(model, threads=options.threads or None)
    check_ports(inputs, session.inputs)
    check_ports(outputs, session.outputs)
    network = OnnxNetwork(session, inputs, outputs)
    return OnceNetwork(network) if options.network == 'once' else network
