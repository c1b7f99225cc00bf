"""Two detectors in one process, each with its own life."""

from dla_ros.emulator import running


def test_each_finds_on_its_own_core_and_ends_alone(open_rig):
    front = open_rig(name='front', image_topics=['/front/image'], dla_core=0)
    rear = open_rig(name='rear', image_topics=['/rear/image'], dla_core=1)
    for rig, place in ((front, '/front'), (rear, '/rear')):
        rig.listen(f'{place}/detections')
        rig.activate()
    assert front.show(front.image(), '/front/image').detections
    assert rear.show(rear.image(), '/rear/image').detections
    cores = sorted(handle.core_index for handle in running().state.handles.values())
    assert cores == [0, 1]
    for transition in ('deactivate', 'cleanup'):
        assert front.lifecycle.change(transition)
    assert rear.show(rear.image(1), '/rear/image').detections
    assert (rear.counts.processed, front.counts.processed) == (2, 0)


def test_a_refused_neighbour_disturbs_nobody(open_rig, tmp_path, log):
    good = open_rig(name='good')
    bad = open_rig(name='bad', engine_file_path=tmp_path / 'no.dla', image_topics=['/b/image'])
    good.activate()
    assert not bad.lifecycle.change('configure')
    assert log.tells('no.dla')
    assert good.show(good.image()).detections
    assert (good.lifecycle.state(), bad.lifecycle.state()) == ('active', 'unconfigured')
