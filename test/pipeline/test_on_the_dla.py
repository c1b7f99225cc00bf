"""The pipeline on the emulated DLA, through the real cuda.bindings.cudla."""

from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from threading import Event as Gate
import time

from dla_ros.devices.host.device import HostDevice
from dla_ros.emulator import EmulatorOptions, running, start
from dla_ros.emulator.build import emulate
from dla_ros.engines.cudla.engine import CudlaEngine
from dla_ros.errors import DlaError, EngineHangError
from dla_ros.heads.registry import open_head
from dla_ros.images.image import ImageView
from dla_ros.pipeline.counters import Counts
from dla_ros.pipeline.frame import Frame
from dla_ros.pipeline.pipeline import Pipeline
from dla_ros.scene.card import write_shape_detector
from dla_ros.scene.scene import Scene
import pytest

GENEROUS_S = 20.0
NETWORK = (160, 160)


class Told:
    """Remember what the pipelines of a test tell."""

    def __init__(self):
        self.results, self.failures, self.failed = [], [], Gate()

    def fail(self, error):
        self.failures.append(error)
        self.failed.set()


@pytest.fixture(scope='module')
def shapes(tmp_path_factory):
    """Give a loadable that finds shapes, and its record."""
    folder = tmp_path_factory.mktemp('shapes')
    record = write_shape_detector(folder / 'shapes.onnx', NETWORK)
    return folder / 'shapes.dla', replace(
        emulate(folder / 'shapes.onnx', folder / 'shapes.dla'), head=record.head
    )


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def open_on_dla(shapes, told):
    """Give the opener of a pipeline on a core of a DLA told to be so; all is closed after."""
    path, record = shapes
    leaks = start(EmulatorOptions(threads=1)).report().leaks  # of tests that leak on purpose
    with ExitStack() as held:
        device = held.enter_context(HostDevice.open())
        held.callback(start, EmulatorOptions(threads=1))

        def open_one(told_to_be='', core=0, timeout_ms=10_000, **options):
            start(replace(EmulatorOptions.parse(told_to_be), threads=1))
            engine = CudlaEngine.open(
                path, device, dla_core=core, is_emulated=True, task_timeout_ms=timeout_ms
            )
            held.callback(engine.close)
            head = open_head(
                record.head.name, engine.inputs[0], engine.outputs, record.head.options
            )
            pipeline = Pipeline.open(
                engine, device, head, record.preprocessing, on_result=told.results.append,
                on_invalid=lambda frame, error: told.fail(error), on_failure=told.fail, **options,
            )  # fmt: skip
            held.callback(pipeline.close)
            return pipeline

        yield open_one
    report = running().report()
    assert (report.open_handles, report.registrations, report.leaks) == (0, 0, leaks)


