// Numbers of a tensor as floats, whatever its type and layout, and arithmetic on them.
#pragma once
#include "parameters.cuh"

#ifdef __CUDA_ARCH__
__device__ __forceinline__ float half_to_float(u16 bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
#endif

__device__ __forceinline__ float number_at(const Tensor& t, int channel, int cell) {
  const u8* place = t.data + (u64)(channel / t.group) * t.plane_stride +
                    (u64)(cell / t.columns) * t.line_stride +
                    (u64)(cell % t.columns) * t.pixel_stride + (channel % t.group) * t.element;
  if (t.element == 1) return *reinterpret_cast<const signed char*>(place) * t.scale;
  if (t.element == 2) return half_to_float(*reinterpret_cast<const u16*>(place));
  return *reinterpret_cast<const float*>(place);
}

__device__ __forceinline__ float value_at(const Tensor& t, int value, int cell) {
  return t.is_transposed ? number_at(t, cell, value) : number_at(t, value, cell);
}

__device__ __forceinline__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// The mean of a distribution over bins, as Generalized Focal Loss writes a distance.
__device__ __forceinline__ float expected(const Tensor& t, int first, int bins, int cell) {
  float most = value_at(t, first, cell);
  for (int bin = 1; bin < bins; ++bin) most = fmaxf(most, value_at(t, first + bin, cell));
  float sum = 0.0f, weighted = 0.0f;
  for (int bin = 0; bin < bins; ++bin) {
    const float weight = expf(value_at(t, first + bin, cell) - most);
    sum += weight;
    weighted += bin * weight;
  }
  return weighted / sum;
}
