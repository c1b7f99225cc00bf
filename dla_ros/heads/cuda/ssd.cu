// SSD: every class of a row, boxes against a prior, the row of the table (ssd.py).
#include "decode.cuh"

// The plan's numbers are the variances, its switches these.
enum { BOX_ORDER = 0, HAS_BACKGROUND = 4, IS_SOFTMAX = 5 };

__device__ __forceinline__ Box from_prior(const Parameters& p, const Map& m, int row) {
  const Cell numbers(m.boxes, row);
  const float* prior = p.table + 4 * row;
  float moves[4];
  for (int i = 0; i < 4; ++i) moves[i] = numbers[p.switches[BOX_ORDER + i]] * p.numbers[i];
  return around(prior[0] + moves[0] * prior[2], prior[1] + moves[1] * prior[3],
                expf(moves[2]) * prior[2], expf(moves[3]) * prior[3]);
}

template <int element>
__device__ __forceinline__ void ssd_cell(const Parameters& p, const Map& m, int row) {
  const bool has_background = p.switches[HAS_BACKGROUND], is_softmax = p.switches[IS_SOFTMAX];
  const Cell scores(m.classes, row);
  const Best best = best_class<element>(p, m, scores);
  float most = best.score, sum = 1.0f, least = p.threshold;
  if (is_softmax) {
    // The logarithm of the odds against the background alone is never below that of the score.
    const float nothing = has_background ? scores.as<element>(0) : -INFINITY;
    if (has_background && !(best.score - nothing >= p.threshold)) return;
    most = fmaxf(best.score, nothing);
    sum = has_background ? expf(nothing - most) : 0.0f;
    for (int c = 0; c < p.classes; ++c) sum += expf(scores.as<element>(m.first_class + c) - most);
    least = p.confidence;
  } else if (!(best.score >= least)) {
    return;
  }
  const Box box = from_prior(p, m, row);
  for (int c = 0; c < p.classes; ++c) {
    const float value = scores.as<element>(m.first_class + c);
    const float score = is_softmax ? expf(value - most) / sum : value;
    if (!(score >= least)) continue;
    add(p, box, p.is_sigmoid ? sigmoid(score) : score, c, row * p.classes + c);
  }
}

KERNEL(ssd)
