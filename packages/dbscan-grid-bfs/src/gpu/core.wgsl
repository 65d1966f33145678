// Core points: points with at least minPts points within eps. Source: Milanesi, GPU-DBSCAN, §3.5 (computeIsCoreArr).

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::grid::{cellIds, grid, rowCount, rowRange};
import spatial_grid::gpu::neighborhood::{NEAR, UNDECIDED, compareWithEps, pointAt};
import package::gpu::labels::{CORE, UNCLAIMED};
import package::gpu::search::{listUndecided, search};

@group(0) @binding(0) var<storage, read_write> labels: array<u32>;

// Marks the points that float32 can decide, and lists the points that depend on an undecided pair.
@compute @workgroup_size(256)
fn markCore(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let a = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (a >= grid.n) { return; }
  let point = pointAt(a);
  let cell = cellIds[a];
  var near = 0u;
  var undecided = 0u;
  // Stop at minPts: only the threshold matters, and dense cells hold thousands of points.
  for (var row = 0u; row < rowCount() && near < search.minPts; row++) {
    let range = rowRange(cell, row);
    for (var b = range.x; b < range.y && near < search.minPts; b++) {
      let verdict = compareWithEps(point, b);
      near += select(0u, 1u, verdict == NEAR);
      undecided += select(0u, 1u, verdict == UNDECIDED);
    }
  }
  labels[a] = select(UNCLAIMED, UNCLAIMED | CORE, near >= search.minPts);
  if (near < search.minPts && near + undecided >= search.minPts) { listUndecided(a); }
}
