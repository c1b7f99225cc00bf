from dataclasses import replace
from pathlib import Path

from dla_ros.errors import RecordError
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.record.record import DeploymentRecord, record_path
from dla_ros.record.sections import (
    Artifact,
    Build,
    Head,
    Io,
    Placement,
    Platform,
    Port,
    Runtime,
    Source,
)
from hypothesis import given, settings
from hypothesis import strategies as st
import pytest

MODELS = Path(__file__).parents[2] / 'models'

FULL = DeploymentRecord(
    Source('m.onnx', 'ab' * 32, '1234567', 'https://example.org/m', 'MIT'),
    Build('trtexec', '10.3', 'trtexec --onnx=m.onnx', 'fp16', 'm.log'),
    Artifact('dla_standalone_loadable', 'cd' * 32, 1234),
    Runtime('hybrid'),
    Platform('AGX Orin', '36.4.3', '6.2', '12.6', 'MAXN'),
    Placement(('{ForeignNode[Conv_0...Relu_7]}',), ()),
    Io({"images'": Port('int8:dla_hwc4', 0.0078720935)}, {'out': Port('fp16:chw16')}),
    Preprocessing('bgr8', (1.0, 2.0, 3.0), (4.0, 5.0, 6.0), Padding.BOTTOM_RIGHT, 0),
    Head('nanodet', {'strides': [8, 16, 32]}),
    ('person', 'no', 'größer'),
    {'dataset': 'coco', 'ap': 0.371},
    {'latency_ms': [3.8, 4.1]},
)


def refusal(tmp_path, text):
    path = tmp_path / 'net.dla.yaml'
    path.write_text(text, encoding='utf-8')
    with pytest.raises(RecordError) as caught:
        DeploymentRecord.read(path)
    assert 'net.dla.yaml' in str(caught.value)
    return str(caught.value)


def test_a_record_lies_beside_its_engine():
    assert record_path('engines/net.dla') == Path('engines/net.dla.yaml')


def test_a_full_record_survives_the_file(tmp_path):
    FULL.write(tmp_path / 'r.yaml')
    assert DeploymentRecord.read(tmp_path / 'r.yaml') == FULL


@pytest.mark.parametrize('text', ['', '# nothing\n', 'source:\nlabels:\nhead:\n', '{}'])
def test_an_empty_record_knows_nothing(tmp_path, text):
    path = tmp_path / 'r.yaml'
    path.write_text(text)
    assert DeploymentRecord.read(path) == DeploymentRecord()


def test_what_is_not_known_is_not_written(tmp_path):
    DeploymentRecord(source=Source(file='m.onnx')).write(tmp_path / 'r.yaml')
    assert (tmp_path / 'r.yaml').read_text() == 'source:\n  file: m.onnx\n'


def test_scales_are_found_by_tensor_name():
    assert FULL.scales == {"images'": 0.0078720935}


def test_a_record_that_is_not_there_is_none(tmp_path):
    assert DeploymentRecord.beside(tmp_path / 'net.dla') is None
    FULL.write(tmp_path / 'net.dla.yaml')
    assert DeploymentRecord.beside(tmp_path / 'net.dla') == FULL


