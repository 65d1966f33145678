// Writes labels and core flags in the caller's order.

import gpu::dispatch::linearWorkgroup;
import package::gpu::visits::{NOT_CORE, visits};

struct ResultParams {
  n: u32,
}

@group(0) @binding(0) var<uniform> params: ResultParams;
@group(0) @binding(1) var<storage, read> labels: array<u32>;
@group(0) @binding(2) var<storage, read> positions: array<u32>;
// int32 labels; −1 is noise.
@group(0) @binding(3) var<storage, read_write> labelsOut: array<u32>;
// One byte per point, four to a word.
@group(0) @binding(4) var<storage, read_write> coreMaskOut: array<u32>;

@compute @workgroup_size(256)
fn writeResults(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let word = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (word * 4u >= params.n) { return; }
  var flags = 0u;
  for (var k = 0u; k < 4u && word * 4u + k < params.n; k++) {
    let i = word * 4u + k;
    let position = positions[i];
    labelsOut[i] = labels[position];
    flags |= select(1u, 0u, atomicLoad(&visits[position]) == NOT_CORE) << (8u * k);
  }
  coreMaskOut[word] = flags;
}
