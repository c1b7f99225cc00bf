"""Sizes of any rank as the four that a DLA knows."""

from collections.abc import Sequence

from dla_ros.errors import TensorError
from dla_ros.tensors.spec import Dims


def to_dims(name: str, shape: Sequence[int]) -> Dims:
    """
    Give (n, c, h, w) for a shape of one to four sizes, missing ones being 1.

    (n, c) becomes (n, c, 1, 1), (n, c, w) becomes (n, c, 1, w). Raise TensorError for more sizes.
    """
    sizes = [int(size) for size in shape]
    if not 1 <= len(sizes) <= 4:
        shown = 'x'.join(str(size) for size in sizes) or '(no size)'
        raise TensorError(
            f"tensor '{name}' of size {shown}: one to four sizes can be mapped to n, c, h, w; "
            'reshape it in the model'
        )
    if len(sizes) == 3:
        return sizes[0], sizes[1], 1, sizes[2]
    n, c, h, w = (*sizes, 1, 1, 1)[:4]
    return n, c, h, w
