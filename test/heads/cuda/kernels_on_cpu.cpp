// The kernels of all heads as plain functions, run thread by thread: arithmetic, not parallelism.
#include <cmath>
#include <cstdint>
#include <cstring>

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
struct Index {
  int x, y;
};
static thread_local Index blockIdx, blockDim, threadIdx;

static float half_to_float(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexpf(1024 + fraction, exponent - 25)
                               : ldexpf(fraction, -24);
  return bits >> 15 ? -value : value;
}

static unsigned atomicAdd(unsigned* count, unsigned more) {
  const unsigned before = *count;
  *count += more;
  return before;
}

#include "every_kernel.inc"

typedef void (*Kernel)(const Parameters);

extern "C" void run_on_cpu(Kernel kernel, const Parameters* p, int across, int down, int wide) {
  blockDim = {wide, 1};
  // Backwards, so that an order which depends on threads shows.
  for (int by = down - 1; by >= 0; --by)
    for (int bx = across - 1; bx >= 0; --bx)
      for (int tx = wide - 1; tx >= 0; --tx) {
        blockIdx = {bx, by};
        threadIdx = {tx, 0};
        kernel(*p);
      }
}
