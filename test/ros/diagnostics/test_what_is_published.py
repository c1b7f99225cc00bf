"""Publishers that are there and will never be heard: the node says which setting hears them."""

from dla_ros.ros.handover.publisher import HandoverPublisher
import pytest
import rclpy
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import String

NEVER = {'image_timeout_ms': 0}  # only what the graph shows is told, not the silence
TOPIC = '/cam/image_raw'


@pytest.fixture
def foreign_camera():
    """Give publishers of another participant: one knows each topic by one type only."""
    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node('camera', namespace='front', context=context)
    yield lambda kind, topic, qos=10: node.create_publisher(kind, topic, qos)
    node.destroy_node()
    context.try_shutdown()


@pytest.mark.parametrize(
    ('transport', 'kind', 'topic', 'words'),
    [
        (
            'raw', CompressedImage, f'{TOPIC}/compressed',
            f"nobody publishes '{TOPIC}', but '{TOPIC}/compressed' carries "
            'sensor_msgs/msg/CompressedImage; set image_transport: compressed',
        ),
        (
            'compressed', Image, TOPIC,
            f"nobody publishes '{TOPIC}/compressed', but '{TOPIC}' carries sensor_msgs/msg/Image; "
            'set image_transport: raw',
        ),
        (
            'raw', CompressedImage, TOPIC,
            f"'{TOPIC}' carries sensor_msgs/msg/CompressedImage (from /front/camera), not "
            f'sensor_msgs/msg/Image; set image_transport: compressed and image_topics: [{TOPIC}], '
            f"and remap '{TOPIC}/compressed' to '{TOPIC}'",
        ),
        (
            'compressed', CompressedImage, TOPIC,
            f"'{TOPIC}' itself carries sensor_msgs/msg/CompressedImage; set image_transport: "
            f"compressed and image_topics: [{TOPIC}], and remap '{TOPIC}/compressed' to '{TOPIC}'",
        ),
        (
            'raw', String, TOPIC,
            f"'{TOPIC}' carries std_msgs/msg/String (from /front/camera), not "
            'sensor_msgs/msg/Image; image_transport raw reads sensor_msgs/msg/Image; name the',
        ),
    ],
)  # fmt: skip
def test_what_is_published_is_named_with_the_setting_that_hears_it(
    open_told_rig, foreign_camera, log, transport, kind, topic, words
):
    rig = open_told_rig(image_topics=[TOPIC], image_transport=transport, **NEVER)
    foreign_camera(kind, topic)
    rig.activate()
    assert rig.tells('ERROR', words)
    assert rig.tells('ERROR', words, f'{TOPIC} topic status')
    assert log.tells(words)
    seen = rig.told.arrays
    assert rig.spin_until(lambda: rig.told.arrays > seen + 15)
    assert log.text.count(words) == 1


def test_the_remapping_that_is_proposed_is_heard(spinning, open_told_rig, foreign_camera):
    """That compressed images on any topic are heard by what the node proposes."""
    rig = open_told_rig(
        image_topics=[TOPIC], image_transport='compressed', remap={f'{TOPIC}/compressed': TOPIC}
    )
    camera = foreign_camera(CompressedImage, TOPIC)
    rig.activate()

    def show():
        camera.publish(CompressedImage(format='jpeg', data=b'no jpeg'))
        return rig.counts.received > 0

    assert rig.spin_until(show)


def test_an_incompatible_qos_names_both_sides(open_told_rig, log):
    rig = open_told_rig(input_qos='DEFAULT', **NEVER)
    rig.activate()
    rig.camera_not_heard(qos_profile_sensor_data)
    words = (
        "a publisher of '/image' is not heard: the QoS of /client is incompatible with input_qos "
        'DEFAULT (RELIABILITY: BEST_EFFORT offered, RELIABLE wanted); cleanup, and set input_qos: '
        'SENSOR_DATA, which hears every camera'
    )
    assert rig.tells('ERROR', words)
    assert log.tells(words)


