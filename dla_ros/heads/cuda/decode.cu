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
  const float x = (cell % s.columns + p.offset) * s.stride;
  const float y = (cell / s.columns + p.offset) * s.stride;
  float sides[4];
  for (int side = 0; side < 4; ++side)
    sides[side] = expected(s.boxes, s.first_box + side * p.bins, p.bins, cell) * s.stride;
  return {x - sides[0], y - sides[1], x + sides[2], y + sides[3]};
}

__device__ __forceinline__ Best best_class(const Parameters& p, const Scale& s, int cell) {
  Best best = {-1, -INFINITY};
  for (int c = 0; c < p.classes; ++c) {
    const float value = value_at(s.classes, s.first_class + c, cell);
    if (value > best.score) best = {c, value};
  }
  return best;
}

__device__ __forceinline__ void nanodet_cell(const Parameters& p, const Scale& s, int cell) {
  Box box;
  bool is_decoded = false;
  for (int c = 0; c < p.classes; ++c) {
    const float value = value_at(s.classes, s.first_class + c, cell);
    if (!(value >= p.threshold)) continue;
    if (!is_decoded) box = from_bins(p, s, cell);
    is_decoded = true;
    add(p, box, sigmoid(value), c, s.first_order + c * s.cells + cell);
  }
}

__device__ __forceinline__ void yolov8_cell(const Parameters& p, const Scale& s, int cell) {
  const Best best = best_class(p, s, cell);
  if (!(best.score >= p.threshold)) return;
  Box box;
  if (p.bins > 0) {
    box = from_bins(p, s, cell);
  } else {
    float numbers[4];
    for (int i = 0; i < 4; ++i) numbers[i] = value_at(s.boxes, s.first_box + i, cell);
    box = around(numbers[0], numbers[1], numbers[2], numbers[3]);
  }
  const float score = p.is_sigmoid ? sigmoid(best.score) : best.score;
  add(p, box, score, best.class_id, s.first_order + cell);
}

__device__ __forceinline__ void yolox_cell(const Parameters& p, const Scale& s, int cell) {
  const int row = s.first_cell + cell;
  // A class is never surer than the objectness, so that alone leaves most cells out.
  float object = value_at(s.classes, s.first_class - 1, row);
  if (!(object >= p.threshold)) return;
  if (p.is_sigmoid) object = sigmoid(object);
  Best best = {-1, -INFINITY};
  for (int c = 0; c < p.classes; ++c) {
    const float value = value_at(s.classes, s.first_class + c, row);
    const float score = (p.is_sigmoid ? sigmoid(value) : value) * object;
    if (score > best.score) best = {c, score};
  }
  if (!(best.score >= p.confidence)) return;
  const float x = (cell % s.columns + value_at(s.boxes, s.first_box, row)) * s.stride;
  const float y = (cell / s.columns + value_at(s.boxes, s.first_box + 1, row)) * s.stride;
  const float width = expf(value_at(s.boxes, s.first_box + 2, row)) * s.stride;
  const float height = expf(value_at(s.boxes, s.first_box + 3, row)) * s.stride;
  add(p, around(x, y, width, height), best.score, best.class_id, s.first_order + cell);
}

#define KERNEL(name) \
  extern "C" __global__ void __launch_bounds__(128, 1) name(const Parameters p) {  \
    const Scale& scale = p.scales[blockIdx.y];                                  \
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (cell < scale.cells) name##_cell(p, scale, cell);                        \
  }

KERNEL(nanodet)
KERNEL(yolov8)
KERNEL(yolox)
