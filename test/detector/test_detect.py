"""Images in, boxes out, from one's own Python: detect and detect_many on the emulated DLA."""

from functools import partial
from multiprocessing.shared_memory import SharedMemory
from threading import Thread

import cv2
import dla_ros
from dla_ros.emulator.build import emulate
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.scene import Scene
import numpy as np
import pytest

NETWORK = (232, 320)
GENEROUS_S = 20.0


@pytest.fixture(scope='module')
def loadable(tmp_path_factory):
    folder = tmp_path_factory.mktemp('shapes')
    write_shape_detector(folder / 'shapes.onnx', NETWORK, stride=8)
    emulate(folder / 'shapes.onnx', folder / 'shapes.dla')
    return folder / 'shapes.dla'


@pytest.fixture
def open_detector(loadable):
    """Give the opener of detectors, which are closed after the test."""
    opened = []

    def make(options='', **settings):
        listeners = {name: settings.pop(name) for name in list(settings) if name[:3] == 'on_'}
        config = dla_ros.DetectorConfig(
            engine_file_path=str(loadable), dla_device='emulator', dla_emulator_options=options,
            **settings,
        )  # fmt: skip
        opened.append(dla_ros.Detector.open(config, **listeners))
        return opened[-1]

    yield make
    for detector in opened:
        detector.close()


@pytest.fixture
def scene():
    return Scene.open(7, NETWORK, cell=8)


def same(found, truth):
    np.testing.assert_allclose(sorted(found.xyxy.tolist()), sorted(truth.xyxy.tolist()), atol=0.05)


def test_an_array_is_detected_in_whatever_order_its_colours_are(open_detector, scene):
    detector = open_detector()
    picture, truth = scene.frame(0)
    blue_first = np.ascontiguousarray(picture[..., ::-1])
    first = detector.detect(blue_first)
    same(first, truth)
    second = detector.detect(picture, encoding='rgb8')
    third = detector.detect(cv2.cvtColor(picture, cv2.COLOR_RGB2BGRA), 'bgra8')
    for other in (second, third):
        np.testing.assert_array_equal(other.xyxy, first.xyxy)
        np.testing.assert_array_equal(other.class_ids, first.class_ids)


def test_a_view_and_a_function_are_images_too(open_detector, scene):
    detector = open_detector()
    picture, truth = scene.frame(0)
    view = dla_ros.to_image_view(
        picture.tobytes(), height=232, width=320, encoding='rgb8', step=960
    )
    same(detector.detect(view), truth)
    same(detector.detect(lambda: view), truth)
    same(detector.detect(lambda: picture, 'rgb8'), truth)


def test_many_images_come_back_in_order(open_detector, scene):
    detector = open_detector()
    images = (scene.frame(number)[0] for number in range(20))
    count = 0
    for number, found in enumerate(detector.detect_many(images, encoding='rgb8')):
        same(found, scene.truth(number))
        count += 1
    assert count == 20
    assert detector.counts.of('detect').processed == 20


def test_a_stack_of_images_is_many_and_one_image_is_not(open_detector, scene):
    detector = open_detector()
    stack = np.stack([scene.frame(number)[0] for number in range(3)])
    assert len(list(detector.detect_many(stack, 'rgb8'))) == 3
    with pytest.raises(TypeError, match='use detect for one'):
        detector.detect_many(stack[0])


@pytest.mark.parametrize('wrong', [np.zeros((9, 9, 3)), 'street.jpg', None, lambda: None])
def test_one_bad_image_is_one_error(open_detector, scene, wrong):
    detector = open_detector()
    picture, truth = scene.frame(0)
    with pytest.raises(dla_ros.ImageError):
        detector.detect(wrong)
    same(detector.detect(picture, 'rgb8'), truth)
    images = [picture, wrong, picture]
    found = list(detector.detect_many(images, 'rgb8', return_exceptions=True))
    assert isinstance(found[1], dla_ros.ImageError)
    same(found[2], truth)


def test_the_callers_memory_is_free_when_the_answer_is_there(open_detector, scene):
    detector = open_detector()
    picture, truth = scene.frame(0)
    for _ in range(10):
        shared = SharedMemory(create=True, size=picture.nbytes)
        try:
            image = np.ndarray(picture.shape, np.uint8, shared.buf)
            image[:] = picture
            same(detector.detect(image, 'rgb8'), truth)
            del image
        finally:
            shared.close()  # BufferError where anybody still looks into it
            shared.unlink()


def test_a_hung_task_is_told_to_all_who_wait_with_its_status(open_detector, scene):
    detector = open_detector('hang=submit:2', task_timeout_ms=300)
    picture, truth = scene.frame(0)
    same(detector.detect(picture, 'rgb8'), truth)
    results = detector.detect_many(5 * [picture], 'rgb8')
    with pytest.raises(dla_ros.DlaError) as caught:
        next(results)
    assert (caught.value.call, caught.value.status) == ('get_last_error', 0x40000006)
    assert caught.value.name == 'DLA_ENGINE_TIMEOUT'
    assert 'task_timeout_ms' in caught.value.meaning
    assert list(results) == []
    with pytest.raises(dla_ros.DlaError) as later:
        detector.detect(picture, 'rgb8')
    assert later.value.details == caught.value.details
    assert detector.counts.total.is_balanced


def test_a_closed_detector_says_so(open_detector, scene):
    detector = open_detector()
    detector.close()
    with pytest.raises(dla_ros.EngineError, match='is closed; open it again'):
        detector.detect(scene.frame(0)[0], 'rgb8')


def test_cameras_and_threads_that_wait_share_one_detector(open_detector, scene):
    results, failures = [], []
    detector = open_detector(
        on_result=results.append, on_invalid=print, on_failure=failures.append
    )
    pictures = [scene.frame(number)[0] for number in range(6)]

    def check(detect):
        try:
            detect()
        except Exception as error:
            failures.append(error)

    def one_by_one():
        for number, picture in enumerate(pictures):
            same(detector.detect(picture, 'rgb8'), scene.truth(number))

    def many():
        for number, found in enumerate(detector.detect_many(pictures, 'rgb8')):
            same(found, scene.truth(number))

    threads = [Thread(target=check, args=(act,)) for act in (one_by_one, many, one_by_one)]
    for thread in threads:
        thread.start()
    for number in range(40):
        load = partial(dla_ros.ImageView, 'rgb8', *NETWORK, (pictures[number % 6],))
        detector.offer(dla_ros.Frame('camera', number, load))
    for thread in threads:
        thread.join()
    assert detector.drain(GENEROUS_S)
    assert failures == []
    assert detector.counts.of('detect').processed == 18
    camera = detector.counts.of('camera')
    assert camera.received == camera.processed + camera.superseded == 40
    assert len(results) == camera.processed
    assert results[-1].frame.token == 39, 'the newest image is never left out'
