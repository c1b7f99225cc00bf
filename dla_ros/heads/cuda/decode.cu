// One kernel a family of heads: threshold, decode, and what is left into one list. A thread works
// on one cell of one scale (blockIdx.y). The rules are those of nanodet.py, yolox.py, yolov8.py.
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

template <int element>
__device__ __forceinline__ void yolox_cell(const Parameters& p, const Scale& s, int cell) {
  const Cell values(s.classes, s.first_cell + cell);
  // A class is never surer than the objectness, so that alone leaves most cells out.
  float object = values.as<element>(s.first_class - 1);
  if (!(object >= p.threshold)) return;
  if (p.is_sigmoid) object = sigmoid(object);
  Best best = {-1, -INFINITY};
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(s.first_class + c);
    const float score = (p.is_sigmoid ? sigmoid(value) : value) * object;
    if (score > best.score) best = {c, score};
  }
  if (!(best.score >= p.confidence)) return;
  const Cell box(s.boxes, s.first_cell + cell);
  const float x = (cell % s.columns + box[s.first_box]) * s.stride;
  const float y = (cell / s.columns + box[s.first_box + 1]) * s.stride;
  const float width = expf(box[s.first_box + 2]) * s.stride;
  const float height = expf(box[s.first_box + 3]) * s.stride;
  add(p, around(x, y, width, height), best.score, best.class_id, s.first_order + cell);
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
