// Stable compaction, after an exclusive scan of the flags: every kept value knows its place.

import gpu::dispatch::linearWorkgroup;

struct CompactParams {
  length: u32,
}

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<u32>;
@group(0) @binding(4) var<storage, read_write> count: array<u32>;
@group(0) @binding(5) var<uniform> params: CompactParams;

@compute @workgroup_size(256)
fn writeKept(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let i = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (i >= params.length) { return; }
  let isKept = flags[i] == 1u;
  if (isKept) { output[places[i]] = values[i]; }
  if (i == params.length - 1u) { count[0] = places[i] + select(0u, 1u, isKept); }
}
