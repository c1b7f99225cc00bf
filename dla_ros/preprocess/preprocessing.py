"""What a network expects of a picture before it sees it."""

from dataclasses import dataclass
from enum import Enum

from dla_ros.errors import ConfigError


class Padding(Enum):
    """
    Say where the picture sits in the network's rectangle.

    CENTER and BOTTOM_RIGHT keep the aspect ratio (isaac_ros_image_proc ``padding_type``: the word
    says where the padding goes); STRETCH fills the rectangle.
    """

    CENTER = 'CENTER'
    BOTTOM_RIGHT = 'BOTTOM_RIGHT'
    STRETCH = 'STRETCH'


@dataclass(frozen=True)
class Preprocessing:
    """
    Hold the settings of one network: colour order, normalisation, padding.

    Network input = (pixel - mean) / std, pixels 0..255, ``mean`` and ``std`` in the order of
    ``encoding`` ('rgb8', 'bgr8' or 'mono8'). ``padding_value`` (0..255) is a pixel value: it is
    normalised like the others.
    """

    encoding: str = 'rgb8'
    mean: tuple[float, ...] = (0.0, 0.0, 0.0)
    std: tuple[float, ...] = (255.0, 255.0, 255.0)
    padding: Padding = Padding.CENTER
    padding_value: int = 114

    def __post_init__(self) -> None:
        """Refuse what no network can mean."""
        if self.encoding not in {'rgb8', 'bgr8', 'mono8'}:
            raise ConfigError(
                f"network encoding '{self.encoding}' is not known; use rgb8, bgr8 or mono8"
            )
        channels = 1 if self.encoding == 'mono8' else 3
        for name, values in (('mean', self.mean), ('std', self.std)):
            if len(values) != channels:
                raise ConfigError(
                    f'{name} has {len(values)} numbers {list(values)}; '
                    f"'{self.encoding}' needs {channels}"
                )
        if any(value <= 0 for value in self.std):
            raise ConfigError(f'std {list(self.std)} must be above 0: pixels are divided by it')
        if not 0 <= self.padding_value <= 255:
            raise ConfigError(f'padding value {self.padding_value} is not a pixel value 0..255')
