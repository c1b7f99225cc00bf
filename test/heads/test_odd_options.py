"""Options come from a YAML file that a person wrote: whatever stands there, a sentence answers."""

import math

from dla_ros.errors import HeadError
from dla_ros.heads.registry import open_head
import numpy as np
import pytest

PRIORS = [[0.5, 0.5, 0.2, 0.3]] * 6
NETWORKS = {
    'nanodet': ([(1, 35, 8, 8), (1, 35, 4, 4), (1, 35, 2, 2)], {'reg_max': 7}),
    'yolox': ([(1, 84, 1, 8)], {}),
    'yolov8': ([(1, 67, 8, 8), (1, 67, 4, 4), (1, 67, 2, 2)], {}),
    'yolov5': ([(1, 24, 8, 8), (1, 24, 4, 4), (1, 24, 2, 2)], {}),
    'ssd': ([(1, 6, 1, 4), (1, 6, 1, 4)], {'priors': PRIORS}),
    'detectnet_v2': ([(1, 3, 4, 4), (1, 12, 4, 4)], {}),
    'centernet': ([(1, 3, 16, 16), (1, 2, 16, 16), (1, 2, 16, 16)], {}),
}
OPTIONS = [
    ('nanodet', 'reg_max'), ('nanodet', 'num_classes'), ('nanodet', 'cell_offset'),
    ('yolox', 'activation'), ('yolox', 'strides'), ('yolov8', 'reg_max'),
    ('yolov8', 'activation'), ('yolov5', 'anchors'), ('ssd', 'priors'), ('ssd', 'variances'),
    ('ssd', 'activation'), ('ssd', 'has_background'), ('ssd', 'box_order'), ('ssd', 'outputs'),
    ('detectnet_v2', 'box_scale'), ('detectnet_v2', 'box_offset'),
    ('detectnet_v2', 'activation'), ('detectnet_v2', 'outputs'), ('centernet', 'activation'),
    ('centernet', 'outputs'),
]  # fmt: skip
ODD = [
    0, -1, 10**9, 1.5, math.inf, math.nan, True, None, '', 'word', 'no_such_file.npy', [], [0],
    [8.5], ['out0'], ['out0', 1], [None], [[1, 2], [3]], [[0, 0]], [['a', 'b']], {}, {'a': 1},
    {'strides': [0], 'min_sizes': [10], 'max_sizes': [20], 'aspect_ratios': [[2]]},
    {'strides': [-8], 'min_sizes': [1], 'max_sizes': [-2], 'aspect_ratios': [[-2]]},
]  # fmt: skip


@pytest.mark.parametrize(('head', 'option'), OPTIONS)
def test_an_odd_option_is_a_sentence_or_works(spec, specs, head, option):
    sizes, usual = NETWORKS[head]
    refusals = []
    for value in ODD:
        options = {option: value} if option == 'num_classes' else {**usual, option: value}
        try:
            opened = open_head(head, spec('in', (1, 3, 64, 64)), specs(sizes), options)
        except HeadError as error:
            refusals.append(str(error))
        else:
            opened.decode([np.zeros(dims, np.float32) for dims in sizes], 0.4)
    assert len(refusals) > len(ODD) / 2
    assert all(head in text for text in refusals)


@pytest.mark.parametrize(
    'content', [b'', b'PK\x03\x04 an archive cut off', b'\x93NUMPY', b'some text'],
)  # fmt: skip
def test_a_file_of_priors_that_is_none_is_refused(spec, specs, tmp_path, content):
    path = tmp_path / 'priors.npy'
    path.write_bytes(content)
    with pytest.raises(HeadError, match='option priors cannot be read'):
        open_head('ssd', spec('in', (1, 3, 64, 64)), specs(NETWORKS['ssd'][0]),
                  {'priors': str(path)})  # fmt: skip


def test_an_archive_of_priors_is_refused(spec, specs, tmp_path):
    path = tmp_path / 'priors.npz'
    np.savez(path, priors=np.array(PRIORS))
    with pytest.raises(HeadError, match='option priors cannot be read'):
        open_head('ssd', spec('in', (1, 3, 64, 64)), specs(NETWORKS['ssd'][0]),
                  {'priors': str(path)})  # fmt: skip
