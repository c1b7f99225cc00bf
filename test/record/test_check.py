import hashlib

from dla_ros.errors import RecordError
from dla_ros.record.check import sha256_of
from dla_ros.record.local_platform import platform_here
from dla_ros.record.record import DeploymentRecord
from dla_ros.record.sections import Artifact, Platform
import pytest

CONTENT = b'\x08\x00\x00\x00NVDA' + bytes(50)
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def engine(tmp_path):
    path = tmp_path / 'net.dla'
    path.write_bytes(CONTENT)
    return path


def recorded(**artifact):
    return DeploymentRecord(artifact=Artifact(**artifact))


def test_the_file_that_is_described_passes(engine):
    whole = recorded(kind='dla_standalone_loadable', sha256=DIGEST, size=58)
    for record in (whole, recorded(sha256=DIGEST.upper()), DeploymentRecord()):
        record.check_artifact(engine)


@pytest.mark.parametrize(
    ('artifact', 'said'),
    [
        ({'sha256': '0' * 64}, f'its sha256 is {DIGEST}, recorded is 000'),
        ({'size': 57}, 'it has 58 bytes, recorded are 57'),
        ({'kind': 'onnx_model'}, 'it is a DLA loadable, recorded is onnx_model'),
    ],
)
def test_another_file_is_refused_with_what_differs(engine, artifact, said):
    with pytest.raises(RecordError) as caught:
        recorded(**artifact).check_artifact(engine)
    for part in ('net.dla', said, 'copy the engine and its record again'):
        assert part in str(caught.value)


def test_a_missing_engine_is_named(tmp_path):
    with pytest.raises(RecordError, match=r'absent\.dla.*No such file'):
        recorded(size=1).check_artifact(tmp_path / 'absent.dla')


def test_a_digest_covers_the_whole_file(tmp_path):
    path = tmp_path / 'large'
    path.write_bytes(bytes(3_000_000))
    assert sha256_of(path) == hashlib.sha256(bytes(3_000_000)).hexdigest()


def test_a_platform_differs_only_where_both_are_known():
    record = DeploymentRecord(platform=Platform(device='AGX Orin', l4t='36.4.3', cuda='12.6'))
    assert record.check_platform(Platform(device='AGX Orin')) == []
    assert record.check_platform(Platform(l4t='36.4.7', jetpack='6.2')) == [
        'l4t is 36.4.7 here, the engine was built for 36.4.3'
    ]


def test_a_jetson_tells_what_it_is(tmp_path):
    for name, text in {
        'proc/device-tree/model': 'NVIDIA Jetson AGX Orin Developer Kit\0',
        'etc/nv_tegra_release': '# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic\n',
        'var/lib/dpkg/status': 'Package: a\nVersion: 1\n\n'
        'Package: nvidia-jetpack\nStatus: install ok installed\nVersion: 6.2+b77\n\n'
        'Package: z\nVersion: 2\n',
    }.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    assert platform_here(tmp_path) == Platform(
        device='NVIDIA Jetson AGX Orin Developer Kit', l4t='36.4.3', jetpack='6.2+b77'
    )


def test_another_machine_tells_nothing(tmp_path):
    assert platform_here(tmp_path) == Platform()
