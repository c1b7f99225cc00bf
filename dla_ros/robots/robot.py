"""A robot and its detectors."""

from dataclasses import dataclass
from pathlib import Path

from dla_ros.errors import RobotError
from dla_ros.robots.check import check
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.robots.find import find_robot
from dla_ros.robots.parse import parse


@dataclass(frozen=True)
class Robot:
    """
    Hold what a robot file says.

    ``dla_cores`` is how many DLA cores the computer has; ``executor`` is that of the container.
    """

    name: str
    path: Path
    detectors: tuple[DetectorEntry, ...]
    dla_cores: int
    description: str = ''
    executor: str = 'auto'

    def __post_init__(self) -> None:
        """Check what the detectors share: cores, handles, topics."""
        check(self.detectors, self.dla_cores, self._refuse)

    @classmethod
    def open(cls, robot: str) -> 'Robot':
        """
        Read and check the robot with this name or path.

        Raise RobotError that names file, line and key of what is wrong.
        """
        path = find_robot(robot)
        return cls(path.stem, path, **parse(path))

    @property
    def handles(self) -> dict[int, int]:
        """Count the device handles taken of each DLA core: one a detector."""
        taken = [entry.dla_core for entry in self.detectors]
        return {core: taken.count(core) for core in range(self.dla_cores)}

    def _refuse(self, place: tuple[str, ...], problem: str) -> RobotError:
        return RobotError(f"{self.path}: '{'.'.join(place)}' {problem}")
