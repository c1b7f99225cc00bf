"""Whole launches, from the command line to active detectors and back."""

import subprocess

import pytest

pytest.importorskip('launch_ros', reason='needs a full ROS install')
pytest.importorskip('ros2launch', reason='needs a full ROS install')

INCLUDING = """
from launch import LaunchDescription
from launch.actions import GroupAction, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import PushRosNamespace


def generate_launch_description():
    detectors = IncludeLaunchDescription(
        PythonLaunchDescriptionSource('FILE'),
        launch_arguments={'robot': 'ROBOT', 'namespace': 'r1', 'autostart': 'false'}.items(),
    )
    return LaunchDescription([GroupAction([PushRosNamespace('fleet'), detectors])])
"""
NO_ENGINE = "cannot read the engine '/opt/models/nothing.dla'"


def state(node):
    """Ask as a person would; a second try, because discovery starts with the first."""
    for _ in range(2):
        words = ['ros2', 'lifecycle', 'get', node, '--no-daemon', '--spin-time', '3']
        said = subprocess.run(words, capture_output=True, text=True, timeout=60)
        if said.returncode == 0:
            break
    return said.stdout.partition(' ')[0].strip() or said.stderr


def test_every_detector_becomes_active_on_its_core(launch, folder):
    running = launch(f'robot:={folder / "good.yaml"}', 'namespace:=r1')
    assert running.wait_for("'/r1/right/right' is active"), running.said
    assert state('/r1/left/left') == 'active'
    assert '[r1.left.left]: configured: DLA core 0 (emulated)' in running.said
    assert '[r1.right.right]: configured: DLA core 1 (emulated)' in running.said
    assert running.stop() == 0, running.said
    assert 'process has died' not in running.said


def test_a_refused_configure_stops_the_launch_with_its_reason(launch, folder):
    running = launch(f'robot:={folder / "bad.yaml"}')
    assert running.wait() == 1
    assert f"bring_up: '/left/left': configure failed: {NO_ENGINE}" in running.said
    (last,) = [line for line in running.said.splitlines() if '[ERROR] [launch]' in line]
    assert f"'/left/left': configure failed: {NO_ENGINE}" in last
    assert "'/right/right' is active" not in running.said


def test_keep_going_starts_the_others(launch, folder):
    running = launch(f'robot:={folder / "bad.yaml"}', 'keep_going:=true')
    assert running.wait_for("'/right/right' is active"), running.said
    assert NO_ENGINE in running.said
    assert state('/right/right') == 'active'
    assert state('/left/left') == 'unconfigured'
    assert running.stop() == 0, running.said


def test_without_autostart_nothing_is_configured(launch, folder):
    running = launch(f'robot:={folder / "good.yaml"}', 'autostart:=false')
    assert running.wait_for("Loaded node '/right/right'"), running.said
    assert state('/right/right') == 'unconfigured'
    assert running.stop() == 0, running.said


def test_a_running_container_takes_the_detectors_of_another_launch(launch, folder):
    box = launch(f'robot:={folder / "good.yaml"}', 'autostart:=false')
    assert box.wait_for("Loaded node '/right/right'"), box.said
    words = ['namespace:=more', 'container:=/dla_container', 'recover:=0']
    guest = launch(f'robot:={folder / "good.yaml"}', *words)
    assert guest.wait() == 0, guest.said
    assert "'/more/right/right' is active" in guest.said
    assert state('/more/left/left') == 'active'
    assert box.stop() == 0, box.said


def test_a_container_that_dies_ends_the_launch(launch, folder):
    running = launch(f'robot:={folder / "good.yaml"}', 'autostart:=false')
    assert running.wait_for("Loaded node '/right/right'"), running.said
    pid = running.said.partition('[component_container-1]: process started with pid [')[2]
    subprocess.run(['kill', '-KILL', pid.partition(']')[0]], check=True)
    assert running.wait() == 1
    assert 'the container ended with exit code -9' in running.said


