"""Check that a network's outputs are those a head reads."""

from collections.abc import Sequence

from dla_ros.errors import HeadError
from dla_ros.heads.options import names
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec

Specs = tuple[TensorSpec, ...]


def check_count(head: str, outputs: Specs, allowed: Sequence[int]) -> None:
    """Raise HeadError unless the network has one of the allowed numbers of outputs."""
    if len(outputs) not in allowed:
        needed = ' or '.join(str(count) for count in allowed)
        plural = '' if needed == '1' else 's'
        raise HeadError(
            f"head '{head}' needs {needed} output{plural}, the network has {len(outputs)}: "
            f'{describe(outputs)}; choose another head, or cut the model where this one reads it'
        )
    for output in outputs:
        if output.dims[0] != 1:
            raise HeadError(
                f"head '{head}': output '{output.name}' has batch size {output.dims[0]}; "
                'build the network for a batch of 1'
            )


def check_channels(head: str, output: TensorSpec, channels: int, meaning: str) -> None:
    """Raise HeadError unless an output has so many channels; ``meaning`` says what they are."""
    if output.channels != channels:
        raise HeadError(
            f"head '{head}': output '{output.name}' has {output.channels} channels, "
            f'needs {channels} ({meaning}); outputs: {describe([output])}'
        )


def classes_in(head: str, output: TensorSpec, classes: int, meaning: str) -> int:
    """Give a number of classes worked out of an output; raise HeadError if it is below 1."""
    if classes < 1:
        raise HeadError(
            f"head '{head}': output '{output.name}' ({output}) has no room for a class: "
            f'it should hold {meaning}'
        )
    return classes


def in_order(head: str, outputs: Specs, options: Options) -> list[int]:
    """
    Give the outputs' places in the order a head names them.

    Option ``outputs`` lists their names, for networks whose builder reordered them; without it
    the network's own order holds.
    """
    wanted = names(head, options, 'outputs')
    if wanted is None:
        return list(range(len(outputs)))
    places = {output.name: place for place, output in enumerate(outputs)}
    if sorted(wanted) != sorted(places):
        raise HeadError(
            f"head '{head}': option outputs names {list(wanted)}, "
            f'the network has {list(places)}; name each once'
        )
    return [places[name] for name in wanted]


def describe(outputs: Sequence[TensorSpec]) -> str:
    """List outputs for a person."""
    return ', '.join(str(output) for output in outputs) or 'none'
