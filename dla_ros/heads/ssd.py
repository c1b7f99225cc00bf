"""
SSD: for each prior box the scores of all classes and a correction of the box.

Source: Liu et al., SSD (arXiv:1512.02325); weiliu89/caffe, ``bbox_util.cpp`` (CENTER_SIZE).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from dla_ros.detections import Detections, Float32
from dla_ros.errors import HeadError
from dla_ros.heads.cuda.plan import DecodePlan, MapPlan
from dla_ros.heads.decoding import (
    every_class,
    from_centres,
    Indices,
    logit,
    sigmoid,
    to_candidates,
    unchecked,
)
from dla_ros.heads.options import check_names, choice, flag
from dla_ros.heads.outputs import check_count, classes_in, in_order
from dla_ros.heads.priors import to_priors
from dla_ros.heads.protocol import Options
from dla_ros.tensors.spec import TensorSpec
import numpy as np
from numpy.typing import NDArray

NAME = 'ssd'
KNOWN = ('priors', 'variances', 'activation', 'has_background', 'box_order', 'outputs')
ORDERS = {'xywh': (0, 1, 2, 3), 'yxhw': (1, 0, 3, 2)}


@dataclass(frozen=True, eq=False)
class Ssd:
    """
    Read scores 1 x N x classes and boxes 1 x N x 4, in this order or as option ``outputs`` says.

    Options: ``priors`` (needed, see :func:`dla_ros.heads.priors.to_priors`); ``variances``
    ([0.1, 0.1, 0.2, 0.2]); ``activation``, what is still to be applied to the scores (softmax,
    sigmoid, none); ``has_background`` (true: the first score is 'nothing here'); ``box_order``
    (xywh; yxhw for TensorFlow's models).
    """

    num_classes: int
    priors: Float32
    variances: tuple[float, ...]
    activation: str
    has_background: bool
    box_order: tuple[int, ...]
    places: tuple[int, ...]

    @classmethod
    def open(
        cls, network_input: TensorSpec, outputs: tuple[TensorSpec, ...], options: Options
    ) -> 'Ssd':
        """Make the priors and compare them with the rows; raise HeadError if they differ."""
        check_names(NAME, options, KNOWN)
        check_count(NAME, outputs, (2,))
        places = tuple(in_order(NAME, outputs, options))
        scores, boxes = (outputs[place] for place in places)
        if 'priors' not in options:
            raise HeadError(
                f"head '{NAME}' needs its option priors: rows [cx, cy, width, height], a .npy "
                'file, or strides, min_sizes, max_sizes and aspect_ratios to generate them'
            )
        priors = to_priors(options['priors'], network_input.height_width)
        _check_rows(scores, boxes, len(priors))
        has_background = flag(NAME, options, 'has_background', True)
        classes = scores.dims[3] - has_background
        classes_in(NAME, scores, classes, 'the background and a class')
        return cls(
            classes,
            priors,
            _variances(options.get('variances', (0.1, 0.1, 0.2, 0.2))),
            choice(NAME, options, 'activation', ('softmax', 'sigmoid', 'none'), 'softmax'),
            has_background,
            ORDERS[choice(NAME, options, 'box_order', tuple(ORDERS), 'xywh')],
            places,
        )

    def decode(self, outputs: Sequence[Float32], confidence_threshold: float) -> Detections:
        """Give each class of each prior that reaches the threshold."""
        with unchecked():
            scores, boxes = (outputs[place] for place in self.places)
            scores = scores.reshape(len(self.priors), -1)
            rows, classes, values = self._strong(scores, confidence_threshold)
            moves = boxes.reshape(-1, 4)[rows][:, self.box_order]
            moves = moves * np.array(self.variances, np.float32)
            priors = self.priors[rows]
            sizes = np.exp(moves[:, 2:]) * priors[:, 2:]
            centres = priors[:, :2] + moves[:, :2] * priors[:, 2:]
            xyxy = from_centres(centres, sizes)
            return to_candidates(xyxy, values, classes)

    def decode_plan(self, outputs: tuple[TensorSpec, ...]) -> DecodePlan:
        """Plan the kernel for these outputs."""
        scores, boxes = self.places
        is_softmax = self.activation == 'softmax'
        return DecodePlan(
            'ssd',
            (MapPlan(boxes, scores, 0, int(self.has_background), len(self.priors), 1),),
            self.num_classes,
            is_sigmoid=self.activation == 'sigmoid',
            is_transposed=True,
            is_logit=is_softmax,
            numbers=self.variances,
            switches=(*self.box_order, int(self.has_background), int(is_softmax)),
            table=self.priors,
        )

    def _strong(self, scores: Float32, confidence: float) -> tuple[Indices, Indices, Float32]:
        """Give (rows, classes, scores) of what reaches the threshold."""
        if self.activation == 'softmax':
            near = np.flatnonzero(self._may_reach(scores, confidence))
            found = _softmax(scores[near])[:, self.has_background :]
            chosen, classes = every_class(found, confidence)
            return near[chosen], classes, found[chosen, classes]
        needs_sigmoid = self.activation == 'sigmoid'
        found = scores[:, self.has_background :]
        rows, classes = every_class(found, logit(confidence) if needs_sigmoid else confidence)
        values = found[rows, classes]
        return rows, classes, sigmoid(values) if needs_sigmoid else values

    def _may_reach(self, scores: Float32, confidence: float) -> 'NDArray[np.bool_]':
        """Tell which rows are worth a softmax: their best class beats the background so far."""
        if not self.has_background:
            return np.ones(len(scores), np.bool_)
        lead = scores[:, 1:].max(axis=1) - scores[:, 0]
        reach: NDArray[np.bool_] = lead >= np.float32(logit(confidence))
        return reach


def _softmax(logits: Float32) -> Float32:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    result: Float32 = weights / weights.sum(axis=1, keepdims=True)
    return result


def _check_rows(scores: TensorSpec, boxes: TensorSpec, priors: int) -> None:
    rows = [spec.dims[1] * spec.dims[2] for spec in (scores, boxes)]
    if boxes.dims[3] != 4 or rows != [priors, priors]:
        raise HeadError(
            f"head '{NAME}' needs scores 1x{priors}xCLASSES and boxes 1x{priors}x4 for its "
            f'{priors} priors; the network has scores {scores} and boxes {boxes}. Check the '
            'options priors and outputs (names of scores and boxes)'
        )


def _variances(option: Sequence[float]) -> tuple[float, ...]:
    try:
        values = tuple(float(value) for value in option)
    except (TypeError, ValueError):
        values = ()
    if len(values) != 4:
        raise HeadError(
            f"head '{NAME}': option variances is {option!r}; it should be four numbers such as "
            '[0.1, 0.1, 0.2, 0.2]'
        )
    return values
