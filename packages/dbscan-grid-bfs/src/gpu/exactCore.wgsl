// Core points that hang on a pair which float32 cannot decide: counted again with software float64.

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighbourhood::areNeighbours;
import spatial_grid::gpu::neighbourhood::pointAt;
import package::gpu::labels::{CORE, UNCLAIMED};
import package::gpu::search::{requestExactGroups, search, undecidedPoints};

@group(0) @binding(0) var<storage, read_write> labels: array<u32>;

@compute @workgroup_size(1)
fn requestExactCore() {
  requestExactGroups((atomicLoad(&search.undecidedLength) + 63u) / 64u);
}

@compute @workgroup_size(64)
fn markCoreExactly(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * 64u + lane;
  if (k >= atomicLoad(&search.undecidedLength)) { return; }
  let a = undecidedPoints[k];
  let point = pointAt(a);
  let cell = cellIds[a];
  var found = 0u;
  for (var row = 0u; row < rowCount() && found < search.minPts; row++) {
    let range = rowRange(cell, row);
    for (var b = range.x; b < range.y && found < search.minPts; b++) {
      found += select(0u, 1u, areNeighbours(point, a, b));
    }
  }
  labels[a] = select(UNCLAIMED, UNCLAIMED | CORE, found >= search.minPts);
}
