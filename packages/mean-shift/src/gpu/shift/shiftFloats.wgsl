// Points whose coordinates take one float become floats once, not at every pair.

import gpu::dispatch::linearWorkgroup;

struct FloatParams {
  // Coordinates.
  count: u32,
  quantum: f32,
}

// Whole numbers of quanta; then the bits of floats in scaled units.
@group(0) @binding(0) var<storage, read_write> coordinates: array<i32>;
@group(0) @binding(1) var<uniform> floatParams: FloatParams;

@compute @workgroup_size(256)
fn toFloats(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= floatParams.count) { return; }
  coordinates[k] = bitcast<i32>(f32(coordinates[k]) * floatParams.quantum);
}