def test_a_launch_file_that_includes_ours_gives_its_namespace(
    launch, launch_file, folder, tmp_path
):
    path = tmp_path / 'all.launch.py'
    text = INCLUDING.replace('FILE', str(launch_file)).replace('ROBOT', str(folder / 'good.yaml'))
    path.write_text(text)
    running = launch(file=path)
    said = "Loaded node '/fleet/r1/right/right' in container '/fleet/r1/dla_container'"
    assert running.wait_for(said), running.said
    assert running.stop() == 0, running.said


def process_of(running, name):
    """Give the id of a process that a launch has started."""
    text = running.said.partition(f'[{name}]: process started with pid [')[2]
    return int(text.partition(']')[0])


def test_a_second_launch_of_a_robot_ends_with_the_process_that_has_its_names(launch, folder):
    first = launch(f'robot:={folder / "good.yaml"}')
    assert first.wait_for("'/right/right' is active"), first.said
    second = launch(f'robot:={folder / "good.yaml"}')
    assert second.wait() == 1, second.said
    box = process_of(first, 'component_container-1')
    assert "the name '/dla_container' is taken: a node of that name runs in" in second.said
    assert f'process {box}; stop it (kill {box})' in second.said
    assert 'is active' not in second.said
    assert first.said.count('configured: DLA core') == 2, 'nobody has touched them'
    assert first.stop() == 0, first.said


def test_what_a_killed_launch_has_left_is_told(launch, folder):
    orphaned = launch(f'robot:={folder / "good.yaml"}')
    assert orphaned.wait_for("'/right/right' is active"), orphaned.said
    orphaned.kill(only_launch=True)
    again = launch(f'robot:={folder / "good.yaml"}')
    assert again.wait() == 1, again.said
    box = process_of(orphaned, 'component_container-1')
    assert f'stop it (kill {box})' in again.said
    assert 'is active' not in again.said


def test_loading_twice_into_a_container_ends_with_its_name(launch, folder):
    box = launch(f'robot:={folder / "good.yaml"}', 'autostart:=false')
    assert box.wait_for("Loaded node '/right/right'"), box.said
    words = ['namespace:=more', 'container:=/dla_container', 'recover:=0']
    assert launch(f'robot:={folder / "good.yaml"}', *words).wait() == 0
    again = launch(f'robot:={folder / "good.yaml"}', *words)
    assert again.wait() == 1, again.said
    assert "the name '/more/left/left' is taken" in again.said
    assert "runs in container '/dla_container' (process" in again.said
    assert 'nothing of this launch was applied' in again.said
    assert box.stop() == 0, box.said


@pytest.mark.parametrize(
    ('words', 'reason'),
    [
        (['robot:=nobody'], "there is no robot 'nobody'; known are: agx_orin_two_cameras"),
        (['robot:=four_cameras', 'dla_core:=1'], 'is for a robot with one detector'),
        (['robot:=laptop', 'dla_core:=2'], 'dla_cores is 2'),
        (['robot:=laptop', 'autostart:=maybe'], 'autostart:=maybe must be true or false'),
        (['robot:=laptop', 'log_level:=loud'], 'a level is debug, info, warn, error or fatal'),
        (['robot:=laptop', 'enclave:=robot'], 'an enclave is a path of names'),
    ],
)
def test_what_cannot_be_started_ends_with_a_reason(launch, words, reason):
    running = launch(*words)
    assert running.wait() == 1
    assert reason in running.said
    assert 'process started' not in running.said


def test_every_node_is_in_the_enclave_that_was_named(launch, folder):
    import rclpy

    running = launch(f'robot:={folder / "good.yaml"}', 'autostart:=false', 'enclave:=/robot/dla')
    assert running.wait_for("Loaded node '/right/right'"), running.said
    rclpy.init(args=[])
    probe = rclpy.create_node('probe')
    wanted = {'dla_container', 'left', 'right'}
    found = {}
    for _ in range(100):
        seen = probe.get_node_names_and_namespaces_with_enclaves()
        found = {name: enclave for name, _, enclave in seen if name in wanted}
        if set(found) == wanted:
            break
        rclpy.spin_once(probe, timeout_sec=0.1)
    probe.destroy_node()
    rclpy.try_shutdown()
    assert found == dict.fromkeys(wanted, '/robot/dla')
    assert running.stop() == 0, running.said
