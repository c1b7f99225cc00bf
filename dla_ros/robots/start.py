"""What a launch starts, as plain data: the launch file only says it in launch's own words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from dla_ros.errors import RobotError
from dla_ros.robots.arguments import LaunchArguments
from dla_ros.robots.detector_entry import DetectorEntry
from dla_ros.robots.names import join
from dla_ros.robots.override import override
from dla_ros.robots.prepare import prepared
from dla_ros.robots.robot import Robot

_CONTAINER = 'dla_container'


@dataclass(frozen=True)
class Component:
    """Say how one node is loaded into a container; ``namespace`` is absolute."""

    name: str
    namespace: str
    parameters: Mapping[str, Any]
    remappings: tuple[tuple[str, str], ...]

    @property
    def full_name(self) -> str:
        """Give the node's name with its namespace."""
        return join(self.namespace, self.name)


@dataclass(frozen=True)
class Start:
    """
    Hold a robot, and what the arguments of a launch make of it.

    ``base`` is its namespace; ``launch_id`` tells its nodes from others of their names.
    """

    robot: Robot
    arguments: LaunchArguments
    base: str
    launch_id: str = field(default_factory=lambda: f'launch_{uuid4().hex}')

    @classmethod
    def of(cls, arguments: LaunchArguments, outer_namespace: str = '') -> 'Start':
        """
        Read the robot and make what has to be there beforehand.

        ``outer_namespace`` is that of the launch file which includes ours. Raise a DlaRosError
        for a robot that cannot be started like this.
        """
        robot = Robot.open(arguments.robot)
        robot = override(robot, engine=arguments.engine, dla_core=arguments.dla_core)
        return cls(prepared(robot), arguments, join(outer_namespace, arguments.namespace))

    @property
    def container(self) -> str:
        """Give the full name of the container, the running one or ours."""
        return self.arguments.container or join(self.base, _CONTAINER)

    @property
    def is_container_ours(self) -> bool:
        """Tell whether a container has to be started."""
        return not self.arguments.container

    @property
    def components(self) -> tuple[Component, ...]:
        """Give the nodes to load, in the order of the robot file."""
        return tuple(self._component(entry) for entry in self.robot.detectors)

    @property
    def container_parameters(self) -> dict[str, Any]:
        """Give the parameters of our container."""
        own = {'executor': self.robot.executor, 'launch_id': self.launch_id}
        return {**own, **self._sim_time}

    @property
    def extra_arguments(self) -> dict[str, str]:
        """Give those of a load request: only our container may take it, unless one was named."""
        return {'launch_id': self.launch_id} if self.is_container_ours else {}

    @property
    def ros_arguments(self) -> list[str]:
        """Give the ROS arguments of every process that is started."""
        enclave = self.arguments.enclave
        words = ['--log-level', self.arguments.log_level] if self.arguments.log_level else []
        return [*words, *(['--enclave', enclave] if enclave else [])]

    @property
    def needs_bring_up(self) -> bool:
        """Tell whether somebody has to activate the detectors, or to watch them."""
        return self.arguments.autostart or self.arguments.recover > 0

    @property
    def bring_up_words(self) -> list[str]:
        """Give the command line of bring_up."""
        going = ['--keep-going'] if self.arguments.keep_going else []
        going += [] if self.arguments.autostart else ['--only-watch']
        names = [component.full_name for component in self.components]
        whose = ['--container', join(self.container), '--launch-id', self.launch_id]
        return [
            *whose, '--recover', str(self.arguments.recover), *going, *self._fallback_words, *names
        ]  # fmt: skip

    @property
    def _fallback_words(self) -> list[str]:
        entries = [entry for entry in self.robot.detectors if entry.fallback_engine is not None]
        if entries and not self.arguments.recover:
            raise RobotError(
                f"'{entries[0].name}' has a fallback_engine, which takes over when recovery did "
                'not help, but recover:=0 switches that off; take one of the two away'
            )
        words = []
        for entry in entries:
            assert entry.fallback_engine is not None
            words += ['--fallback', entry.full_name(self.base), entry.fallback_engine.to_json()]
        return words

    @property
    def _sim_time(self) -> dict[str, bool]:
        # left out when false: an including launch file may have set it for all
        return {'use_sim_time': True} if self.arguments.use_sim_time else {}

    def _component(self, entry: DetectorEntry) -> Component:
        return Component(
            entry.name,
            entry.namespace_in(self.base),
            {**entry.parameters, 'launch_id': self.launch_id, **self._sim_time},
            tuple(entry.remap.items()),
        )
