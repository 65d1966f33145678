// Core points by weights that depend on a pair which float32 cannot decide: summed again with software float64.

import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighborhood::areNeighbors;
import spatial_grid::gpu::neighborhood::pointAt;
import spatial_grid::gpu::weights::{weightAt, weightThreshold, weightToStopAt};
import package::gpu::cells::{CORE, NO_LABEL, labels};
import package::gpu::state::state;

// A fixed number of workgroups strides over the list: its length is known on the device only.
@compute @workgroup_size(64)
fn markWeightedCoreExactly(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let length = atomicLoad(&state.undecidedCores);
  let stopAt = weightToStopAt();
  for (var k = groupId.x * 64u + lane; k < length; k += groupCount.x * 64u) {
    let a = state.undecidedPoints[k];
    let point = pointAt(a);
    let cell = cellIds[a];
    var sum = 0;
    for (var row = 0u; row < rowCount() && sum < stopAt; row++) {
      let range = rowRange(cell, row);
      for (var b = range.x; b < range.y && sum < stopAt; b++) {
        if (areNeighbors(point, a, b)) { sum += weightAt(b); }
      }
    }
    if (sum >= weightThreshold()) { atomicStore(&labels[a], NO_LABEL | CORE); }
  }
}
