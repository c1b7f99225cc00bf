// DetectNet_v2: every class of a cell, each with a box of its own (detectnet_v2.py). The plan's one
// number is the unit of distances.
#include "decode.cuh"

template <int element>
__device__ __forceinline__ void detectnet_v2_cell(const Parameters& p, const Map& m, int cell) {
  const Cell values(m.classes, cell);
  const Best best = best_class<element>(p, m, values);
  if (!(best.score >= p.threshold)) return;
  const float x = (cell % m.columns + p.offset) * m.stride;
  const float y = (cell / m.columns + p.offset) * m.stride;
  const float unit = p.numbers[0];
  const Cell sides(m.boxes, cell);
  for (int c = 0; c < p.classes; ++c) {
    const float value = values.as<element>(m.first_class + c);
    if (!(value >= p.threshold)) continue;
    const Box box = {x - sides[4 * c] * unit, y - sides[4 * c + 1] * unit,
                     x + sides[4 * c + 2] * unit, y + sides[4 * c + 3] * unit};
    add(p, box, p.is_sigmoid ? sigmoid(value) : value, c, m.first_order + c * m.cells + cell);
  }
}

KERNEL(detectnet_v2)
