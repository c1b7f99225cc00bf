"""The node among real publishers and subscribers; the DLA is the emulated one."""

from dla_ros.detections import Detections
from dla_ros.ros.messages import to_detections
from dla_ros.scene.colours import CLASSES
import numpy as np
import pytest
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data, QoSDurabilityPolicy, QoSProfile
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import Float64
from vision_msgs.msg import LabelInfo


def rows(found: Detections):
    """Give boxes with classes as a sorted list, to compare whatever their order."""
    return sorted(
        (int(i), *(round(v, 2) for v in box))
        for i, box in zip(found.class_ids.tolist(), found.xyxy.tolist(), strict=True)
    )


def test_the_shapes_of_a_scene_come_out_where_they_are(open_rig):
    rig = open_rig()
    rig.activate()
    for number in range(3):
        _, found = to_detections(rig.show(rig.image(number)))
        assert rows(found) == rows(rig.scene.truth(number))


def test_the_header_is_the_images_own_on_both_levels(open_rig):
    rig = open_rig()
    rig.activate()
    for stamp in ((12, 345), (0, 0)):
        image = rig.image()
        image.header.stamp.sec, image.header.stamp.nanosec = stamp
        array = rig.show(image)
        assert array.header == image.header
        assert array.detections
        assert all(found.header == image.header for found in array.detections)


def test_an_empty_array_is_published_for_each_frame_without_objects(open_rig):
    rig = open_rig()
    rig.activate()
    blank = rig.image()
    blank.data = type(blank.data)('B', bytes(len(blank.data)))
    array = rig.show(blank)
    assert len(array.detections) == 0
    assert array.header == blank.header


def test_class_ids_are_indices_and_label_info_names_them_to_a_late_subscriber(
    open_rig, client_node
):
    rig = open_rig()
    rig.activate()
    array = rig.show(rig.image())
    assert {d.results[0].hypothesis.class_id for d in array.detections} <= {
        str(i) for i in range(len(CLASSES))
    }
    infos = []
    latched = QoSProfile(depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)
    client_node.create_subscription(LabelInfo, 'label_info', infos.append, latched)
    assert rig.spin_until(lambda: infos)
    pairs = {item.class_id: item.class_name for item in infos[0].class_map}
    assert pairs == dict(enumerate(CLASSES))
    assert infos[0].threshold == pytest.approx(0.4)


def test_class_ids_are_names_if_asked(open_rig):
    rig = open_rig(class_id_format='name')
    rig.activate()
    array = rig.show(rig.image())
    assert {d.results[0].hypothesis.class_id for d in array.detections} <= set(CLASSES)


@pytest.mark.parametrize(
    ('change', 'words'),
    [
        ({'encoding': 'foo8'}, 'foo8'),
        ({'step': 3}, 'step'),
        ({'height': 0}, 'height'),
        ({'data': b''}, 'data'),
    ],
)
def test_a_bad_image_is_counted_and_told_and_the_next_one_is_found(open_rig, log, change, words):
    rig = open_rig()
    rig.activate()
    camera = rig.camera()
    bad = rig.image()
    for name, value in change.items():
        setattr(bad, name, type(bad.data)('B', value) if name == 'data' else value)
    camera.publish(bad)
    assert rig.spin_until(lambda: rig.counts.invalid == 1)
    assert rig.arrays == []
    text = log.text
    assert 'dropped an image' in text
    assert words in text
    assert len(rig.show(rig.image()).detections) > 0
    assert rig.lifecycle.state() == 'active'


def test_images_may_change_size_and_encoding_midstream(open_rig):
    rig = open_rig()
    rig.activate()
    wanted = rows(rig.scene.truth(0))
    for encoding in ('rgb8', 'bgra8', 'nv12', 'bgr8'):
        _, found = to_detections(rig.show(rig.image(0, encoding)))
        assert [row[0] for row in rows(found)] == [row[0] for row in wanted]
    small = rig.image()
    small.height, small.data = 64, small.data[: 64 * small.step]
    assert rig.show(small).header == small.header


def test_thresholds_change_while_active(open_rig):
    rig = open_rig()
    rig.activate()
    assert len(rig.show(rig.image()).detections) > 1
    done = rig.node.set_parameters([Parameter('max_detections', value=1)])
    assert done[0].successful
    assert len(rig.show(rig.image()).detections) == 1
    rig.node.set_parameters([Parameter('confidence_threshold', value=1.0)])
    rig.node.set_parameters([Parameter('max_detections', value=100)])
    scores = [d.results[0].hypothesis.score for d in rig.show(rig.image()).detections]
    assert all(score >= 1.0 for score in scores)


def test_the_engine_is_fixed_while_configured(open_rig):
    rig = open_rig()
    rig.activate()
    refused = rig.node.set_parameters([Parameter('dla_core', value=1)])
    assert not refused[0].successful
    assert 'cleanup' in refused[0].reason


