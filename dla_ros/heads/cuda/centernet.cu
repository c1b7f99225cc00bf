// CenterNet: the peaks of the classes' maps (centernet.py).
#include "decode.cuh"

// Whether no neighbour is higher; at an edge a neighbour stands in for the one that is not there.
template <int element>
__device__ __forceinline__ bool is_peak(const Map& m, int cell, int class_id, float value) {
  const int rows = m.cells / m.columns, row = cell / m.columns, column = cell % m.columns;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      if (y == 0 && x == 0) continue;
      const int near_row = row + y < 0 ? 0 : row + y >= rows ? rows - 1 : row + y;
      const int near = column + x < 0 ? 0 : column + x >= m.columns ? m.columns - 1 : column + x;
      const Cell neighbour(m.classes, near_row * m.columns + near);
      if (neighbour.as<element>(m.first_class + class_id) > value) return false;
    }
  return true;
}

template <int element>
__device__ __forceinline__ void centernet_cell(const Parameters& p, const Map& m, int cell) {
  const Cell values(m.classes, cell);
  const Best best = best_class<element>(p, m, values);
  if (!(best.score >= p.threshold)) return;
  const Cell size(m.boxes, cell), shift(m.third, cell);
  const Box box = around((cell % m.columns + shift[0]) * m.stride,
                         (cell / m.columns + shift[1]) * m.stride, size[0] * m.stride,
                         size[1] * m.stride);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(m.first_class + c);
    if (!(value >= p.threshold) || !is_peak<element>(m, cell, c, value)) continue;
    add(p, box, p.is_sigmoid ? sigmoid(value) : value, c, m.first_order + c * m.cells + cell);
  }
}

KERNEL(centernet)
