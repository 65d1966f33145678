// Reduction to one word, in two dispatches of the same kernel: first to one word a workgroup, then to one word.

import gpu::dispatch::linearWorkgroup;
import package::operators::{combine, identity};

struct ReduceParams {
  length: u32,
  // Workgroups of this dispatch.
  groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> params: ReduceParams;

const WIDTH: u32 = 256u;

var<workgroup> partial: array<u32, WIDTH>;

@compute @workgroup_size(256)
fn reduceToGroups(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  // Every invocation strides over the input, so that one dispatch takes any length.
  var sum = identity();
  for (var i = group * WIDTH + lane; i < params.length; i += params.groups * WIDTH) {
    sum = combine(sum, input[i]);
  }
  partial[lane] = sum;
  workgroupBarrier();
  for (var half = WIDTH / 2u; half > 0u; half /= 2u) {
    if (lane < half) { partial[lane] = combine(partial[lane], partial[lane + half]); }
    workgroupBarrier();
  }
  if (lane == 0u && group < params.groups) { output[group] = partial[0]; }
}
