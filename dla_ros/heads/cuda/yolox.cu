// YOLOX: the best class of an object, sizes as logarithms (yolox.py).
#include "decode.cuh"

template <int element>
__device__ __forceinline__ void yolox_cell(const Parameters& p, const Map& m, int cell) {
  const Best best = best_of_object<element>(p, m, Cell(m.classes, m.first_cell + cell));
  if (!(best.score >= p.confidence)) return;
  const Cell box(m.boxes, m.first_cell + cell);
  const float x = (cell % m.columns + box[m.first_box]) * m.stride;
  const float y = (cell / m.columns + box[m.first_box + 1]) * m.stride;
  const float width = expf(box[m.first_box + 2]) * m.stride;
  const float height = expf(box[m.first_box + 3]) * m.stride;
  add(p, around(x, y, width, height), best.score, best.class_id, m.first_order + cell);
}

KERNEL(yolox)
