// What the kernels of all heads are made of: threshold, decode, and what is left into one list. A
// head's own rule stands in the file of its name.
#pragma once
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
__device__ __forceinline__ Box from_bins(const Parameters& p, const Map& m, int cell) {
  const Cell bins(m.boxes, cell);
  const float x = (cell % m.columns + p.offset) * m.stride;
  const float y = (cell / m.columns + p.offset) * m.stride;
  float sides[4];
  for (int side = 0; side < 4; ++side)
    sides[side] = expected(bins, m.first_box + side * p.bins, p.bins) * m.stride;
  return {x - sides[0], y - sides[1], x + sides[2], y + sides[3]};
}

// Most cells end here: nothing but loads that do not wait for each other.
template <int element>
__device__ __forceinline__ Best best_class(const Parameters& p, const Map& m, const Cell& values) {
  Best best = {-1, -INFINITY};
#pragma unroll 8
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(m.first_class + c);
    if (value > best.score) best = {c, value};
  }
  return best;
}

// The best of classes that share an objectness; a class is never surer than that, so it alone
// leaves most cells out.
template <int element>
__device__ __forceinline__ Best best_of_object(const Parameters& p, const Map& m,
                                               const Cell& values) {
  Best best = {-1, -INFINITY};
  float object = values.as<element>(m.first_class - 1);
  if (!(object >= p.threshold)) return best;
  if (p.is_sigmoid) object = sigmoid(object);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(m.first_class + c);
    const float score = (p.is_sigmoid ? sigmoid(value) : value) * object;
    if (score > best.score) best = {c, score};
  }
  return best;
}

// The kernel of a head whose rule for one cell is name##_cell, above. A thread works on one cell of
// one map (blockIdx.y).
#define KERNEL(name)                                                              \
  extern "C" __global__ void __launch_bounds__(128, 1) name(const Parameters p) { \
    const Map& map = p.maps[blockIdx.y];                                          \
    const int cell = blockIdx.x * blockDim.x + threadIdx.x;                       \
    if (cell >= map.cells) return;                                                \
    if (map.classes.element == 1) name##_cell<1>(p, map, cell);                   \
    if (map.classes.element == 2) name##_cell<2>(p, map, cell);                   \
    if (map.classes.element == 4) name##_cell<4>(p, map, cell);                   \
  }
