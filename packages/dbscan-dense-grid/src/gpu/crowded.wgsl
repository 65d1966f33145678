// The order of points in crowded cells, and the boxes of blocks.
//   keySubCells   Z order of a point's sub-cell in its cell; a sort by this key follows
//   keyCells      the point's cell; a stable sort by this key follows
//   reorder       copies points into that order
//   boxBlocks     the boxes of blocks; boxLargeBlocks those of large blocks

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::{DIM, cellIds, grid};
import spatial_grid::gpu::exactNeighborhood::{IS_WIDE, sortedWideCoords};
import spatial_grid::gpu::neighborhood::{pointAt, sortedCoords};
import package::gpu::blocks::{BLOCK, LARGE_BLOCK};

@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
// Positions in the grid.
@group(0) @binding(1) var<storage, read_write> values: array<u32>;
@group(0) @binding(2) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(3) var<storage, read_write> orderOut: array<u32>;
// As sortedCoords, and the boxes behind it (blocks.wgsl).
@group(0) @binding(4) var<storage, read_write> coordsOut: array<u32>;
@group(0) @binding(5) var<storage, read_write> wideOut: array<vec2u>;

@compute @workgroup_size(256)
fn keySubCells(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  let place = (pointAt(k) - grid.corner) * grid.inverse;
  let bits = 16u / DIM;
  let most = (1u << bits) - 1u;
  let offset = min(vec4u(fract(place) * f32(most + 1u)), vec4u(most));
  var key = 0u;
  for (var bit = 0u; bit < bits; bit++) {
    for (var d = 0u; d < DIM; d++) {
      let one = (offset[d] >> bit) & 1u;
      key |= one << (bit * DIM + d);
    }
  }
  keys[k] = key;
  values[k] = k;
}

@compute @workgroup_size(256)
fn keyCells(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k < grid.n) { keys[k] = cellIds[values[k]]; }
}

@compute @workgroup_size(256)
fn reorder(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  let source = values[k];
  orderOut[k] = pointOrder[source];
  for (var d = 0u; d < DIM; d++) {
    coordsOut[k * DIM + d] = sortedCoords[source * DIM + d];
    if (IS_WIDE) { wideOut[k * DIM + d] = sortedWideCoords[source * DIM + d]; }
  }
}

@compute @workgroup_size(256)
fn boxBlocks(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let b = workgroupNumber(at) * 256u + lane;
  if (b * BLOCK >= grid.n) { return; }
  let box = grid.n * DIM + 2u * DIM * b;
  let end = min(grid.n, (b + 1u) * BLOCK);
  for (var d = 0u; d < DIM; d++) {
    var low = bitcast<f32>(coordsOut[b * BLOCK * DIM + d]);
    var high = low;
    for (var k = b * BLOCK + 1u; k < end; k++) {
      let x = bitcast<f32>(coordsOut[k * DIM + d]);
      low = min(low, x);
      high = max(high, x);
    }
    coordsOut[box + d] = bitcast<u32>(low);
    coordsOut[box + DIM + d] = bitcast<u32>(high);
  }
}

@compute @workgroup_size(256)
fn boxLargeBlocks(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let large = workgroupNumber(at) * 256u + lane;
  if (large * LARGE_BLOCK >= grid.n) { return; }
  let blocks = (grid.n + BLOCK - 1u) / BLOCK;
  let first = large * (LARGE_BLOCK / BLOCK);
  let end = min(blocks, first + LARGE_BLOCK / BLOCK);
  let boxes = grid.n * DIM;
  let box = boxes + 2u * DIM * (blocks + large);
  for (var d = 0u; d < DIM; d++) {
    var low = bitcast<f32>(coordsOut[boxes + 2u * DIM * first + d]);
    var high = bitcast<f32>(coordsOut[boxes + 2u * DIM * first + DIM + d]);
    for (var b = first + 1u; b < end; b++) {
      low = min(low, bitcast<f32>(coordsOut[boxes + 2u * DIM * b + d]));
      high = max(high, bitcast<f32>(coordsOut[boxes + 2u * DIM * b + DIM + d]));
    }
    coordsOut[box + d] = bitcast<u32>(low);
    coordsOut[box + DIM + d] = bitcast<u32>(high);
  }
}
