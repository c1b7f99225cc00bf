"""Record and settings laid over each other: what a detector is told of its network."""

from dataclasses import replace

from dla_ros.config import DetectorConfig
from dla_ros.detector.plan import Plan
from dla_ros.errors import ConfigError, RecordError
from dla_ros.preprocess.preprocessing import Padding, Preprocessing
from dla_ros.record.record import DeploymentRecord, record_path
from dla_ros.record.sections import Artifact, Head, Io, Platform, Port
import pytest

RECORD = DeploymentRecord(
    platform=Platform(l4t='36.4.3'),
    io=Io(inputs={'image': Port('int8:dla_hwc4', 0.5)}),
    preprocessing=Preprocessing(encoding='bgr8', mean=(1.0, 2.0, 3.0), std=(4.0, 5.0, 6.0)),
    head=Head('nanodet', {'reg_max': 7}),
    labels=('cat', 'dog'),
)


@pytest.fixture
def plan_of(tmp_path):
    """Give a function: plan of an engine with this record (None: without) and these settings."""

    def make(record=RECORD, **settings):
        engine = tmp_path / 'net.dla'
        engine.write_bytes(b'a network')
        if record is not None:
            record.write(record_path(engine))
        return Plan.of(DetectorConfig(engine_file_path=str(engine), **settings))

    return make


def test_the_record_says_everything(plan_of):
    plan = plan_of()
    assert (plan.head, dict(plan.head_options)) == ('nanodet', {'reg_max': 7})
    assert plan.labels == ('cat', 'dog')
    assert plan.preprocessing == RECORD.preprocessing
    assert plan.scales == {'image': 0.5}


def test_settings_rule_over_the_record(plan_of, tmp_path):
    (tmp_path / 'labels.txt').write_text('bird\n')
    plan = plan_of(
        label_path=str(tmp_path / 'labels.txt'), network_encoding='rgb8', image_mean=(0.0,) * 3,
        image_stddev=(1.0,) * 3, padding_type='STRETCH', padding_value=0,
    )  # fmt: skip
    assert plan.labels == ('bird',)
    assert plan.preprocessing == Preprocessing(
        encoding='rgb8', mean=(0.0,) * 3, std=(1.0,) * 3, padding=Padding.STRETCH, padding_value=0
    )


def test_options_of_a_recorded_head_are_not_those_of_another(plan_of):
    assert dict(plan_of(head='yolox').head_options) == {}
    assert dict(plan_of(head='nanodet').head_options) == {'reg_max': 7}


def test_without_a_record_the_head_must_be_named(plan_of):
    with pytest.raises(ConfigError, match=r'parameter head .*net\.dla\.yaml'):
        plan_of(record=None)
    assert plan_of(record=None, head='yolox').preprocessing == Preprocessing()


def test_an_encoding_that_does_not_fit_the_recorded_numbers_is_refused(plan_of):
    with pytest.raises(ConfigError, match='mean has 3 numbers'):
        plan_of(network_encoding='mono8')


def test_another_machine_is_a_warning_or_a_refusal(plan_of, monkeypatch):
    here = Platform(l4t='35.4.1')
    monkeypatch.setattr('dla_ros.record.record.platform_here', lambda: here)
    (warning,) = plan_of().warnings
    assert 'l4t is 35.4.1 here' in warning
    with pytest.raises(RecordError, match=r'36\.4\.3.*build it on this machine'):
        plan_of(record_policy='strict')


def test_a_file_that_is_not_the_recorded_one_is_always_refused(plan_of):
    other = replace(RECORD, artifact=Artifact(sha256='0' * 64))
    for policy in ('warn', 'strict'):
        with pytest.raises(RecordError, match='sha256'):
            plan_of(record=other, record_policy=policy)
