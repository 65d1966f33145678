// The cell of every point: floor((x − origin) · invSide) in float64, as on the CPU. Where float32 is certain of the
// floor, it decides; else software float64 does.
// Source: Milanesi, GPU-DBSCAN, §3.2 (computeBinning).

import gpu::dispatch::{Workgroup, workgroupNumber};
import gpu_primitives::float64::{absoluteDifference64, float64From32, floor64, multiply64};
import package::gpu::grid::{DIM, IS_SPARSE, REACH, grid};
import package::gpu::exactNeighborhood::IS_WIDE;

@group(0) @binding(0) var<storage, read> coords: array<u32>;
@group(0) @binding(1) var<storage, read> wideCoords: array<vec2u>;
// Dense: linear cell ids. Sparse: cell coordinates, axis by axis.
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;
@group(0) @binding(3) var<storage, read_write> pointOrder: array<u32>;
// Dense grid, counted: number of points per cell, initially 0. `ranks` receives each point's rank in its cell, in any
// order.
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> ranks: array<u32>;
// Ranked grid: one bit per cell of the box, initially 0.
@group(0) @binding(6) var<storage, read_write> occupancy: array<atomic<u32>>;

fn cellOnAxis(i: u32, d: u32) -> u32 {
  let axis = grid.axes[d];
  // invSide = 0: the axis has one cell.
  if ((axis.z | axis.w) == 0u) { return REACH; }
  let place = (bitcast<f32>(coords[i * DIM + d]) - grid.corner[d]) * grid.inverse[d];
  let cell = floor(place);
  if (abs(place - cell - 0.5) < 0.5 - grid.placeMargin) { return REACH + u32(cell); }
  var x: vec2u;
  if (IS_WIDE) { x = wideCoords[i * DIM + d]; } else { x = float64From32(coords[i * DIM + d]); }
  return REACH + floor64(multiply64(absoluteDifference64(x, axis.xy), axis.zw));
}

fn linearCell(i: u32) -> u32 {
  var id = 0u;
  for (var d = 0u; d < DIM; d++) { id += cellOnAxis(i, d) * grid.strides[d]; }
  return id;
}

@compute @workgroup_size(256)
fn computeBinning(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= grid.n) { return; }
  pointOrder[i] = i;
  var id = 0u;
  for (var d = 0u; d < DIM; d++) {
    let cell = cellOnAxis(i, d);
    if (IS_SPARSE) { cells[d * grid.n + i] = cell; }
    id += cell * grid.strides[d];
  }
  if (!IS_SPARSE) { cells[i] = id; }
}

// The same for a dense grid whose cells are counted instead of sorted.
@compute @workgroup_size(256)
fn countCells(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= grid.n) { return; }
  let id = linearCell(i);
  cells[i] = id;
  ranks[i] = atomicAdd(&counts[id], 1u);
}

// The same for a ranked grid: marks the occupied cells.
@compute @workgroup_size(256)
fn occupyCells(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= grid.n) { return; }
  let id = linearCell(i);
  cells[i] = id;
  let bit = 1u << (id & 31u);
  // A look first: in crowded cells nearly all points find the bit set.
  if ((atomicLoad(&occupancy[id >> 5u]) & bit) == 0u) { atomicOr(&occupancy[id >> 5u], bit); }
}
