// From a camera's picture to a network's input in one pass: sample, convert, letterbox, normalise,
// quantise, lay out. Compiled for one kind of tensor by -D TARGET, ELEMENT, CHANNELS.
#include "parameters.cuh"
#include "source.cuh"
#include "target.cuh"

struct Sample {
  int items[CHANNELS];
};

template <Family family>
__device__ __forceinline__ Sample fetch(const Parameters& p, int y, int x) {
  Sample sample;
  if (CHANNELS == 1) {
    sample.items[0] = gray_at<family>(p, y, x);
  } else if (family == MONO8 || family == MONO16) {
    const int gray = gray_at<family>(p, y, x);
    for (int channel = 0; channel < CHANNELS; ++channel) sample.items[channel] = gray;
  } else {
    const Rgb colour = colour_at<family>(p, y, x);
    sample.items[0] = p.is_blue_first ? colour.b : colour.r;
    sample.items[CHANNELS / 2] = colour.g;
    sample.items[CHANNELS - 1] = p.is_blue_first ? colour.r : colour.b;
  }
  return sample;
}

// The rule of preprocess/sample.py, steps 2 to 4.
__device__ __forceinline__ int mix(int first, int second, int weight) {
  return (256 - weight) * first + weight * second;
}

template <Family family>
__device__ __forceinline__ Sample sample_at(const Parameters& p, int y, int x) {
  const int down = load(p.rows + y), across = load(p.columns + x);
  const int below = down & 511, beside = across & 511;
  const int j = down >> 9, i = across >> 9;
  Sample sample = fetch<family>(p, j, i);
  if (!p.is_mixed) return sample;
  const int next_j = min(j + 1, p.source_height - 1), next_i = min(i + 1, p.source_width - 1);
  const Sample right = fetch<family>(p, j, next_i);
  const Sample under = fetch<family>(p, next_j, i);
  const Sample corner = fetch<family>(p, next_j, next_i);
#pragma unroll
  for (int channel = 0; channel < CHANNELS; ++channel) {
    const int upper = mix(sample.items[channel], right.items[channel], beside);
    const int lower = mix(under.items[channel], corner.items[channel], beside);
    sample.items[channel] = (mix(upper, lower, below) + 32768) >> 16;
  }
  return sample;
}

template <Family family>
__device__ __forceinline__ void write_pixel(const Parameters& p) {
  const int x = p.first_column + blockIdx.x * blockDim.x + threadIdx.x;
  const int y = p.first_row + blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.last_column || y >= p.last_row) return;
  Sample sample;
  const int row = y - p.top, column = x - p.left;
  if ((unsigned)row < (unsigned)p.height && (unsigned)column < (unsigned)p.width) {
    sample = sample_at<family>(p, row, column);
  } else {
    for (int channel = 0; channel < CHANNELS; ++channel) sample.items[channel] = p.padding_value;
  }
  const Element* tables = static_cast<const Element*>(p.tables);
  Values values;
#pragma unroll
  for (int channel = 0; channel < CHANNELS; ++channel)
    values.items[channel] = load(tables + channel * 256 + sample.items[channel]);
  store(p, y, x, values);
}

#define KERNEL(name, family)                                                       \
  extern "C" __global__ void __launch_bounds__(256) name(const Parameters p) {     \
    write_pixel<family>(p);                                                       \
  }

KERNEL(packed3, PACKED3)
KERNEL(packed4, PACKED4)
KERNEL(mono8, MONO8)
KERNEL(mono16, MONO16)
KERNEL(yuv422, YUV422)
KERNEL(semi_planar, SEMI_PLANAR)
KERNEL(bayer, BAYER)
