// One pixel of each family of source encodings, as OpenCV converts it (8 bits, integers only).
#pragma once
#include "parameters.cuh"

enum Family { PACKED3, PACKED4, MONO8, MONO16, YUV422, SEMI_PLANAR, BAYER };

struct Rgb {
  int r, g, b;
};

__device__ __forceinline__ int at(const u8* address) { return load(address); }

__device__ __forceinline__ int clamp8(int value) { return min(max(value, 0), 255); }

// cv::COLOR_RGB2GRAY: 15 bits of fraction.
__device__ __forceinline__ int to_gray(Rgb p) {
  return (p.r * 9798 + p.g * 19235 + p.b * 3735 + (1 << 14)) >> 15;
}

// cv::COLOR_YUV2BGR_*: BT.601 of limited range, 20 bits of fraction.
__device__ __forceinline__ Rgb from_yuv(int y, int u, int v) {
  const int half = 1 << 19;
  y = max(y - 16, 0) * 1220542 + half;
  u -= 128;
  v -= 128;
  return {clamp8((y + 1673527 * v) >> 20), clamp8((y - 852492 * v - 409993 * u) >> 20),
          clamp8((y + 2116026 * u) >> 20)};
}

// What surrounds a place of a mosaic; OpenCV gives its outermost pixels what their neighbours have.
struct Mosaic {
  int centre, across, upright, diagonal;
  bool is_red_row, is_red_column;

  __device__ __forceinline__ Mosaic(const Parameters& p, int y, int x) {
    y = min(max(y, 1), p.source_height - 2);
    x = min(max(x, 1), p.source_width - 2);
    const u8* row = p.first + (u64)y * p.step + x;
    const u8* above = row - p.step;
    const u8* below = row + p.step;
    centre = at(row);
    across = at(row - 1) + at(row + 1);
    upright = at(above) + at(below);
    diagonal = at(above - 1) + at(above + 1) + at(below - 1) + at(below + 1);
    is_red_row = (y & 1) == p.place[0];
    is_red_column = (x & 1) == p.place[1];
  }
};

// cv::COLOR_Bayer*2BGR: bilinear, halves up.
__device__ __forceinline__ Rgb demosaic(const Mosaic& m) {
  const int diagonal = (m.diagonal + 2) >> 2, cross = (m.across + m.upright + 2) >> 2;
  if (m.is_red_row && m.is_red_column) return {m.centre, cross, diagonal};
  if (!m.is_red_row && !m.is_red_column) return {diagonal, cross, m.centre};
  const int across = (m.across + 1) >> 1, upright = (m.upright + 1) >> 1;
  if (m.is_red_row) return {across, m.centre, upright};
  return {upright, m.centre, across};
}

// cv::COLOR_Bayer*2GRAY: weighs the sums themselves, 14 bits of fraction and 2 of the sums.
__device__ __forceinline__ int demosaic_gray(const Mosaic& m) {
  const int red = 4899, green = 9617, blue = 1868, half = 1 << 15;
  if (m.is_red_row == m.is_red_column) {
    const int own = m.is_red_row ? red : blue, other = m.is_red_row ? blue : red;
    return (4 * m.centre * own + (m.across + m.upright) * green + m.diagonal * other + half) >> 16;
  }
  const int beside = m.is_red_row ? red : blue, over = m.is_red_row ? blue : red;
  return (4 * m.centre * green + 2 * m.across * beside + 2 * m.upright * over + half) >> 16;
}

template <Family family>
__device__ __forceinline__ Rgb colour_at(const Parameters& p, int y, int x) {
  const u8* row = p.first + (u64)y * p.step;
  if (family == PACKED3 || family == PACKED4) {
    const u8* pixel = row + (family == PACKED3 ? 3 : 4) * x;
    return {at(pixel + p.place[0]), at(pixel + p.place[1]), at(pixel + p.place[2])};
  }
  if (family == YUV422) {
    const u8* pair = row + 2 * (x & ~1);
    return from_yuv(at(row + 2 * x + p.place[0]), at(pair + p.place[1]), at(pair + p.place[2]));
  }
  if (family == SEMI_PLANAR) {
    const u8* chroma = p.second + (u64)(y >> 1) * p.step + (x & ~1);
    return from_yuv(at(row + x), at(chroma + p.place[1]), at(chroma + p.place[2]));
  }
  return demosaic(Mosaic(p, y, x));
}

template <Family family>
__device__ __forceinline__ int gray_at(const Parameters& p, int y, int x) {
  const u8* row = p.first + (u64)y * p.step;
  if (family == MONO8 || family == SEMI_PLANAR) return at(row + x);
  if (family == YUV422) return at(row + 2 * x + p.place[0]);
  if (family == MONO16) {
    // cv::convertScaleAbs by 255 / 65535 = 1 / 257, rounded.
    const int low = at(row + 2 * x + p.place[0]), high = at(row + 2 * x + 1 - p.place[0]);
    return (high * 256 + low + 128) / 257;
  }
  if (family == BAYER) return demosaic_gray(Mosaic(p, y, x));
  return to_gray(colour_at<family>(p, y, x));
}
