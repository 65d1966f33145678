// Unites cells that hold a pair of core points within eps, one invocation per cell. One pair joins two cells; cells
// that are joined already are skipped. A pair of cells takes at most PAIRS tests: cells with pairs left, or with pairs
// that float32 cannot decide, are pending, and pointUnion.wgsl completes them.
//   uniteAdjacent  cells that touch: most pairs there are within eps, and joins that come early spare others
//   uniteReached   all cells that may hold a neighbour

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::{REACH, cellStart, grid, occupiedCells, rowCells, rowCount, rowDelta};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import union_find::gpu::disjointSets::{findRoot, unite};
import package::gpu::cells::isCore;
import package::gpu::state::state;

// Tests per pair of cells: 8 points against 8.
override PAIRS: u32 = 64u;

// By cell: 1 = pending; initially 0.
@group(0) @binding(0) var<storage, read_write> pendingCells: array<u32>;

const APART: u32 = 0u;
const JOINED: u32 = 1u;
const PENDING: u32 = 2u;

// Tests pairs of core points of two cells, until one is within eps.
fn compareCells(cell: u32, other: u32) -> u32 {
  let own = vec2u(cellStart[cell], cellStart[cell + 1u]);
  let theirs = vec2u(cellStart[other], cellStart[other + 1u]);
  var verdict = APART;
  var tests = 0u;
  for (var a = own.x; a < own.y; a++) {
    if (!isCore(a)) { continue; }
    let point = pointAt(a);
    for (var b = theirs.x; b < theirs.y; b++) {
      if (tests == PAIRS) { return PENDING; }
      tests++;
      if (!isCore(b)) { continue; }
      let nearness = compareWithEps(point, b);
      if (nearness == NEAR) { return JOINED; }
      if (nearness == UNDECIDED) { verdict = PENDING; }
    }
  }
  return verdict;
}

fn hasCore(cell: u32) -> bool {
  let begin = cellStart[cell];
  let end = cellStart[cell + 1u];
  if (end - begin >= state.minPts) { return true; }
  for (var a = begin; a < end; a++) {
    if (isCore(a)) { return true; }
  }
  return false;
}

// Unites a cell with those behind it in one row, `reach` cells apart on axis 0 at most. True if pairs are left.
fn uniteRow(cell: u32, row: u32, reach: u32) -> bool {
  var isPending = false;
  let others = rowCells(cell, rowDelta(row), reach);
  var root = findRoot(cell);
  for (var other = max(others.x, cell + 1u); other < others.y; other++) {
    if (findRoot(other) == root) { continue; }
    let verdict = compareCells(cell, other);
    if (verdict == JOINED) {
      unite(cell, other);
      root = findRoot(cell);
    }
    isPending |= verdict == PENDING;
  }
  return isPending;
}

@compute @workgroup_size(256)
fn uniteAdjacent(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let cell = workgroupNumber(at) * 256u + lane;
  if (cell >= min(grid.n, occupiedCells()) || !hasCore(cell)) { return; }
  // Row 0 is the own row; rows up to half of all come behind it.
  for (var row = 0u; row <= rowCount() / 2u; row++) {
    if (all(rowDelta(row) + 1u <= vec3u(2u))) { uniteRow(cell, row, 1u); }
  }
}

@compute @workgroup_size(256)
fn uniteReached(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let cell = workgroupNumber(at) * 256u + lane;
  if (cell >= min(grid.n, occupiedCells()) || !hasCore(cell)) { return; }
  var isPending = false;
  for (var row = 0u; row <= rowCount() / 2u; row++) {
    if (uniteRow(cell, row, REACH)) { isPending = true; }
  }
  if (isPending) { pendingCells[cell] = 1u; }
}
