// YOLOv8: the best class of a cell, boxes in bins or as numbers (yolov8.py).
#include "decode.cuh"

template <int element>
__device__ __forceinline__ void yolov8_cell(const Parameters& p, const Map& m, int cell) {
  const Best best = best_class<element>(p, m, Cell(m.classes, cell));
  if (!(best.score >= p.threshold)) return;
  Box box;
  if (p.bins > 0) {
    box = from_bins(p, m, cell);
  } else {
    const Cell numbers(m.boxes, cell);
    const int first = m.first_box;
    box = around(numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]);
  }
  const float score = p.is_sigmoid ? sigmoid(best.score) : best.score;
  add(p, box, score, best.class_id, m.first_order + cell);
}

KERNEL(yolov8)