def scene_of(index):
    """Give a scene whose size changes with the frames: as large as the network, and twice."""
    scale = 1 + index % 2
    return Scene.open(index // 10, (144 * scale, 160 * scale), cell=8 * scale)


def scene_frame(index, source='camera'):
    return Frame(source, index, partial(load_scene, index))


def load_scene(index):
    picture, _ = scene_of(index).frame(index)
    return ImageView('rgb8', *picture.shape[:2], (picture,))


def offer_all(pipeline, indices, told):
    for index in indices:
        pipeline.offer(scene_frame(index))
        while pipeline.counts.total.waiting and not told.failed.is_set():
            time.sleep(0.0005)


def rows(found):
    return sorted(
        (int(class_id), *box)
        for box, class_id in zip(found.xyxy.tolist(), found.class_ids, strict=True)
    )


def test_every_frame_gets_its_own_boxes_while_others_are_in_flight(open_on_dla, told):
    pipeline = open_on_dla('task_ms=2', slots=3)
    offer_all(pipeline, range(40), told)
    assert pipeline.drain(GENEROUS_S)
    assert told.failures == []
    assert [result.frame.token for result in told.results] == list(range(40))
    for index, result in enumerate(told.results):
        truth = rows(scene_of(index).truth(index))
        assert truth
        assert rows(result.detections) == truth
    assert pipeline.counts.total == Counts(40, processed=40)


def test_two_cores_work_side_by_side(open_on_dla, told):
    started = running().report().busy_s if running() else (0.0, 0.0)
    pipelines = [open_on_dla('task_ms=2', core=core) for core in (0, 1)]
    for index in range(10):
        for core, pipeline in enumerate(pipelines):
            pipeline.offer(scene_frame(index, source=f'core {core}, {index}'))
    assert all(pipeline.drain(GENEROUS_S) for pipeline in pipelines)
    assert [pipeline.counts.total.processed for pipeline in pipelines] == [10, 10]
    for result in told.results:
        index = result.frame.token
        assert rows(result.detections) == rows(scene_of(index).truth(index))
    busy = [now - before for now, before in zip(running().report().busy_s, started, strict=False)]
    assert min(busy) >= 10 * 0.002


def test_a_task_that_fails_on_the_dla_is_told_once_with_its_status(open_on_dla, told):
    # With one slot, for two may change places on the way to the core.
    pipeline = open_on_dla('fail=task:3:0x40000004', slots=1)
    offer_all(pipeline, range(10), told)
    assert told.failed.wait(GENEROUS_S)
    (error,) = told.failures
    assert isinstance(error, DlaError)
    assert (error.call, error.status) == ('get_last_error', 0x40000004)
    assert error.name == 'DLA_PROCESSOR_BUSY'
    assert error.meaning.startswith('the DLA was busy')
    assert str(error).startswith('DLA core 0 (emulated): ')
    assert len(told.results) == 2
    total = pipeline.counts.total
    assert total.is_balanced
    assert (total.processed, total.waiting, total.in_flight) == (2, 0, 0)
    pipeline.close()
    assert pipeline.abandoned_slots == 0


def test_a_submission_that_is_refused_is_told_once(open_on_dla, told):
    pipeline = open_on_dla('fail=submit:2')
    offer_all(pipeline, range(5), told)
    assert told.failed.wait(GENEROUS_S)
    (error,) = told.failures
    assert isinstance(error, DlaError)
    assert (error.call, error.status, error.name) == ('submit_task', 7, 'UMD')
    assert len(told.results) == 1


def test_a_hung_task_is_told_and_close_ends_before_it(open_on_dla, told):
    pipeline = open_on_dla('hang=submit:1', watchdog_s=0.2)
    offer_all(pipeline, range(3), told)
    assert told.failed.wait(GENEROUS_S)
    (error,) = told.failures
    assert isinstance(error, EngineHangError)
    assert 'DLA core 0 (emulated): no result after 0.2 s' in str(error)
    assert told.results == []
    pipeline.close()
    assert pipeline.abandoned_slots == 2
    assert running().report().registrations > 0, 'nothing is touched while the task hangs'


def test_a_task_that_times_out_on_the_dla_before_the_watchdog_tells_its_status(open_on_dla, told):
    pipeline = open_on_dla('hang=submit:1', timeout_ms=100, watchdog_s=GENEROUS_S)
    pipeline.offer(scene_frame(0))
    assert told.failed.wait(GENEROUS_S)
    assert told.failures[0].name == 'DLA_ENGINE_TIMEOUT'
    pipeline.close()
    assert pipeline.abandoned_slots == 0


def test_closing_with_frames_in_flight_gives_all_memory_back(open_on_dla, told):
    pipeline = open_on_dla('task_ms=20')
    for index in range(3):
        pipeline.offer(scene_frame(index, source=str(index)))
    pipeline.close()
    assert pipeline.counts.total == Counts(3, processed=2, superseded=1)
    assert [result.frame.token for result in told.results] == [0, 1]
    assert running().report().registrations == 0
