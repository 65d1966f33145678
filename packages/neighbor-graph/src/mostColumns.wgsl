// The maximum number of points that a row over a grid is tested against: for very dense places the rows are split into
// steps.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};

// One word, initially 0.
@group(0) @binding(0) var<storage, read_write> mostColumns: array<atomic<u32>>;

var<workgroup> most: atomic<u32>;

@compute @workgroup_size(256)
fn findMostColumns(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < grid.n) {
    let cell = cellIds[i];
    var columns = 0u;
    for (var row = 0u; row < rowCount(); row++) {
      let range = rowRange(cell, row);
      columns += range.y - range.x;
    }
    atomicMax(&most, columns);
  }
  workgroupBarrier();
  if (lane == 0u) { atomicMax(&mostColumns[0], atomicLoad(&most)); }
}
