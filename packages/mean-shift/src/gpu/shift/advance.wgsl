// The end of an iteration: adds the sums of all parts and moves each position to its weighted mean.

import gpu::dispatch::linearWorkgroup;
import package::gpu::shift::weightedSum::{DIM, HAS_REMAINDER, PRODUCTS};
import package::gpu::shift::shiftArrays::{moving, partials, slice};

@group(0) @binding(5) var<storage, read_write> shifted: array<i32>;
// By slot: 1 if the step was at least as long as the tolerance.
@group(0) @binding(6) var<storage, read_write> hasMoved: array<u32>;

// The sum of one row over all parts, in order.
fn rowSum(k: u32, row: u32) -> f32 {
  var sum = 0.0;
  for (var part = 0u; part < slice.parts; part++) { sum += partials[(part * (DIM + 1u) + row) * slice.slots + k]; }
  return sum;
}

@compute @workgroup_size(256)
fn advance(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let k = linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k >= slice.slots) { return; }
  let slot = slice.firstSlot + k;
  var i = slot;
  if (slice.isListed == 1u) { i = moving[slot]; }
  let weight = rowSum(k, DIM);
  var length2 = 0.0;
  // A seed that is too far from all points for float32 stays.
  if (weight > 0.0) {
    for (var d = 0u; d < DIM; d++) {
      var step = rowSum(k, d) / weight;
      let at = d * slice.m + i;
      if (PRODUCTS) { step -= f32(shifted[at]) * slice.quantum; }
      if (HAS_REMAINDER) {
        let remainderAt = (DIM + d) * slice.m + i;
        let sum = bitcast<f32>(shifted[remainderAt]) + step;
        let whole = round(sum / slice.quantum);
        shifted[at] += i32(whole);
        shifted[remainderAt] = bitcast<i32>(fma(whole, -slice.quantum, sum));
      } else {
        shifted[at] += i32(round(step / slice.quantum));
      }
      length2 = fma(step, step, length2);
    }
  }
  if (slice.isListed == 1u) { hasMoved[slot] = u32(length2 >= slice.tolerance2); }
}
