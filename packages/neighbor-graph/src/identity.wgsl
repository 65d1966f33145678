// Without an index a point's position is its index.

import gpu::dispatch::linearWorkgroup;

@group(0) @binding(0) var<storage, read_write> positions: array<u32>;

@compute @workgroup_size(256)
fn fillIdentity(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i < arrayLength(&positions)) { positions[i] = i; }
}
