// One kernel a family of heads: threshold, decode, and what is left into one list. A thread works
// on one cell of one scale (blockIdx.y). The rules are those of the heads' own files.
#include "parameters.cuh"
#include "tensor.cuh"

#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif

struct Box {
  float left, top, right, bottom;
};

struct Best {
  int class_id;
  float score;
};

// What no box can be is left out, as candidates.py does; NaN fails every comparison.
__device__ __forceinline__ bool is_box(const Box& b) {
  return b.right > b.left && b.bottom > b.top && b.left > -INFINITY && b.top > -INFINITY &&
         b.right < INFINITY && b.bottom < INFINITY;
}

__device__ __forceinline__ void add(const Parameters& p, const Box& box, float score, int class_id,
                                    int order) {
  if (!is_box(box) || !(score == score)) return;
  const u32 place = atomicAdd(p.count, 1u);
  if (place >= (u32)p.capacity) return;  // the count tells, and the CPU decodes instead
  score = fminf(fmaxf(score, 0.0f), 1.0f);
  p.found[place] = {box.left, box.top, box.right, box.bottom, score, class_id, order, 0};
}

__device__ __forceinline__ Box around(float x, float y, float width, float height) {
  return {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
}

// Four distances, each a distribution, from a point in the cell.
__device__ __forceinline__ Box from_bins(const Parameters& p, const Scale& s, int cell) {
  const Cell bins(s.boxes, cell);
  const float x = (cell % s.columns + p.offset) * s.stride;
  const float y = (cell / s.columns + p.offset) * s.stride;
  float sides[4];
  for (int side = 0; side < 4; ++side)
    sides[side] = expected(bins, s.first_box + side * p.bins, p.bins) * s.stride;
  return {x - sides[0], y - sides[1], x + sides[2], y + sides[3]};
}

// Most cells end here: nothing but loads that do not wait for each other.
template <int element>
__device__ __forceinline__ Best best_class(const Parameters& p, const Scale& s, const Cell& values) {
  Best best = {-1, -INFINITY};
#pragma unroll 8
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(s.first_class + c);
    if (value > best.score) best = {c, value};
  }
  return best;
}

template <int element>
__device__ __forceinline__ void nanodet_cell(const Parameters& p, const Scale& s, int cell) {
  const Cell values(s.classes, cell);
  const Best best = best_class<element>(p, s, values);
  if (!(best.score >= p.threshold)) return;
  const Box box = from_bins(p, s, cell);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(s.first_class + c);
    if (value >= p.threshold) add(p, box, sigmoid(value), c, s.first_order + c * s.cells + cell);
  }
}

template <int element>
__device__ __forceinline__ void yolov8_cell(const Parameters& p, const Scale& s, int cell) {
  const Best best = best_class<element>(p, s, Cell(s.classes, cell));
  if (!(best.score >= p.threshold)) return;
  Box box;
  if (p.bins > 0) {
    box = from_bins(p, s, cell);
  } else {
    const Cell numbers(s.boxes, cell);
    const int first = s.first_box;
    box = around(numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]);
  }
  const float score = p.is_sigmoid ? sigmoid(best.score) : best.score;
  add(p, box, score, best.class_id, s.first_order + cell);
}

// The best of classes that share an objectness; a class is never surer than that, so it alone
// leaves most cells out.
template <int element>
__device__ __forceinline__ Best best_of_object(const Parameters& p, const Scale& s,
                                               const Cell& values) {
  Best best = {-1, -INFINITY};
  float object = values.as<element>(s.first_class - 1);
  if (!(object >= p.threshold)) return best;
  if (p.is_sigmoid) object = sigmoid(object);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(s.first_class + c);
    const float score = (p.is_sigmoid ? sigmoid(value) : value) * object;
    if (score > best.score) best = {c, score};
  }
  return best;
}

template <int element>
__device__ __forceinline__ void yolox_cell(const Parameters& p, const Scale& s, int cell) {
  const Best best = best_of_object<element>(p, s, Cell(s.classes, s.first_cell + cell));
  if (!(best.score >= p.confidence)) return;
  const Cell box(s.boxes, s.first_cell + cell);
  const float x = (cell % s.columns + box[s.first_box]) * s.stride;
  const float y = (cell / s.columns + box[s.first_box + 1]) * s.stride;
  const float width = expf(box[s.first_box + 2]) * s.stride;
  const float height = expf(box[s.first_box + 3]) * s.stride;
  add(p, around(x, y, width, height), best.score, best.class_id, s.first_order + cell);
}

template <int element>
__device__ __forceinline__ void yolov5_cell(const Parameters& p, const Scale& s, int cell) {
  const Best best = best_of_object<element>(p, s, Cell(s.classes, cell));
  if (!(best.score >= p.confidence)) return;
  const Cell box(s.boxes, cell);
  const float x = (cell % s.columns + (2 * sigmoid(box[s.first_box]) - 0.5f)) * s.stride;
  const float y = (cell / s.columns + (2 * sigmoid(box[s.first_box + 1]) - 0.5f)) * s.stride;
  const float width = 2 * sigmoid(box[s.first_box + 2]);
  const float height = 2 * sigmoid(box[s.first_box + 3]);
  add(p, around(x, y, width * width * s.anchor_width, height * height * s.anchor_height),
      best.score, best.class_id, s.first_order + cell);
}

