// Looked-up pixels into their place, for each kind of tensor layout.
#pragma once
#include "parameters.cuh"

// PLANAR: one plane a channel. PIXEL: four channels side by side. GROUP: 32 bytes a pixel.
#define PLANAR 0
#define PIXEL 1
#define GROUP 2

#if ELEMENT == 1
typedef u8 Element;
#elif ELEMENT == 2
typedef u16 Element;
#else
typedef u32 Element;
#endif

// Neighbouring elements that leave the thread in one store.
template <int count>
struct alignas(count * sizeof(Element)) Run {
  Element items[count];
};

struct Values {
  Element items[PIXELS][CHANNELS];
};

__device__ __forceinline__ void store(const Parameters& p, int y, int x, const Values& values) {
  u8* line = p.out + (u64)y * p.line_stride;
#if TARGET == PLANAR
#pragma unroll
  for (int channel = 0; channel < CHANNELS; ++channel) {
    Run<PIXELS> run;
#pragma unroll
    for (int i = 0; i < PIXELS; ++i) run.items[i] = values.items[i][channel];
    u8* place = line + channel * p.plane_stride + (u64)x * sizeof(Element);
    *reinterpret_cast<Run<PIXELS>*>(place) = run;
  }
#else
  // A pixel's pad channels are zeros: written along, they cost nothing (whole 32-byte sectors).
  constexpr int stored = TARGET == PIXEL ? 4 : 32 / sizeof(Element);
  constexpr int most = 16 / sizeof(Element);
  constexpr int size = PIXELS * stored < most ? PIXELS * stored : most;
#pragma unroll
  for (int start = 0; start < PIXELS * stored; start += size) {
    Run<size> run;
#pragma unroll
    for (int i = 0; i < size; ++i) {
      const int pixel = (start + i) / stored, channel = (start + i) % stored;
      run.items[i] = channel < CHANNELS ? values.items[pixel][channel < CHANNELS ? channel : 0] : 0;
    }
    *reinterpret_cast<Run<size>*>(line + ((u64)x * stored + start) * sizeof(Element)) = run;
  }
#endif
}
