from dataclasses import replace

from dla_ros.errors import LoadableError
from dla_ros.loadable.loadable import Blob, Loadable
from dla_ros.loadable.write import to_bytes, write
from dla_ros.tensors.descriptor import TensorDescriptor
from dla_ros.tensors.format import DataType, Layout
from dla_ros.tensors.spec import lay_out
from flatbuffers import encode, packer
from flatbuffers.table import Table as FlatTable
from hypothesis import example, given, settings
from hypothesis import strategies as st
import pytest

FP16, INT8 = DataType.FP16, DataType.INT8
MEMORY_LIST, BIND_ID = 2, 7


def tensor(name, dims=(1, 3, 8, 10), data_type=FP16, layout=Layout.CHW16):
    return TensorDescriptor.of(lay_out(name, dims, data_type, layout))


def sample():
    inputs = (
        tensor('images', data_type=INT8, layout=Layout.DLA_HWC4),
        tensor('second'),
        tensor('third'),
    )
    outputs = (
        tensor('scores', (1, 10, 1, 1)),
        tensor("boxes'", (1, 64, 3, 6), INT8, Layout.CHW32),
    )
    return Loadable(
        inputs, outputs, (Blob('model', b'\x08\x07' * 100), Blob('none', b'')), (0, 7, 1)
    )


SAMPLE = to_bytes(sample())


def test_what_is_written_is_read_again(tmp_path):
    write(sample(), tmp_path / 'net.dla')
    assert Loadable.read(tmp_path / 'net.dla') == sample()
    assert Loadable.read(str(tmp_path / 'net.dla')) == Loadable.read(SAMPLE)


def test_the_identifier_is_where_cudla_looks_for_it():
    assert SAMPLE[4:8] == b'NVDA'


def test_the_tensors_lie_where_the_descriptors_say():
    first, second, _ = Loadable.read(SAMPLE).inputs
    assert (first.name, first.layout, first.data_type) == ('images', Layout.DLA_HWC4, INT8)
    assert (first.line_stride, first.plane_stride, first.size) == (64, 0, 512)
    assert second == lay_out('second', (1, 3, 8, 10), FP16, Layout.CHW16)


def test_a_blob_is_found_by_its_name():
    loadable = Loadable.read(SAMPLE)
    assert bytes(loadable.blob('model').data) == b'\x08\x07' * 100
    assert loadable.blob('nothing') is None


def test_tensors_come_in_the_order_of_their_bind_numbers():
    exchanged = Loadable.read(with_binds(SAMPLE, {1: 2, 2: 1}))
    assert [each.name for each in exchanged.inputs] == ['images', 'third', 'second']


def with_binds(data, binds):
    """Write other bind numbers into the memory list, by the flatbuffers package itself."""
    changed = bytearray(data)
    root = FlatTable(changed, encode.Get(packer.uoffset, changed, 0))
    base = root.Vector(root.Offset(4 + 2 * MEMORY_LIST))
    for index, bind in binds.items():
        entry = FlatTable(changed, root.Indirect(base + 4 * index))
        place = entry.Pos + entry.Offset(4 + 2 * BIND_ID)
        encode.Write(packer.uint16, changed, place, bind)
    return bytes(changed)


@pytest.mark.parametrize(
    ('content', 'said'),
    [
        (b'', 'an empty file'),
        (b'ftrt' + bytes(100), 'a TensorRT engine'),
        (b'ptrt' + bytes(100), 'a TensorRT engine'),
        (b'\x10\x01\x00\x00{"task": "detect"}', 'a TensorRT engine'),
        (b'\x08\x07\x12\x07pytorch' + bytes(60), 'an ONNX model'),
        (b'version https://git-lfs.github.com/spec/v1\noid sha256:00', 'a Git LFS pointer'),
        (b'PK\x03\x04' + bytes(60), 'an archive'),
        (b'hello', 'a text file'),
        (bytes(100), 'no known kind'),
    ],
)
def test_another_kind_of_file_is_named_with_the_way_to_build_the_right_one(
    tmp_path, content, said
):
    path = tmp_path / 'net.engine'
    path.write_bytes(content)
    with pytest.raises(LoadableError) as caught:
        Loadable.read(path)
    for part in ('net.engine', said, '--buildDLAStandalone'):
        assert part in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LoadableError, match=r'absent\.dla.*No such file.*engine_file_path'):
        Loadable.read(tmp_path / 'absent.dla')
    with pytest.raises(LoadableError, match='Is a directory'):
        Loadable.read(tmp_path)


def test_a_cut_file_is_called_broken_with_its_length(tmp_path):
    path = tmp_path / 'net.dla'
    path.write_bytes(SAMPLE[: len(SAMPLE) // 2])
    with pytest.raises(LoadableError, match=f'broken DLA loadable of {len(SAMPLE) // 2} bytes'):
        Loadable.read(path)


@pytest.mark.parametrize(
    ('change', 'said'),
    [
        ({'data_type': 1}, 'fp32'),
        ({'data_type': 5}, 'uint8'),
        ({'data_type': 99}, 'no known type'),
        ({'data_format': 0}, 'data_format 0'),
        ({'pixel_mapping': 1}, 'pixel_mapping 1'),
        ({'size': 10}, 'beyond its 10 bytes'),
        ({'strides': (2, 0, 0, 0, 0, 0, 0, 0)}, 'overlap'),
        ({'dims': (1, 3, 0, 10)}, '1x3x0x10'),
        ({'dims': (1, -3, 8, 10)}, '1x-3x8x10'),
    ],
)
def test_a_tensor_that_could_not_be_bound_is_refused(change, said):
    broken = Loadable((replace(tensor('images'), **change),), sample().output_descriptors)
    with pytest.raises(LoadableError) as caught:
        Loadable.read(to_bytes(broken))
    assert said in str(caught.value)
    assert 'images' in str(caught.value)


def test_a_loadable_without_tensors_is_refused():
    with pytest.raises(LoadableError, match='no input or no output'):
        Loadable.read(to_bytes(Loadable((), sample().output_descriptors)))


@pytest.mark.parametrize('name', ['', 'x' * 81])
def test_a_name_that_does_not_fit_is_refused_when_writing(name):
    with pytest.raises(LoadableError, match='1 to 80'):
        to_bytes(Loadable((replace(tensor('a'), name=name),), sample().output_descriptors))


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(LoadableError, match='nowhere'):
        write(sample(), tmp_path / 'nowhere' / 'net.dla')


def test_one_endless_name_used_by_everyone_is_refused():
    data = to_bytes(
        Loadable(sample().input_descriptors, sample().output_descriptors, (Blob('n' * 5000, b''),))
    )
    with pytest.raises(LoadableError, match='a name is 5000 bytes long'):
        Loadable.read(data)


def read_or_refuse(data):
    try:
        Loadable.read(data)
    except LoadableError:
        return


@given(st.binary(max_size=400))
@example(b'\xff\xff\xff\xff')
@settings(deadline=None)
def test_garbage_is_refused_and_nothing_else_happens(data):
    read_or_refuse(data)
    read_or_refuse(b'\x08\x00\x00\x00NVDA' + data)


@given(st.integers(0, len(SAMPLE)))
@settings(deadline=None)
def test_a_file_cut_anywhere_is_read_or_refused(length):
    read_or_refuse(SAMPLE[:length])


@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255)), max_size=20))
@settings(deadline=None, max_examples=400)
def test_a_file_with_wrong_bytes_anywhere_is_read_or_refused(changes):
    changed = bytearray(SAMPLE)
    for place, value in changes:
        changed[place] = value
    read_or_refuse(bytes(changed))