template <int element>
__device__ __forceinline__ void detectnet_v2_cell(const Parameters& p, const Scale& s, int cell) {
  const Cell values(s.classes, cell);
  const Best best = best_class<element>(p, s, values);
  if (!(best.score >= p.threshold)) return;
  const float x = (cell % s.columns + p.offset) * s.stride;
  const float y = (cell / s.columns + p.offset) * s.stride;
  const Cell sides(s.boxes, cell);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(s.first_class + c);
    if (!(value >= p.threshold)) continue;
    const Box box = {x - sides[4 * c] * p.box_scale, y - sides[4 * c + 1] * p.box_scale,
                     x + sides[4 * c + 2] * p.box_scale, y + sides[4 * c + 3] * p.box_scale};
    add(p, box, p.is_sigmoid ? sigmoid(value) : value, c, s.first_order + c * s.cells + cell);
  }
}

// Whether no neighbour is higher; at an edge a neighbour stands in for the one that is not there.
template <int element>
__device__ __forceinline__ bool is_peak(const Scale& s, int cell, int class_id, float value) {
  const int rows = s.cells / s.columns, row = cell / s.columns, column = cell % s.columns;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      if (y == 0 && x == 0) continue;
      const int near_row = row + y < 0 ? 0 : row + y >= rows ? rows - 1 : row + y;
      const int near = column + x < 0 ? 0 : column + x >= s.columns ? s.columns - 1 : column + x;
      const Cell neighbour(s.classes, near_row * s.columns + near);
      if (neighbour.as<element>(s.first_class + class_id) > value) return false;
    }
  return true;
}

template <int element>
__device__ __forceinline__ void centernet_cell(const Parameters& p, const Scale& s, int cell) {
  const Cell values(s.classes, cell);
  const Best best = best_class<element>(p, s, values);
  if (!(best.score >= p.threshold)) return;
  const Cell size(s.boxes, cell), shift(s.shifts, cell);
  const Box box = around((cell % s.columns + shift[0]) * s.stride,
                         (cell / s.columns + shift[1]) * s.stride, size[0] * s.stride,
                         size[1] * s.stride);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(s.first_class + c);
    if (!(value >= p.threshold) || !is_peak<element>(s, cell, c, value)) continue;
    add(p, box, p.is_sigmoid ? sigmoid(value) : value, c, s.first_order + c * s.cells + cell);
  }
}

__device__ __forceinline__ Box from_prior(const Parameters& p, const Scale& s, int row) {
  const Cell numbers(s.boxes, row);
  const float* prior = p.priors + 4 * row;
  float moves[4];
  for (int i = 0; i < 4; ++i) moves[i] = numbers[p.box_order[i]] * p.variances[i];
  return around(prior[0] + moves[0] * prior[2], prior[1] + moves[1] * prior[3],
                expf(moves[2]) * prior[2], expf(moves[3]) * prior[3]);
}

template <int element>
__device__ __forceinline__ void ssd_cell(const Parameters& p, const Scale& s, int row) {
  const Cell scores(s.classes, row);
  const Best best = best_class<element>(p, s, scores);
  float most = best.score, sum = 1.0f, least = p.threshold;
  if (p.is_softmax) {
    // The logarithm of the odds against the background alone is never below that of the score.
    const float nothing = p.has_background ? scores.as<element>(0) : -INFINITY;
    if (p.has_background && !(best.score - nothing >= p.threshold)) return;
    most = fmaxf(best.score, nothing);
    sum = p.has_background ? expf(nothing - most) : 0.0f;
    for (int c = 0; c < p.classes; ++c) sum += expf(scores.as<element>(s.first_class + c) - most);
    least = p.confidence;
  } else if (!(best.score >= least)) {
    return;
  }
  const Box box = from_prior(p, s, row);
  for (int c = 0; c < p.classes; ++c) {
    const float value = scores.as<element>(s.first_class + c);
    const float score = p.is_softmax ? expf(value - most) / sum : value;
    if (!(score >= least)) continue;
    add(p, box, p.is_sigmoid ? sigmoid(score) : score, c, row * p.classes + c);
  }
}

#define KERNEL(name)                                                           \
  extern "C" __global__ void __launch_bounds__(128, 1) name(const Parameters p) { \
    const Scale& scale = p.scales[blockIdx.y];                                 \
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;                    \
    if (cell >= scale.cells) return;                                           \
    if (scale.classes.element == 1) name##_cell<1>(p, scale, cell);            \
    if (scale.classes.element == 2) name##_cell<2>(p, scale, cell);            \
    if (scale.classes.element == 4) name##_cell<4>(p, scale, cell);            \
  }

KERNEL(nanodet)
KERNEL(yolov8)
KERNEL(yolox)
KERNEL(yolov5)
KERNEL(detectnet_v2)
KERNEL(centernet)
KERNEL(ssd)
