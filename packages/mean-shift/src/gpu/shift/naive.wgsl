// Algorithm 6 of the source: one invocation for each position, which reads every point from memory.

import gpu::dispatch::linearWorkgroup;
import package::gpu::points::vector::{addSums, zeroSum};
import package::gpu::shift::weightedSum::addTerm;
import package::gpu::shift::shiftArrays::{accumulateSum, pointAt, positionAt, slice};

// Partial sums of so many terms: rounding grows with n / 256 instead of n.
const TERMS: u32 = 256u;

@compute @workgroup_size(256)
fn sumNaive(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= slice.slots) { return; }
  let position = positionAt(k);
  var total = zeroSum();
  for (var begin = slice.begin; begin < slice.end; begin += TERMS) {
    let end = min(begin + TERMS, slice.end);
    var sum = zeroSum();
    for (var i = begin; i < end; i++) { sum = addTerm(sum, position, pointAt(i)); }
    total = addSums(total, sum);
  }
  accumulateSum(k, 0u, total);
}
