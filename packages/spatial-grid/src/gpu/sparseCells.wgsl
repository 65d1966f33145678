// The occupied cells of a sparse grid, from points sorted by cell: begin and coordinates of each.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::grid::{DIM, REACH, cellAxes, coordinatesOf, grid, positionsOf};
import package::gpu::grid::{rowCount, rowDelta, rowOf, sparseRow};

struct AxisParams {
  axis: u32,
}

// Cell coordinates by point, axis by axis.
@group(0) @binding(0) var<storage, read> pointCells: array<u32>;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> flags: array<u32>;
// Inclusive scan of the flags: rank of the cell, starting at 1.
@group(0) @binding(4) var<storage, read> ranks: array<u32>;
@group(0) @binding(5) var<storage, read_write> cellIdsOut: array<u32>;
@group(0) @binding(6) var<storage, read_write> cellStartOut: array<u32>;
@group(0) @binding(7) var<storage, read_write> cellAxesOut: array<u32>;
@group(0) @binding(8) var<uniform> params: AxisParams;
@group(0) @binding(9) var<storage, read_write> rangesOut: array<vec2u>;
// By row: the cell behind its last one; 0 at the start. A maximum over the rows before gives their first cells.
@group(0) @binding(10) var<storage, read_write> rowEnds: array<u32>;

// keys[k] = coordinate on one axis of the point at position k, for the next sort.
@compute @workgroup_size(256)
fn gatherAxis(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  keys[k] = pointCells[params.axis * grid.n + pointOrder[k]];
}

// flags[k] = 1 if position k begins a cell.
@compute @workgroup_size(256)
fn markHeads(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  var isHead = k == 0u;
  for (var d = 0u; d < DIM && !isHead; d++) {
    isHead = pointCells[d * grid.n + pointOrder[k]] != pointCells[d * grid.n + pointOrder[k - 1u]];
  }
  flags[k] = select(0u, 1u, isHead);
}

@compute @workgroup_size(256)
fn writeCells(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= grid.n) { return; }
  let cell = ranks[k] - 1u;
  cellIdsOut[k] = cell;
  if (k == 0u || ranks[k - 1u] != ranks[k]) {
    cellStartOut[cell] = k;
    for (var d = 0u; d < DIM; d++) {
      cellAxesOut[1u + d * grid.n + cell] = pointCells[d * grid.n + pointOrder[k]];
    }
  }
  if (k == grid.n - 1u) {
    cellStartOut[cell + 1u] = grid.n;
    cellAxesOut[0] = cell + 1u;
  }
}

@compute @workgroup_size(256)
fn markRowEnds(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let cell = workgroupNumber(at) * 256u + lane;
  let count = cellAxes[0];
  if (cell >= count) { return; }
  let row = rowOf(coordinatesOf(cell));
  if (cell + 1u == count || rowOf(coordinatesOf(cell + 1u)) != row) { rowEnds[row] = cell + 1u; }
}

// The ranges of the rows around each cell. Reading them is faster than searching, and all points of a cell share them.
@compute @workgroup_size(256)
fn writeRanges(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let cell = workgroupNumber(at) * 256u + lane;
  if (cell >= cellAxes[0]) { return; }
  for (var row = 0u; row < rowCount(); row++) {
    rangesOut[cell * rowCount() + row] = positionsOf(sparseRow(cell, rowDelta(row), REACH));
  }
}