@pytest.mark.parametrize('qos', [qos_profile_sensor_data, 10], ids=['best effort', 'reliable'])
def test_best_effort_and_reliable_cameras_are_heard(open_rig, qos):
    rig = open_rig()
    rig.activate()
    rig.camera(qos=qos).publish(rig.image())
    assert rig.spin_until(lambda: rig.arrays)


def test_each_camera_gets_its_own_detections(open_rig):
    rig = open_rig(image_topics=['/front/image_raw', '/rear/image_raw'])
    rig.activate()
    rig.listen('/front/detections')
    rig.listen('/rear/detections')
    front, rear = rig.image(0), rig.image(5)
    rear.header.frame_id = 'rear_camera'
    assert rig.show(front, '/front/image_raw').header.frame_id == 'cam_left_optical'
    assert rig.show(rear, '/rear/image_raw').header.frame_id == 'rear_camera'
    by_source = rig.node.counts.by_source
    assert {key: row.processed for key, row in by_source.items()} == {
        '/front/image_raw': 1, '/rear/image_raw': 1,
    }  # fmt: skip


def test_compressed_images_are_decoded(open_rig, client_node):
    rig = open_rig(image_transport='compressed')
    rig.activate()
    picture, truth = rig.scene.frame(0)
    message = CompressedImage(format='png')
    message.data = type(message.data)('B', to_png(picture))
    rig.camera('image/compressed', CompressedImage).publish(message)
    assert rig.spin_until(lambda: rig.arrays)
    assert rows(to_detections(rig.arrays[0])[1]) == rows(truth)
    message.data = message.data[:100]
    rig.camera('image/compressed', CompressedImage).publish(message)
    assert rig.spin_until(lambda: rig.counts.invalid == 1)


def to_png(rgb):
    import cv2

    return cv2.imencode('.png', rgb[:, :, ::-1])[1].tobytes()


def test_the_debug_image_comes_when_somebody_looks(open_rig, client_node):
    rig = open_rig()
    rig.activate()
    rig.show(rig.image())
    seen = []
    client_node.create_subscription(Image, 'debug_image', seen.append, 10)
    assert rig.spin_until(lambda: client_node.count_publishers('debug_image'))
    assert rig.spin_until(lambda: rig.node.count_subscribers('debug_image'))
    image = rig.image()
    assert rig.spin_until(lambda: rig.show(image) and seen)
    picture = np.frombuffer(seen[0].data, np.uint8).reshape(seen[0].height, seen[0].width, 3)
    source = np.frombuffer(image.data, np.uint8).reshape(picture.shape)[:, :, ::-1]
    assert seen[0].header == image.header
    assert seen[0].encoding == 'bgr8'
    assert (picture != source).any()
    assert (picture == source).mean() > 0.3


def test_latencies_come_when_somebody_listens(open_rig, client_node):
    rig = open_rig()
    rig.activate()
    values = {}
    names = ('preprocess', 'inference', 'postprocess', 'processing_time', 'pipeline_latency')
    for name in names:
        topic = f'/dla_detector/debug/{name}_ms'
        client_node.create_subscription(
            Float64, topic, lambda m, key=name: values.setdefault(key, m.data), 10
        )
    assert rig.spin_until(lambda: rig.show(rig.image()) and len(values) == len(names))
    assert all(value > 0 for value in values.values())
    assert values['processing_time'] >= values['preprocess'] + values['inference']


def test_every_frame_is_accounted_for_when_they_come_too_fast(open_rig):
    rig = open_rig(dla_emulator_options='task_ms=30', slots=1, input_qos='DEFAULT',
                   input_qos_depth=100)  # fmt: skip
    rig.activate()
    camera = rig.camera(qos=100)
    for number in range(30):
        camera.publish(rig.image(number))
    assert rig.spin_until(lambda: rig.counts.received == 30)
    assert rig.spin_until(lambda: len(rig.arrays) == rig.counts.processed and not busy(rig.counts))
    counts = rig.counts
    assert counts.processed + counts.superseded == 30
    assert counts.superseded > 0
    stamps = [array.header.stamp.nanosec for array in rig.arrays]
    assert stamps == sorted(stamps)
    assert stamps[-1] == 345 + 29, 'the newest frame is never left out'


def busy(counts):
    return counts.waiting + counts.in_flight


def test_nothing_is_detected_outside_active_and_life_goes_on(open_rig):
    rig = open_rig()
    for transition in ('configure', 'activate', 'deactivate', 'activate', 'deactivate', 'cleanup'):
        assert rig.lifecycle.change(transition)
    assert rig.lifecycle.state() == 'unconfigured'
    assert rig.lifecycle.change('configure')
    assert rig.client_has_no_image_subscriber()
    assert rig.lifecycle.change('activate')
    assert rig.show(rig.image())
    assert rig.lifecycle.change('shutdown')
    assert rig.lifecycle.state() == 'finalized'
