// Repeats the core test by weights with software float64 for points that depend on a pair that float32 cannot decide.

import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::neighborhood::pointAt;
import spatial_grid::gpu::weights::{weightAt, weightThreshold, weightToStopAt};
import package::gpu::labels::{CORE, UNCLAIMED};
import package::gpu::search::search;

@group(0) @binding(0) var<storage, read_write> labels: array<u32>;

// A fixed number of workgroups shares the list, because only the device knows its length.
@compute @workgroup_size(64)
fn markWeightedCoreExactly(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let length = atomicLoad(&search.undecidedLength);
  let stopAt = weightToStopAt();
  for (var k = groupId.x * 64u + lane; k < length; k += groupCount.x * 64u) {
    let a = search.undecidedPoints[k];
    let point = pointAt(a);
    let cell = cellIds[a];
    var sum = 0;
    for (var row = 0u; row < rowCount() && sum < stopAt; row++) {
      let range = rowRange(cell, row);
      for (var b = range.x; b < range.y && sum < stopAt; b++) {
        if (areNeighbors(point, a, b)) { sum += weightAt(b); }
      }
    }
    labels[a] = select(UNCLAIMED, UNCLAIMED | CORE, sum >= weightThreshold());
  }
}
