// Converts points to floats once, instead of at every pair, if coordinates take one float.

import gpu::dispatch::linearWorkgroup;

struct FloatParams {
  // Number of coordinates.
  count: u32,
  quantum: f32,
}

// Integer numbers of quanta; then the bits of floats in device units.
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
