from dla_ros.emulator.options import EmulatorOptions, Fault, VARIABLE
from dla_ros.errors import ConfigError
import pytest


def test_nothing_said_is_a_healthy_dla_with_two_cores():
    assert EmulatorOptions.parse('') == EmulatorOptions()
    assert (EmulatorOptions().cores, EmulatorOptions().driver) == (2, 'present')


def test_every_option_is_read():
    text = (
        'task_ms=5.5, cores=1, version=1004002, driver=old, network=none, threads=1, '
        'fail=submit:3:7, fail=load:1, fail=task:2, fail=mem_register:4:0x0b, '
        'hang=submit:10, hang=submit:12, delay=load:200, delay=submit:1.5'
    )
    assert EmulatorOptions.parse(text) == EmulatorOptions(
        task_ms=5.5,
        cores=1,
        version=1_004_002,
        driver='old',
        network='none',
        threads=1,
        fail=(
            Fault('submit_task', 3, 7),
            Fault('module_load_from_memory', 1, 7),
            Fault('task', 2, 0x40000001),
            Fault('mem_register', 4, 11),
        ),
        hang=(10, 12),
        delay_ms={'module_load_from_memory': 200.0, 'submit_task': 1.5},
    )


@pytest.mark.parametrize(
    ('text', 'said'),
    [
        ('speed=5', ['speed=5', 'known are: task_ms, cores']),
        ('task_ms', ['task_ms', 'not a number of milliseconds']),
        ('task_ms=-1', ['task_ms=-1']),
        ('task_ms=nan', ['task_ms=nan']),
        ('task_ms=inf', ['task_ms=inf']),
        ('cores=-1', ['cores=-1', 'whole number from 0']),
        ('cores=two', ["'two'"]),
        ('threads=-1', ["'-1'"]),
        ('driver=gone', ['driver=gone', 'present or missing or old']),
        ('network=resnet', ['onnx or none or once']),
        ('fail=submit', ['fail=CALL:NTH']),
        ('cores=17', ['cores=17', 'from 0 to 16']),
        ('cores=10000000', ['cores=10000000', 'from 0 to 16']),
        ('threads=257', ['threads=257', 'from 0 to 256']),
        ('threads=1000000', ['threads=1000000', 'from 0 to 256']),
        (f'cores={5000 * "1"}', ['is not a whole number']),
        ('fail=submit:2147483648', ['from 1 to 2147483647']),
        ('fail=submit:1:2147483648', ['from 0 to 2147483647']),
        ('fail=submit:1:-1', ['from 0 to 2147483647']),
        (f'fail=submit:1:{5000 * "1"}', ['from 0 to 2147483647']),
        ('task_ms=3600001', ['from 0 to 3600000']),
        ('delay=load:1e300', ['from 0 to 3600000']),
        ('fail=submit:0', ["'0' is not a whole number from 1"]),
        ('fail=fly:1', ["'fly' is no call", 'version, count', 'task']),
        ('fail=submit:1:x', ['fail=submit:1:x']),
        ('hang=load:1', ['hang=submit:NTH']),
        ('stuck=load:1', ['stuck=submit:NTH']),
        ('hang=submit', ['hang=submit:NTH']),
        ('delay=load', ['milliseconds']),
        ('delay=fly:1', ["'fly' is no call"]),
        ('task_ms=5,,=', ["'='"]),
    ],
)
def test_what_is_not_understood_is_named_with_what_would_be(text, said):
    with pytest.raises(ConfigError) as caught:
        EmulatorOptions.parse(text)
    for part in said:
        assert part in str(caught.value)


def test_the_environment_can_say_it(monkeypatch):
    monkeypatch.setenv(VARIABLE, 'cores=1')
    assert EmulatorOptions.from_environment() == EmulatorOptions(cores=1)
    monkeypatch.delenv(VARIABLE)
    assert EmulatorOptions.from_environment() == EmulatorOptions()
