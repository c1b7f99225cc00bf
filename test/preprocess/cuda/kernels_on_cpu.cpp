// The kernels of fused.cu as plain functions, run thread by thread, so that their arithmetic is
// tested on machines without a GPU. Not a stand-in for one: no memory model, no timing.
#include <algorithm>
#include <cstdint>

using std::max;
using std::min;
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(threads)
struct Index {
  int x, y;
};
static thread_local Index blockIdx, blockDim, threadIdx;

#include "fused.cu"

typedef void (*Kernel)(const Parameters);

extern "C" void run_on_cpu(int kernel, const Parameters* p, int across, int down, int wide, int high) {
  static const Kernel kernels[] = {packed3, packed4, mono8, mono16, yuv422, semi_planar, bayer};
  blockDim = {wide, high};
  for (int by = 0; by < down; ++by)
    for (int bx = 0; bx < across; ++bx)
      for (int ty = 0; ty < high; ++ty)
        for (int tx = 0; tx < wide; ++tx) {
          blockIdx = {bx, by};
          threadIdx = {tx, ty};
          kernels[kernel](*p);
        }
}
