// YOLOv5: the best class of an object, boxes against an anchor: the numbers of its map (yolov5.py).
#include "decode.cuh"

template <int element>
__device__ __forceinline__ void yolov5_cell(const Parameters& p, const Map& m, int cell) {
  const Best best = best_of_object<element>(p, m, Cell(m.classes, cell));
  if (!(best.score >= p.confidence)) return;
  const Cell box(m.boxes, cell);
  const float x = (cell % m.columns + (2 * sigmoid(box[m.first_box]) - 0.5f)) * m.stride;
  const float y = (cell / m.columns + (2 * sigmoid(box[m.first_box + 1]) - 0.5f)) * m.stride;
  const float width = 2 * sigmoid(box[m.first_box + 2]);
  const float height = 2 * sigmoid(box[m.first_box + 3]);
  add(p, around(x, y, width * width * m.numbers[0], height * height * m.numbers[1]),
      best.score, best.class_id, m.first_order + cell);
}

KERNEL(yolov5)
