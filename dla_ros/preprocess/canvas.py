"""One input buffer of a network, as a canvas for pictures of several sizes."""

from collections.abc import Iterator, Sequence
from typing import Any

from dla_ros.preprocess.letterbox import Letterbox
from dla_ros.preprocess.target import (
    GroupTarget,
    PixelTarget,
    PlanarTarget,
    Target,
    to_carrier,
)
from dla_ros.tensors.format import Layout
from dla_ros.tensors.spec import TensorSpec
from dla_ros.tensors.view import Bytes, to_view
from numpy.typing import NDArray

Rectangle = tuple[slice, slice]


class Canvas:
    """
    Keep everything of a buffer right that is not the picture.

    Channels and columns that only the layout needs are 0, once and for all. The padding around the
    picture is written when the picture's place changes. Nobody else may write into ``out`` while
    a canvas uses it.
    """

    def __init__(
        self, spec: TensorSpec, out: Bytes, tables: Sequence[NDArray[Any]], padding_value: int
    ) -> None:
        """Clear ``out``; raise TensorError if it does not fit ``spec``."""
        view = to_view(spec, out)
        out[: spec.size] = 0
        self.out = out
        self._layout = spec.layout
        self._view = to_carrier(view[0])
        self._tables = [to_carrier(table) for table in tables]
        self._padding_value = padding_value
        self._place: Letterbox | None = None
        self._targets: dict[Letterbox, Target] = {}

    def place(self, letterbox: Letterbox) -> Target:
        """Write the padding, if it is not there, and give what writes the picture inside it."""
        if letterbox != self._place:
            self._pad_around(letterbox)
            self._place = letterbox
        target = self._targets.get(letterbox)
        if target is None:
            target = self._targets[letterbox] = self._open_target(letterbox)
        return target

    def forget_targets(self) -> None:
        """Let the memory go that was taken for each place so far."""
        self._targets.clear()

    def _pad_around(self, letterbox: Letterbox) -> None:
        for index, table in enumerate(self._tables):
            channel = self._channel(index)
            for band in _bands(letterbox):
                channel[band] = table[self._padding_value]

    def _open_target(self, letterbox: Letterbox) -> Target:
        content = _content(letterbox)
        if self._layout.is_grouped:
            return GroupTarget(self._view[0][content], self._tables)
        if self._layout is Layout.DLA_HWC4 and self._view.shape[-1] > 1:
            return PixelTarget(self._view[content], self._tables)
        channels = [self._channel(index)[content] for index in range(len(self._tables))]
        return PlanarTarget(channels, self._tables)

    def _channel(self, index: int) -> NDArray[Any]:
        """Give one real channel as (height, width); networks here have at most 3."""
        if self._layout.is_grouped:
            return self._view[0, :, :, index]
        return self._view[:, :, index] if self._layout is Layout.DLA_HWC4 else self._view[index]


def _content(letterbox: Letterbox) -> Rectangle:
    return (
        slice(letterbox.top, letterbox.top + letterbox.height),
        slice(letterbox.left, letterbox.left + letterbox.width),
    )


def _bands(letterbox: Letterbox) -> Iterator[Rectangle]:
    """Give what lies above, below, left and right of the picture."""
    rows, columns = _content(letterbox)
    yield slice(0, rows.start), slice(None)
    yield slice(rows.stop, None), slice(None)
    yield rows, slice(0, columns.start)
    yield rows, slice(columns.stop, None)
