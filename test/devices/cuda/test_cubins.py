"""Every kernel compiles for every GPU that matters, without one."""

from dla_ros.devices.cuda.compiler import compile_source, compiled, cubin_of
from dla_ros.errors import DeviceError
from dla_ros.files.kept import keep
from dla_ros.preprocess.cuda.family import FAMILIES
from dla_ros.preprocess.cuda.preprocessor import SOURCE
from dla_ros.preprocess.cuda.variant import every_variant, Variant
import pytest

# Orin, Hopper, Thor, Spark.
ARCHITECTURES = ('sm_87', 'sm_90', 'sm_110', 'sm_121')


@pytest.mark.parametrize('variant', list(every_variant()), ids=str)
@pytest.mark.parametrize('architecture', ARCHITECTURES)
def test_a_variant_compiles_without_spills(variant, architecture):
    made = compiled(SOURCE, variant.options, architecture)
    assert made.cubin.startswith(b'\x7fELF')
    for family in FAMILIES:
        assert f"entry function '{family}'" in made.log
    assert made.log.count(' 0 bytes spill stores, 0 bytes spill loads') == len(FAMILIES)


def test_machine_code_is_kept_and_found_again(tmp_path, monkeypatch):
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    options = Variant('planar', 1, 1).options
    first = cubin_of(SOURCE, options, 'sm_87')
    (kept,) = (tmp_path / 'dla_ros' / 'kernels').glob('*.cubin')
    assert kept.read_bytes() == first
    keep(kept, b'from the cache')
    assert cubin_of(SOURCE, options, 'sm_87') == b'from the cache'
    for broken in (b'', b'from somebody else'):
        kept.write_bytes(broken)
        assert cubin_of(SOURCE, options, 'sm_87') == first
        assert kept.read_bytes() == first


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path, monkeypatch):
    in_the_way = tmp_path / 'dla_ros'
    in_the_way.write_text('a file, not a folder')
    monkeypatch.setenv('XDG_CACHE_HOME', str(tmp_path))
    assert cubin_of(SOURCE, Variant('planar', 1, 1).options, 'sm_87').startswith(b'\x7fELF')


def test_source_that_is_wrong_is_told_with_the_compilers_words():
    with pytest.raises(DeviceError, match=r'refuses wrong.cu: NVRTC_ERROR_COMPILATION\n.*lens'):
        compile_source('lens cap', {}, ('-arch=sm_87',), 'wrong.cu')


def test_an_architecture_that_nvrtc_does_not_know_is_told():
    with pytest.raises(DeviceError, match=r'refuses old\.cu: NVRTC_ERROR_INVALID_OPTION'):
        compile_source('', {}, ('-arch=sm_20',), 'old.cu')
