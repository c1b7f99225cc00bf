// NanoDet: every class of a cell, boxes in bins (nanodet.py).
#include "decode.cuh"

template <int element>
__device__ __forceinline__ void nanodet_cell(const Parameters& p, const Map& m, int cell) {
  const Cell values(m.classes, cell);
  const Best best = best_class<element>(p, m, values);
  if (!(best.score >= p.threshold)) return;
  const Box box = from_bins(p, m, cell);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(m.first_class + c);
    if (value >= p.threshold) add(p, box, sigmoid(value), c, m.first_order + c * m.cells + cell);
  }
}

KERNEL(nanodet)
