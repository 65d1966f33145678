// Expands the listed points again, with software float64 for the pairs that float32 could not decide.

import gpu::dispatch::linearWorkgroup;
import spatial_grid::gpu::grid::{cellIds, rowCount, rowRange};
import spatial_grid::gpu::exactNeighbourhood::areNeighbours;
import spatial_grid::gpu::neighbourhood::pointAt;
import package::gpu::claim::{claim, labels};
import package::gpu::labels::isUnclaimed;
import package::gpu::search::{search, undecidedPoints};

// As in expansion.wgsl.
override TEAM: u32 = 32u;

const WIDTH: u32 = 256u;

@compute @workgroup_size(256)
fn expandExactly(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * (WIDTH / TEAM) + lane / TEAM;
  if (k >= atomicLoad(&search.undecidedLength)) { return; }
  let a = undecidedPoints[k];
  let point = pointAt(a);
  let cell = cellIds[a];
  for (var row = 0u; row < rowCount(); row++) {
    let range = rowRange(cell, row);
    for (var b = range.x + lane % TEAM; b < range.y; b += TEAM) {
      let label = atomicLoad(&labels[b]);
      if (isUnclaimed(label) && areNeighbours(point, a, b)) { claim(b, label); }
    }
  }
}
