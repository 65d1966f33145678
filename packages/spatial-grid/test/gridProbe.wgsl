// The neighbourhood of every point, as kernels see it through the grid: number of neighbours, sum of their indices, and
// number of pairs that float32 could not decide.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::exactNeighborhood::areNeighbors;
import package::gpu::grid::{cellIds, grid, rowCount, rowRange};
import package::gpu::neighborhood::{UNDECIDED, compareWithEps, pointAt};

@group(0) @binding(0) var<storage, read> positions: array<u32>;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
// Three words per point.
@group(0) @binding(2) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(256)
fn countNeighbors(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= grid.n) { return; }
  let a = positions[i];
  let point = pointAt(a);
  let cell = cellIds[a];
  var count = 0u;
  var sum = 0u;
  var undecided = 0u;
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cell, row);
    for (var b = range.x; b < range.y; b++) {
      undecided += select(0u, 1u, compareWithEps(point, b) == UNDECIDED);
      if (!areNeighbors(point, a, b)) { continue; }
      count++;
      sum += pointOrder[b];
    }
  }
  found[3u * i] = count;
  found[3u * i + 1u] = sum;
  found[3u * i + 2u] = undecided;
}