def test_the_model_card_of_nanodet_is_complete():
    card = DeploymentRecord.read(MODELS / 'nanodet_g_416.onnx.yaml')
    assert card.preprocessing.encoding == 'bgr8'
    assert card.preprocessing.padding_value == 0
    assert card.head.name == 'nanodet'
    assert (len(card.labels), card.labels[0], card.labels[79]) == (80, 'person', 'toothbrush')


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        ('labels: [a]\nhaed: {name: x}\n', ["line 2: 'haed'", "did you mean 'head'?"]),
        ('source:\n  fiel: m.onnx\n', ["line 2: 'source.fiel'", "did you mean 'file'?"]),
        ('zebra: 1\n', ["'zebra' is not known; known are: source, build"]),
        ('io:\n  outpust: {}\n', ["'io.outpust'", 'outputs']),
        ('io:\n  inputs:\n    x: {scal: 1}\n', ["line 3: 'io.inputs.x.scal'", 'scale']),
        ('io:\n  inputs:\n    x:\n      scale: 0.0\n', ['line 4', 'above 0']),
        ('io:\n  inputs:\n    x:\n      scale: 1e-3\n', ["'1e-3'", '1.0e-3']),
        ('io:\n  inputs:\n    x: {scale: .nan}\n', ['must be a number']),
        ('build: {version: 10.30}\n', ["'build.version' is 10.3", 'quotes']),
        ('labels: [yes, no]\n', ["'labels' is True", 'quotes']),
        ('labels: person\n', ["'labels' is 'person'", 'must be a list']),
        ('artifact: {kind: engine}\n', ["'engine'", 'dla_standalone_loadable or dla_emulator']),
        ('artifact: {size: -1}\n', ['whole number']),
        ('artifact: {size: true}\n', ['whole number']),
        ('artifact: 7\n', ["'artifact' is 7", '"key: value" lines']),
        ('head: {options: {}}\n', ["line 1: 'head.name' is missing"]),
        ('head: {name: 5}\n', ["'head.name' is 5"]),
        ('runtime: {mode: nvsci}\n', ["'nvsci'", 'use hybrid']),
        ('preprocessing: {padding: LEFT}\n', ["'LEFT'", 'CENTER or BOTTOM_RIGHT or STRETCH']),
        ('preprocessing: {encoding: rgb}\n', ["line 1: 'preprocessing'", 'rgb8, bgr8 or mono8']),
        ('preprocessing: {mean: [0, a, 0]}\n', ["'preprocessing.mean' is 'a'"]),
        ('preprocessing: {mean: [1]}\n', ['mean has 1 numbers']),
        ('preprocessing: {std: [0, 1, 1]}\n', ['above 0']),
        ('preprocessing: {padding_value: 300}\n', ['300']),
        ('validation: [1]\n', ["'validation' is [1]"]),
        ('benchmark: {1: x}\n', ["'benchmark' is 1", 'must be text']),
        ('- a\n- b\n', ["the record is ['a', 'b']"]),
        ('a: [1\n', ['not valid YAML', 'line 2']),
        ('labels: [a]\nlabels: [b]\n', ["'labels' stands twice, see line 1"]),
        ('source: !!python/object:os.system {}\n', ['not valid YAML']),
        ('a: \x00\n', ['not valid YAML']),
        ('a: 1\n---\nb: 2\n', ['not valid YAML']),
    ],
)
def test_a_wrong_record_is_refused_with_its_place_and_the_remedy(tmp_path, text, said):
    message = refusal(tmp_path, text)
    for part in said:
        assert part in message


def test_the_two_meanings_of_standalone_are_explained(tmp_path):
    message = refusal(tmp_path, 'runtime:\n  mode: standalone\n')
    for part in ('line 2', 'must be hybrid', '--buildDLAStandalone', 'artifact.kind'):
        assert part in message


def test_a_huge_value_does_not_make_a_huge_message(tmp_path):
    assert len(refusal(tmp_path, f'labels: {"x" * 10_000}\n')) < 400


def test_aliases_that_multiply_are_refused(tmp_path):
    lines = ['a0: &a0 {x: 1}'] + [
        f'a{n}: &a{n} {{x: *a{n - 1}, y: *a{n - 1}}}' for n in range(1, 60)
    ]
    assert 'line 16: more than 100000 values' in refusal(tmp_path, '\n'.join(lines))


def test_a_missing_record_and_one_of_other_bytes_are_named(tmp_path):
    with pytest.raises(RecordError, match=r"absent\.yaml': No such file"):
        DeploymentRecord.read(tmp_path / 'absent.yaml')
    (tmp_path / 'r.yaml').write_bytes(b'\xff\xfe\x00')
    with pytest.raises(RecordError, match='not UTF-8'):
        DeploymentRecord.read(tmp_path / 'r.yaml')


def test_what_cannot_be_written_is_named(tmp_path):
    with pytest.raises(RecordError, match='nowhere'):
        FULL.write(tmp_path / 'nowhere' / 'r.yaml')
    with pytest.raises(RecordError, match='cannot represent'):
        replace(FULL, validation={'x': object()}).write(tmp_path / 'r.yaml')


@given(st.data())
@settings(deadline=None, max_examples=200)
def test_a_damaged_record_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.mktemp('r') / 'r.yaml'
    FULL.write(path)
    text = list(path.read_text(encoding='utf-8'))
    for place in data.draw(st.lists(st.integers(0, len(text) - 1), max_size=5)):
        text[place] = data.draw(st.sampled_from(': \n-[]{}&*!|>\'"%@`#,?0a\t.'))
    path.write_text(''.join(text), encoding='utf-8')
    try:
        DeploymentRecord.read(path)
    except RecordError:
        return
