// Looked-up pixels into their place, for each kind of tensor layout.
#pragma once
#include "parameters.cuh"

// PLANAR: each channel goes to a plane of its own. PIXEL: the channels of a pixel lie side by
// side, four of them stored in one piece, the last a zero; a group of chw16 or chw32 is a pixel
// of 32 bytes, whose others stay as they were cleared.
#define PLANAR 0
#define PIXEL 1

#if ELEMENT == 1
typedef u8 Element;
#elif ELEMENT == 2
typedef u16 Element;
#else
typedef u32 Element;
#endif

struct Values {
  Element items[CHANNELS];
};

__device__ __forceinline__ void store(const Parameters& p, int y, int x, const Values& values) {
  u8* place = p.out + (u64)y * p.line_stride + (u64)x * p.pixel_stride;
#if TARGET == PLANAR
#pragma unroll
  for (int channel = 0; channel < CHANNELS; ++channel)
    *reinterpret_cast<Element*>(place + channel * p.plane_stride) = values.items[channel];
#else
  struct alignas(4 * sizeof(Element)) Pixel {
    Element items[4];
  };
  *reinterpret_cast<Pixel*>(place) = {values.items[0], values.items[1], values.items[2], 0};
#endif
}
