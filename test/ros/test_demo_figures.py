"""What the demo tells of a run, however the node's messages fall."""

from dla_ros.demo.run import put_down
from dla_ros.ros.session import DetectorSession
import pytest


@pytest.fixture
def session(tmp_path, ros_context):
    with DetectorSession('/dla_detector', 'image', tmp_path / 'bag') as session:
        yield session


def hear_of_each_transition(session):
    """Let the diagnostics of each new state arrive before the next step."""
    change = session.detector.change

    def change_and_hear(transition):
        done = change(transition)
        state = session.detector.state()
        assert session.spin_while(lambda: not session.observer.message.startswith(state), 10)
        return done

    session.detector.change = change_and_hear


def test_the_figures_outlive_the_cleanup(open_rig, session):
    rig = open_rig(image_topics=['/image'], diagnostics_period=0.1)
    rig.activate()
    rig.show(rig.image(), '/image')
    hear_of_each_transition(session)
    figures = put_down(session)
    assert rig.lifecycle.state() == 'unconfigured'
    assert session.observer.values == {}
    assert (figures['device'], figures['frames in'], figures['dropped']) == ('emulated', 1, 0)
