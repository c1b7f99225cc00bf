"""Several cameras on one core: each gets its turn, whatever the others send."""

import itertools

CALM_IMAGES = 6


def test_a_flooding_camera_cannot_starve_a_calm_one(open_rig):
    rig = open_rig(
        image_topics=['/flood/image', '/calm/image'], slots=1,
        dla_emulator_options='task_ms=15', input_qos='DEFAULT', input_qos_depth=20,
    )  # fmt: skip
    rig.activate()
    rig.listen('/flood/detections')
    rig.listen('/calm/detections')
    flood, calm = rig.camera('/flood/image', qos=20), rig.camera('/calm/image')
    image, other = rig.image(), rig.image()
    image.header.frame_id, other.header.frame_id = 'flood', 'calm'

    def flooded(is_over):
        return rig.spin_until(lambda: [flood.publish(image) for _ in range(5)] and is_over())

    assert flooded(lambda: seen(rig, 'flood') > 2)
    for number in range(1, CALM_IMAGES + 1):
        calm.publish(other)
        assert flooded(lambda n=number: seen(rig, 'calm') == n)
    counts = rig.node.counts
    assert counts.of('/calm/image').processed == CALM_IMAGES
    assert counts.of('/calm/image').superseded == 0
    assert counts.of('/flood/image').superseded > counts.of('/flood/image').processed
    assert counts.of('/flood/image').is_balanced


def test_two_cameras_that_both_send_too_much_take_turns(open_rig):
    rig = open_rig(
        image_topics=['/left/image', '/right/image'], slots=1, dla_emulator_options='task_ms=15',
        input_qos='DEFAULT', input_qos_depth=20,
    )  # fmt: skip
    rig.activate()
    cameras = {}
    for side in ('left', 'right'):
        rig.listen(f'/{side}/detections')
        cameras[side] = rig.camera(f'/{side}/image', qos=20)
    image = rig.image()

    def publish(side, times):
        image.header.frame_id = side
        for _ in range(times):
            cameras[side].publish(image)

    # one sends three times as much as the other; both always have an image waiting
    assert rig.spin_until(
        lambda: publish('left', 6) or publish('right', 2) or len(rig.arrays) >= 30, 30
    )
    both = [array.header.frame_id for array in rig.arrays[:30]]
    repeats = sum(one == next_one for one, next_one in itertools.pairwise(both))
    assert abs(both.count('left') - both.count('right')) <= 6, both
    assert repeats <= 6, both


def seen(rig, frame_id):
    return sum(array.header.frame_id == frame_id for array in rig.arrays)
