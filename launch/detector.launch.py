"""
Start the detectors of a robot in one container, configured and active.

    ros2 launch dla_ros detector.launch.py robot:=laptop

What is started is decided in dla_ros.robots.start; here it is said in launch's words.
"""

from functools import partial

from dla_ros.robots.arguments import LaunchArguments, meanings
from dla_ros.robots.start import Component, Start
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, Shutdown
from launch_ros.actions import ComposableNodeContainer, LoadComposableNodes, Node
from launch_ros.descriptions import ComposableNode


def generate_launch_description():
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=meaning)
        for name, (default, meaning) in meanings().items()
    ]
    return LaunchDescription([*declared, OpaqueFunction(function=start)])


def start(context):
    words = context.launch_configurations
    plan = Start.of(LaunchArguments.parse(words), words.get('ros_namespace', ''))
    actions = [container(plan) if plan.is_container_ours else load(plan)]
    if plan.needs_bring_up:
        actions.append(bring_up(plan))
    return actions


def container(plan):
    namespace, _, name = plan.container.rpartition('/')
    return ComposableNodeContainer(
        package='dla_ros',
        executable='component_container',
        name=name,
        namespace=namespace or '/',
        composable_node_descriptions=to_descriptions(plan),
        parameters=[plan.container_parameters],
        ros_arguments=plan.ros_arguments,
        output='screen',
        on_exit=on_container_exit,
    )


def load(plan):
    return LoadComposableNodes(
        target_container=plan.container,
        composable_node_descriptions=to_descriptions(plan),
    )


def bring_up(plan):
    return Node(
        package='dla_ros',
        executable='bring_up',
        arguments=plan.bring_up_words,
        ros_arguments=plan.ros_arguments,
        output='screen',
        cached_output=True,
        on_exit=partial(on_bring_up_exit, keep_going=plan.arguments.keep_going),
    )


def to_descriptions(plan):
    return [to_description(each, plan.extra_arguments) for each in plan.components]


def to_description(component: Component, extra_arguments):
    return ComposableNode(
        package='dla_ros',
        plugin='dla_ros::DetectorNode',
        name=component.name,
        namespace=component.namespace,
        parameters=[component.parameters],
        remappings=list(component.remappings),
        extra_arguments=[extra_arguments],
    )


def on_container_exit(event, context):
    if context.is_shutdown:
        return None
    if event.returncode:
        raise RuntimeError(f'the container ended with exit code {event.returncode}')
    return [Shutdown(reason='the container has ended')]


def on_bring_up_exit(event, context, keep_going):
    # an exception is the one way to a launch that ends with exit code 1
    if event.returncode and not keep_going and not context.is_shutdown:
        raise RuntimeError(
            f'{reason(event.action.get_stderr())} '
            '(keep_going:=true starts the other detectors nevertheless)'
        )


def reason(said):
    marked = [line.partition('bring_up: ') for line in said.splitlines()]
    found = [rest for _, mark, rest in marked if mark]
    return '; '.join(found) or 'a detector did not become active, bring_up says why above'