def test_a_second_publisher_that_is_not_heard_is_a_warning(open_told_rig, client_node):
    rig = open_told_rig(input_qos='DEFAULT')
    rig.activate()
    rig.show(rig.image())
    other = rig.camera_not_heard(qos_profile_sensor_data)
    assert rig.spin_until(lambda: rig.show(rig.image()) and rig.told.level() == 'WARN')
    assert 'is not heard' in rig.told.message()
    client_node.destroy_publisher(other)
    assert rig.spin_until(lambda: rig.show(rig.image()) and rig.told.level() == 'OK')


@pytest.mark.parametrize(
    ('topic', 'words'),
    [
        (
            '/cam/image_raw/compressed',
            "image_topics '/cam/image_raw/compressed': the compressed form is not named; set "
            'image_transport: compressed and image_topics: [/cam/image_raw]',
        ),
        ('/cam/depth/compressedDepth', "the node does not read 'compressedDepth'; take the plain"),
        ('/cam/image_raw/theora', "the node does not read 'theora'"),
        ('/cam/image_raw/ffmpeg', 'ros2 run image_transport republish ffmpeg raw makes one'),
        ('/cam/image_raw/zstd', "the node does not read 'zstd'"),
    ],
)
def test_forms_of_a_topic_are_refused_by_name(open_told_rig, log, topic, words):
    rig = open_told_rig(image_topics=[topic])
    assert not rig.lifecycle.change('configure')
    assert log.tells(words)
    assert rig.tells('ERROR', words)


def test_a_remapping_to_a_form_is_refused_by_name(open_told_rig, log):
    rig = open_told_rig(remap={'image': '/cam/image_raw/compressed'})
    assert not rig.lifecycle.change('configure')
    assert log.tells(
        "image_topics 'image' is remapped to '/cam/image_raw/compressed': the compressed form is "
        "not named; set image_transport: compressed and remap it to '/cam/image_raw'"
    )


def test_another_type_in_the_same_process_refuses_activate_and_leaves_nothing_subscribed(
    open_told_rig, client_node, log
):
    """There DDS does not let the node subscribe at all."""
    rig = open_told_rig(image_topics=['front/image', 'rear/image'])
    wrong = client_node.create_publisher(CompressedImage, 'rear/image', 1)
    assert rig.lifecycle.change('configure')
    assert not rig.lifecycle.change('activate')
    words = (
        "'rear/image' cannot be subscribed to: '/rear/image' carries sensor_msgs/msg/Compressed"
    )
    assert log.tells(words)
    assert 'Traceback' not in log.text
    assert rig.tells('ERROR', f'inactive: activate failed: {words}')
    assert rig.spin_until(lambda: rig.node.count_subscribers('front/image') == 0)
    client_node.destroy_publisher(wrong)
    assert rig.lifecycle.change('activate')
    assert rig.tells('OK', 'active on')


def test_another_type_of_detections_in_the_same_process_refuses_configure(
    open_told_rig, client_node, log
):
    rig = open_told_rig()
    client_node.create_publisher(Image, 'front/detections', 1)
    rig.node.set_parameters([Parameter('image_topics', value=['front/image'])])
    assert not rig.lifecycle.change('configure')
    assert log.tells('topic name rt/front/detections with incompatible type')
    assert 'Traceback' not in log.text


def test_a_camera_of_this_process_that_hands_images_over_is_heard(open_told_rig, client_node):
    rig = open_told_rig(image_timeout_ms=300)
    camera = HandoverPublisher(client_node, Image, 'image', 5)
    rig.activate()
    assert rig.tells('ERROR', 'though a node of this process publishes it')

    def show():
        camera.publish(rig.image())
        return rig.told.level() == 'OK'

    assert rig.spin_until(show)
    assert rig.told.values('image topic status')['publishers'] == 'a node of this process'
    camera.close()
