"""The command ``ros2 dla``, by the real ros2."""

import os
import subprocess

import pytest

pytest.importorskip('ros2cli', reason='needs a full ROS install')


def ros2(*words, **environment):
    return subprocess.run(
        ['ros2', *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def complete(line):
    """Ask as bash does when the tabulator key is pressed."""
    ask = f'COMP_LINE="{line}" COMP_POINT={len(line)} _ARGCOMPLETE=1 _ARGCOMPLETE_IFS=" "'
    done = subprocess.run(
        ['bash', '-c', f'{ask} ros2 8>&1 9>/dev/null'], capture_output=True, text=True, timeout=60
    )
    return done.stdout.split()


def test_ros2_lists_the_command():
    assert '  dla        Detect objects on an NVIDIA DLA' in ros2('--help').stdout


def test_a_verb_does_what_it_does_for_dla_ros():
    ours = subprocess.run(['dla_ros', 'robot', 'check', 'laptop'], capture_output=True, text=True)
    assert ours.stdout
    assert ros2('dla', 'robot', 'check', 'laptop').stdout == ours.stdout


def test_a_refusal_keeps_its_sentence_and_exit_code():
    done = ros2('dla', 'robot', 'check', 'nobody')
    assert done.returncode == 1
    assert done.stderr.startswith("dla_ros robot: there is no robot 'nobody'")


def test_verbs_and_robots_are_completed():
    pytest.importorskip('argcomplete', reason='needs a full ROS install')
    assert complete('ros2 dla para') == ['parameters']
    assert {'laptop', 'orin_nx'} <= set(complete('ros2 dla robot check '))


def test_ros2_component_knows_our_types():
    pytest.importorskip('ros2component', reason='needs a full ROS install')
    assert ros2('component', 'types', 'dla_ros').stdout.split() == ['dla_ros::DetectorNode']
