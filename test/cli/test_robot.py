from dla_ros.cli.main import main
from dla_ros.robots.find import shipped_robots
import pytest


@pytest.mark.parametrize('name', [path.stem for path in shipped_robots()])
def test_every_shipped_robot_checks(name, capsys):
    assert main(['robot', 'check', name]) == 0
    assert f'{name}: ' in capsys.readouterr().out


def test_what_would_be_started_is_printed(capsys):
    main(['robot', 'check', 'four_cameras', '--namespace', 'r1'])
    said = capsys.readouterr().out
    for line in (
        '/r1/front_and_rear on DLA core 0\n',
        '  /r1/rear/image_raw -> /r1/rear/detections\n',
        '  engine    /opt/models/detector.dla  (not on this machine)\n',
        'DLA core 1: 1 of 16 handles\n',
    ):
        assert line in said


def test_an_override_is_shown(capsys):
    main(['robot', 'check', 'laptop', '--dla-core', '1', '--engine', '/a.dla'])
    said = capsys.readouterr().out
    assert '/dla_detector on DLA core 1 (emulated)\n  engine    /a.dla' in said


def test_robots_are_listed(capsys):
    assert main(['robot', 'list']) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        path.stem for path in shipped_robots()
    ]


def test_a_refusal_is_one_sentence(tmp_path, capsys):
    path = tmp_path / 'mine.yaml'
    path.write_text('detectors:\n  a:\n    engine: /a.dla\n    slot: 3\n')
    assert main(['robot', 'check', str(path)]) == 1
    assert f"{path}, line 4: 'detectors.a.slot'" in capsys.readouterr().err


def test_engines_are_looked_at_where_they_should_be_here(capsys):
    assert main(['robot', 'check', 'laptop', '--here']) == 0
    assert main(['robot', 'check', 'orin_nx', '--here']) == 1
    assert "cannot read the engine '/opt/models/detector.dla'" in capsys.readouterr().err


def printed(path, text, capsys):
    path.write_text(text)
    assert main(['robot', 'check', str(path)]) == 0
    return capsys.readouterr().out


def test_a_compressed_camera_is_shown_by_the_topic_that_is_heard(tmp_path, capsys):
    text = 'detectors: {a: {engine: /a.dla, image_topics: [cam/image], image_transport: compressed'
    said = printed(tmp_path / 'mine.yaml', f'{text}}}}}', capsys)
    assert '  /cam/image/compressed -> /cam/detections\n' in said
    said = printed(
        tmp_path / 'mine.yaml', f'{text}, remap: {{cam/image: /rear/image}}}}}}', capsys
    )
    assert '  /rear/image/compressed -> /cam/detections\n' in said


def test_an_engine_that_is_a_directory_is_called_one(tmp_path, capsys):
    said = printed(tmp_path / 'mine.yaml', f'detectors: {{a: {{engine: {tmp_path}}}}}', capsys)
    assert f'{tmp_path}  (a directory, not a file)\n' in said
