"""A detector of a container fails: it is brought up again, and its neighbour is not disturbed."""

from array import array
import subprocess
import sys
import time

from composition_interfaces.srv import LoadNode, UnloadNode
import pytest
from rclpy.parameter import Parameter
from sensor_msgs.msg import Image
from vision_msgs.msg import Detection2DArray

PATIENCE_S = 60


class Box:
    """A container process, and who loads it and shows it images."""

    def __init__(self, node, engine):
        self.arrays = {'left': [], 'right': []}
        self._node = node
        self._engine = engine
        self._image = Image(height=48, width=48, encoding='mono8', step=48)
        self._image.data = array('B', bytes(48 * 48))
        self._cameras = []
        for side, arrays in self.arrays.items():
            self._cameras.append(node.create_publisher(Image, f'/{side}/image', 1))
            node.create_subscription(Detection2DArray, f'/{side}/detections', arrays.append, 100)

    def ask(self, kind, label, **fields):
        client = self._node.create_client(kind, f'/component_container/_container/{label}')
        assert client.wait_for_service(PATIENCE_S)
        future = client.call_async(kind.Request(**fields))
        self._node.own_executor.spin_until_future_complete(future, PATIENCE_S)
        assert future.result().success, future.result().error_message
        return future.result()

    def load(self, side, **values):
        values = {'engine_file_path': str(self._engine), 'dla_device': 'emulator', **values}
        messages = [Parameter(name, value=v).to_parameter_msg() for name, v in values.items()]
        return self.ask(
            LoadNode, 'load_node', package_name='dla_ros', plugin_name='dla_ros::DetectorNode',
            node_name='eye', node_namespace=f'/{side}', parameters=messages,
        ).unique_id  # fmt: skip

    def unload(self, number):
        self.ask(UnloadNode, 'unload_node', unique_id=number)

    def shows_until(self, is_over):
        deadline = time.monotonic() + PATIENCE_S
        while not is_over():
            if time.monotonic() > deadline:
                return False
            for camera in self._cameras:
                camera.publish(self._image)
            self._node.own_executor.spin_once(timeout_sec=0.05)
        return True


@pytest.fixture
def box(client_node, shapes):
    process = subprocess.Popen([sys.executable, '-m', 'dla_ros.ros.container_main'])
    yield Box(client_node, shapes / 'shapes.dla')
    process.terminate()
    assert process.wait(PATIENCE_S) == 0


def test_a_detector_that_fails_comes_back_and_its_neighbour_goes_on(box, watch, shapes):
    box.load('left', dla_emulator_options='fail=submit:20')
    keeper = watch('/left/eye')
    assert keeper.tells('watching /left/eye')
    box.load('right', engine_file_path=str(shapes / 'shapes.onnx'))  # not on the DLA that fails
    other = watch('/right/eye')
    assert other.tells('watching /right/eye')
    again = "'/left/eye' is active again"
    assert box.shows_until(lambda: again in keeper.text), keeper.text
    before = {side: len(arrays) for side, arrays in box.arrays.items()}
    enough = {side: number + 5 for side, number in before.items()}
    arrays = box.arrays
    assert box.shows_until(lambda: all(len(arrays[side]) >= enough[side] for side in enough))
    assert 'it is brought up again' not in other.text
    assert (keeper.stop(), other.stop()) == (0, 0)


def test_a_detector_that_is_loaded_again_is_brought_up_again(box, watch):
    number = box.load('left')
    keeper = watch('/left/eye')
    assert keeper.tells('watching /left/eye')
    box.unload(number)
    assert keeper.tells("'/left/eye' is gone; it is brought up when it comes back")
    box.load('left')
    assert keeper.tells("'/left/eye' is active again")
    assert box.shows_until(lambda: box.arrays['left']), keeper.text
    assert keeper.stop() == 0
