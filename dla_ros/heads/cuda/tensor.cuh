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

// Nothing that a kernel reads changes while it runs.
template <typename T>
__device__ __forceinline__ T load(const u8* address) {
#ifdef __CUDA_ARCH__
  return __ldg(reinterpret_cast<const T*>(address));
#else
  return *reinterpret_cast<const T*>(address);
#endif
}

// The values of one cell.
struct Cell {
  const Tensor& tensor;
  const u8* first;

  __device__ __forceinline__ Cell(const Tensor& t, int cell)
      : tensor(t),
        first(t.data + (cell / t.cell_columns) * t.cell_outer +
              (u64)(cell % t.cell_columns) * t.cell_inner) {}

  template <int element>
  __device__ __forceinline__ float as(int value) const {
    const int group = value >> tensor.value_shift;
    const int place = value - (group << tensor.value_shift);
    const u8* address = first + group * tensor.value_outer + (u64)place * tensor.value_inner;
    if (element == 1) return load<signed char>(address) * tensor.scale;
    if (element == 2) return half_to_float(load<u16>(address));
    return load<float>(address);
  }

  __device__ __forceinline__ float operator[](int value) const {
    if (tensor.element == 1) return as<1>(value);
    return tensor.element == 2 ? as<2>(value) : as<4>(value);
  }
};

__device__ __forceinline__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// The mean of a distribution over bins, as Generalized Focal Loss writes a distance.
__device__ __forceinline__ float expected(const Cell& cell, int first, int bins) {
  float most = cell[first];
  for (int bin = 1; bin < bins; ++bin) most = fmaxf(most, cell[first + bin]);
  float sum = 0.0f, weighted = 0.0f;
  for (int bin = 0; bin < bins; ++bin) {
    const float weight = expf(cell[first + bin] - most);
    sum += weight;
    weighted += bin * weight;
  }
  return weighted / sum;
}
