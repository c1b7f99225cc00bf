"""A detector from settings alone: what is opened is closed, what cannot be is said."""

from threading import Event

from dla_ros.config import DetectorConfig
from dla_ros.detector import Detector
from dla_ros.emulator import running
from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.library import Cudla
from dla_ros.errors import ConfigError, DlaRosError, HeadError
from dla_ros.images.image import to_image_view
from dla_ros.pipeline.frame import Frame
import numpy as np
import onnx
from onnx import helper, numpy_helper, TensorProto
import pytest

SIDE, CLASSES, PLACES = 320, 3, 2100
BOX = (100.0, 80.0, 40.0, 20.0)  # centre x, y, width, height


@pytest.fixture(scope='module')
def loadable(tmp_path_factory):
    """Give a network with one output 1 x (4 + 3) x 2100, whatever it is shown."""
    rows = np.zeros((1, 4 + CLASSES, PLACES), np.float32)
    rows[0, :, 7] = (*BOX, 0.0, 0.0, 0.875)
    nodes = [
        helper.make_node('GlobalMaxPool', ['images'], ['peak']),
        helper.make_node('Mul', ['peak', 'none'], ['nothing']),
        helper.make_node('ReduceSum', ['nothing', 'axes'], ['zero'], keepdims=0),
        helper.make_node('Add', ['rows', 'zero'], ['output0']),
    ]
    constants = [
        numpy_helper.from_array(rows, 'rows'),
        numpy_helper.from_array(np.zeros(1, np.float32), 'none'),
        numpy_helper.from_array(np.array([0, 1, 2, 3]), 'axes'),
    ]
    graph = helper.make_graph(
        nodes, 'yolo',
        [helper.make_tensor_value_info('images', TensorProto.FLOAT, (1, 3, SIDE, SIDE))],
        [helper.make_tensor_value_info('output0', TensorProto.FLOAT, rows.shape)], constants,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp('yolo')
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 17)], ir_version=8)
    onnx.save(model, folder / 'yolo.onnx')
    emulate(folder / 'yolo.onnx', folder / 'yolo.dla')
    return folder / 'yolo.dla'


class Told:
    """Keep what a detector tells."""

    def __init__(self):
        self.results = []
        self.came = Event()

    def result(self, result):
        self.results.append(result)
        self.came.set()

    def fail(self, *what):
        raise AssertionError(what)


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def open_detector(loadable, told):
    def make(**settings):
        values = {'engine_file_path': str(loadable), 'dla_device': 'emulator', 'head': 'yolov8'}
        return Detector.open(
            DetectorConfig(**{**values, **settings}),
            on_result=told.result, on_invalid=told.fail, on_failure=told.fail,
        )  # fmt: skip

    return make


def gray(height, width):
    data = np.full(height * width, 128, np.uint8)
    return to_image_view(data, height=height, width=width, encoding='mono8', step=width)


def test_sizes_and_classes_come_from_the_network(open_detector, told):
    with open_detector(label_list=('a', 'b', 'c')) as detector:
        assert detector.facts['head'] == 'yolov8, 3 classes'
        detector.offer(Frame(source='x', token=None, load=lambda: gray(640, 640)))
        assert told.came.wait(30)
    (result,) = told.results
    x, y, width, height = (2 * number for number in BOX)  # the picture is twice the network
    wanted = [[x - width / 2, y - height / 2, x + width / 2, y + height / 2]]
    assert result.detections.xyxy.tolist() == wanted
    assert result.detections.class_ids.tolist() == [2]


def test_labels_of_another_network_are_refused_with_both_numbers(open_detector):
    with pytest.raises(HeadError, match='labels 80, output classes 3'):
        open_detector(label_list=tuple(f'label {i}' for i in range(80)))
    assert running().report().open_handles == 0


def test_classes_without_names_are_numbers(open_detector):
    with open_detector() as detector:
        assert detector.labels == ('0', '1', '2')


@pytest.mark.parametrize(
    ('wrong', 'words'),
    [
        ({'head': 'yolox'}, 'no room|box|strides'),
        ({'dla_core': 2}, 'DLA cores 0 to 1'),
        ({'image_mean': (0.0,)}, 'mean has 1 numbers'),
        ({'image_stddev': (1e-9, 1.0, 1.0)}, 'beyond fp16'),
        ({'dla_emulator_options': 'fail=register:2'}, 'mem_register'),
        ({'engine_file_path': ''}, 'engine_file_path is empty'),
        ({'device': 'cuda', 'backend': 'onnx'}, 'backend is onnx'),
    ],
)
def test_what_cannot_be_opened_leaves_nothing_taken(open_detector, wrong, words):
    with pytest.raises(DlaRosError, match=words):
        open_detector(**wrong)
    emulator = running()
    report = emulator.report() if emulator is not None else None
    assert report is None or (report.open_handles, report.registrations) == (0, 0)


def test_closing_twice_is_fine_and_gives_the_core_back(open_detector):
    detector = open_detector(dla_core=1)
    assert detector.placement == 'DLA core 1 (emulated)'
    assert running().report().open_handles == 1
    detector.close()
    detector.close()
    assert running().report().open_handles == 0


@pytest.mark.parametrize('fault', ['unregister:1', 'unregister:4', 'unload:1'])
def test_everything_is_closed_whatever_raises_and_counts_as_lost(open_detector, fault):
    detector = open_detector(dla_emulator_options=f'fail={fault}')
    with pytest.raises(DlaRosError, match='told to fail'):
        detector.close()
    assert detector.is_lost
    report = running().report()
    assert (report.open_handles, report.registrations) == (0, 0)
    detector.close()


def test_a_handle_that_is_not_given_back_counts_as_lost(open_detector):
    detector = open_detector(dla_emulator_options='fail=destroy:1')
    number = detector._engine._handle.number
    with pytest.raises(DlaRosError, match='told to fail: destroy_device'):
        detector.close()
    assert detector.is_lost
    assert running().report().open_handles == 1
    # for the tests to come
    Cudla.open(is_emulated=True).call('destroy_device', number)


def test_a_core_can_be_opened_after_more_failures_than_it_has_handles(open_detector):
    for _ in range(17):
        detector = open_detector(dla_emulator_options='fail=unregister:1')
        with pytest.raises(DlaRosError, match='mem_unregister'):
            detector.close()
    open_detector().close()


def test_each_failure_of_closing_is_told(open_detector):
    faults = ('unregister:1', 'unregister:3', 'unload:1')
    detector = open_detector(dla_emulator_options=','.join(f'fail={each}' for each in faults))
    with pytest.raises(DlaRosError) as caught:
        detector.close()
    for each in ('mem_unregister number 1', 'mem_unregister number 3', 'module_unload'):
        assert f'told to fail: {each}' in str(caught.value)


def test_what_could_not_be_opened_is_told_though_closing_fails_too(open_detector):
    with pytest.raises(DlaRosError) as caught:
        open_detector(dla_emulator_options='fail=register:2,fail=unload:1')
    text = str(caught.value)
    assert text.index('mem_register number 2') < text.index('module_unload number 1')


def test_thresholds_are_taken_from_the_settings(open_detector):
    with open_detector(confidence_threshold=0.9) as detector:
        detector.set_thresholds(DetectorConfig(confidence_threshold=0.1, max_detections=1))
        assert (detector.thresholds.confidence, detector.thresholds.max_detections) == (0.1, 1)


def test_a_label_file_and_a_label_list_contradict(open_detector):
    with pytest.raises(ConfigError, match='both set'):
        open_detector(label_list=('a',), label_path='labels.txt')
