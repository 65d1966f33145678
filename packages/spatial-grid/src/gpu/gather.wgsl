// Coordinates in cell order, so that a row of cells is one contiguous read, and where each point went.

import gpu::dispatch::linearWorkgroup;
import package::gpu::grid::{DIM, grid};
import package::gpu::exactNeighborhood::IS_WIDE;

@group(0) @binding(0) var<storage, read> coords: array<u32>;
@group(0) @binding(1) var<storage, read> wideCoords: array<vec2u>;
@group(0) @binding(2) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(3) var<storage, read_write> coordsOut: array<u32>;
@group(0) @binding(4) var<storage, read_write> wideCoordsOut: array<vec2u>;
// Position of each point: the inverse of pointOrder.
@group(0) @binding(5) var<storage, read_write> positions: array<u32>;

@compute @workgroup_size(256)
fn gatherPoints(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= grid.n) { return; }
  let i = pointOrder[k];
  positions[i] = k;
  for (var d = 0u; d < DIM; d++) {
    coordsOut[k * DIM + d] = coords[i * DIM + d];
    if (IS_WIDE) { wideCoordsOut[k * DIM + d] = wideCoords[i * DIM + d]; }
  }
}
