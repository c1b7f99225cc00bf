"""
Start a robot's detectors and a tracker for each of their cameras, all in one process.

    ros2 launch dla_tracker perception.launch.py robot:=laptop
"""

from dla_ros.robots.robot import Robot
from dla_ros.topics import beside
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import ComposableNodeContainer
from launch_ros.descriptions import ComposableNode
from launch_ros.substitutions import FindPackageShare

CONTAINER = 'perception'


def generate_launch_description():
    return LaunchDescription(
        [
            DeclareLaunchArgument('robot', description='name of a robot, or path of its file'),
            OpaqueFunction(function=start),
        ]
    )


def start(context):
    name = context.launch_configurations['robot']
    container = ComposableNodeContainer(
        package='dla_ros',
        executable='component_container',
        name=CONTAINER,
        namespace='/',
        composable_node_descriptions=list(trackers(Robot.open(name))),
        output='screen',
    )
    detectors = IncludeLaunchDescription(
        PythonLaunchDescriptionSource([FindPackageShare('dla_ros'), '/launch/detector.launch.py']),
        launch_arguments={'robot': name, 'container': f'/{CONTAINER}'}.items(),
    )
    return [container, detectors]


def trackers(robot):
    for detector in robot.detectors:
        for image, detections in detector.topics().items():
            camera = image.strip('/').replace('/', '_')
            yield ComposableNode(
                package='dla_tracker',
                plugin='dla_tracker::tracker_node.TrackerNode',
                name=f'{camera}_tracker',
                namespace='/',
                remappings=[('detections', detections), ('tracks', beside(detections, 'tracks'))],
            )
