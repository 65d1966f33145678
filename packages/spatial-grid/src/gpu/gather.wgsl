// Copies coordinates into cell order, so that a row of cells is one contiguous read, and writes each point's position.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::grid::{DIM, cellStart, grid};
import package::gpu::exactNeighborhood::IS_WIDE;

@group(0) @binding(0) var<storage, read> coords: array<u32>;
@group(0) @binding(1) var<storage, read> wideCoords: array<vec2u>;
@group(0) @binding(2) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(3) var<storage, read_write> sortedCoords: array<u32>;
@group(0) @binding(4) var<storage, read_write> sortedWideCoords: array<vec2u>;
// Position of each point: the inverse of pointOrder.
@group(0) @binding(5) var<storage, read_write> positions: array<u32>;
// By point: its cell, and its number there.
@group(0) @binding(6) var<storage, read> cells: array<u32>;
@group(0) @binding(7) var<storage, read> ranks: array<u32>;
@group(0) @binding(8) var<storage, read_write> orderOut: array<u32>;
@group(0) @binding(9) var<storage, read_write> cellIdsOut: array<u32>;

fn copyPoint(i: u32, k: u32) {
  for (var d = 0u; d < DIM; d++) {
    sortedCoords[k * DIM + d] = coords[i * DIM + d];
    if (IS_WIDE) { sortedWideCoords[k * DIM + d] = wideCoords[i * DIM + d]; }
  }
}

@compute @workgroup_size(256)
fn gatherPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  let i = pointOrder[k];
  positions[i] = k;
  copyPoint(i, k);
}

// For counted cells: the start of each cell is known, so every point computes its position. A scattered write costs a
// sector of 32 bytes, so there is one: the point and its cell go where its coordinates will be. In 1-D there is room
// for the point only.
@compute @workgroup_size(256)
fn placePoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= grid.n) { return; }
  let cell = cells[i];
  let k = cellStart[cell] + ranks[i];
  positions[i] = k;
  sortedCoords[k * DIM] = i;
  if (DIM > 1u) { sortedCoords[k * DIM + 1u] = cell; }
}

// Replaces them by the coordinates.
@compute @workgroup_size(256)
fn copyPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  let i = sortedCoords[k * DIM];
  var cell = 0u;
  if (DIM > 1u) { cell = sortedCoords[k * DIM + 1u]; } else { cell = cells[i]; }
  orderOut[k] = i;
  cellIdsOut[k] = cell;
  copyPoint(i, k);
}
