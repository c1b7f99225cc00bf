"""The demo as a new user runs it, in real processes."""

import os
import re
import signal
import subprocess
import sys

from dla_ros.bags.read import bag_topics
import psutil
import pytest


@pytest.fixture(scope='module')
def demo(tmp_path_factory):
    out = tmp_path_factory.mktemp('demo') / 'out'
    command = [sys.executable, '-m', 'dla_ros.demo', '--out', str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    return out, done.stdout


def figure(text, name):
    return re.search(rf'│ {name}\s+│ (.*?)\s*│', text).group(1)


def test_every_frame_of_the_bag_is_accounted_for(demo):
    _, text = demo
    assert figure(text, 'frames in') == '48'
    assert int(figure(text, 'processed')) + int(figure(text, 'dropped')) == 48


def test_it_says_that_the_dla_is_emulated(demo):
    assert figure(demo[1], 'device') == 'emulated'


def test_people_are_found(demo):
    _, text = demo
    people = int(re.search(r'person (\d+)', text).group(1))
    # 218 in 48 frames; a slow machine drops some of the frames
    assert people >= 218 * int(figure(text, 'processed')) / 48 * 0.8


def test_the_table_has_percentiles_of_each_stage(demo):
    for stage in ('preprocess', 'inference', 'postprocess', 'pipeline'):
        assert re.search(rf'│ {stage}.*?│\s+[\d.]+ │\s+[\d.]+ │\s+[\d.]+ │', demo[1])


def test_the_detections_are_in_a_bag_and_the_pictures_are_there(demo):
    out, text = demo
    counts = {topic.name: topic.message_count for topic in bag_topics(out / 'detections')}
    processed = int(figure(text, 'processed'))
    assert counts['/camera/detections'] == processed
    assert counts['/label_info'] == 1
    assert len(list((out / 'frames').glob('*.png'))) == processed
    assert (out / 'contact_sheet.png').stat().st_size > 100_000


def test_a_model_that_is_missing_is_told_in_one_sentence(tmp_path):
    command = [sys.executable, '-m', 'dla_ros.demo', '--model', str(tmp_path / 'no.onnx'),
               '--out', str(tmp_path / 'out')]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert 'no.onnx' in done.stdout
    assert 'Traceback' not in done.stderr


def test_an_interrupt_stops_it_and_its_processes(tmp_path):
    command = [sys.executable, '-m', 'dla_ros.demo', '--out', str(tmp_path / 'out')]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    ) as demo:  # fmt: skip
        said = ''
        while 'activate' not in said:
            said += demo.stdout.readline()
        children = psutil.Process(demo.pid).children(recursive=True)
        os.killpg(demo.pid, signal.SIGINT)
        said += demo.stdout.read()
    assert demo.returncode == 130
    assert said.endswith('stopped\n')
    assert 'Traceback' not in said
    assert children
    assert not any(child.is_running() for child in children)
