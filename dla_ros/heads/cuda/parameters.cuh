// What one launch of a decoding kernel is told. Mirrored byte for byte in parameters.py.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// One output tensor, as steps from cell to cell and, within a cell, from value to value. Layouts
// with channels in groups make the steps of values two: within a group, and to the next.
struct Tensor {
  const u8* data;
  u64 cell_outer;
  u64 value_outer;
  int cell_inner;
  int cell_columns;  // cells until the outer step
  int value_inner;
  int value_shift;  // values until the outer step, as a power of two
  int element;  // bytes; 1 is int8 in steps of `scale`, 2 fp16, 4 fp32
  float scale;
};

// One feature map: where its numbers are, and the grid that it lays over the picture.
struct Map {
  Tensor boxes;
  Tensor classes;
  Tensor third;  // of heads that read three outputs for one map
  int first_box;
  int first_class;
  int first_cell;  // of this map among the cells of its tensors
  int cells;
  int columns;
  float stride;
  float numbers[2];  // what the head says of this map, as an anchor
  int first_order;
  int unused;
};

struct Candidate {
  float left, top, right, bottom, score;
  int class_id;
  // Where the CPU's decoder would put it, for an order that does not depend on threads.
  int order;
  int unused;
};

#define MAPS 12

struct Parameters {
  Map maps[MAPS];
  Candidate* found;
  u32* count;
  int capacity;
  int classes;
  int bins;
  int is_sigmoid;  // whether scores are still logits
  float offset;  // where in a cell distances start
  float threshold;  // of the raw number that leaves a cell out
  float confidence;
  int unused;
  // What the head alone knows, in the order that its plan gives them.
  const float* table;
  float numbers[4];
  int switches[8];
};
