// What one launch of the fused kernel is told. Mirrored byte for byte in parameters.py.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct Parameters {
  // Source: first plane (luma for nv12), second plane (chroma), both with `step` bytes a row.
  const u8* first;
  const u8* second;
  // Target tensor, and for each network channel the 256 finished values.
  u8* out;
  const void* tables;
  // For each column, then each row, of the letterbox: source index << 9 | weight of the next one.
  const int* columns;
  const int* rows;
  u64 plane_stride;
  int line_stride;
  int pixel_stride;
  int step;
  int source_height;
  int source_width;
  int top;
  int left;
  int height;
  int width;
  // The rectangle of the tensor that this launch writes.
  int first_row;
  int last_row;
  int first_column;
  int last_column;
  int padding_value;
  // Byte offsets of red, green, blue in a packed pixel; y, u, v in two 422 pixels; u, v in chroma;
  // the low byte of mono16; row and column of red in a Bayer mosaic.
  int place[3];
  // 1 where the network wants blue first.
  int is_blue_first;
  // 0 where every weight is 0, as for most whole ratios: the rule only picks pixels then.
  int is_mixed;
};

// Nothing that a kernel reads changes while it runs.
template <typename T>
__device__ __forceinline__ T load(const T* address) {
#ifdef __CUDA_ARCH__
  return __ldg(address);
#else
  return *address;
#endif
}
