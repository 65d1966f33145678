// Bounds one more step of the whole Gaussian from the end of each trajectory over a lattice, from the lattice's step
// there and the largest errors of its sums.
//
// Let s be the lattice's step and W its sum of weights. The whole Gaussian's sums of weights and of differences differ
// from the lattice's by at most Q and R. Its step t is the quotient of its sums, so ‖t‖ · (W − Q) ≤ ‖s‖ · W + R.

import gpu::dispatch::linearWorkgroup;
import package::gpu::lattice::latticeErrors::errorCell;
import package::gpu::lattice::latticeClimb::sumAt;

struct EndParams {
  counts: vec4u,
  origin: vec4f,
  perUnit: f32,
  // Trajectories [begin, end) of this dispatch.
  begin: u32,
  end: u32,
  // Bandwidths in a device unit.
  perBandwidth: f32,
  // Errors of sums: relative, and absolute.
  rounding: f32,
  far: f32,
}

@group(0) @binding(7) var<storage, read> errors: array<vec4f>;
@group(0) @binding(8) var<storage, read> ends: array<vec4f>;
// Sum of weights of each trajectory's last step; 0: it has met no point.
@group(0) @binding(9) var<storage, read> lastWeights: array<f32>;
// The largest bound, as bits: non-negative floats and their bits have the same order.
@group(0) @binding(12) var<storage, read_write> worst: atomic<u32>;
@group(0) @binding(13) var<uniform> measure: EndParams;

// Stands for: no bound.
const UNBOUNDED: f32 = 3e38;

var<workgroup> worstHere: atomic<u32>;

fn boundAt(at: vec4f) -> f32 {
  let sum = sumAt(at);
  let sums = errors[errorCell(at, measure.counts, measure.origin, measure.perUnit)];
  // For the rounding of the errors themselves and of what follows.
  let off = 1.001 * sums;
  let weightOff = off.y + measure.rounding * off.x + measure.far;
  let differenceOff = off.w + measure.rounding * off.z + measure.far;
  let least = sum.w - weightOff;
  if (!(least > 0.0)) { return UNBOUNDED; }
  return min(UNBOUNDED, 1.001 * (length(sum.xyz) * measure.perBandwidth + differenceOff) / least);
}

@compute @workgroup_size(256)
fn measureEnds(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  if (lane == 0u) { atomicStore(&worstHere, 0u); }
  workgroupBarrier();
  let k = measure.begin + linearWorkgroup(groupId, groupCount) * 256u + lane;
  if (k < measure.end && lastWeights[k] > 0.0) { atomicMax(&worstHere, bitcast<u32>(boundAt(ends[k]))); }
  workgroupBarrier();
  if (lane == 0u) { atomicMax(&worst, atomicLoad(&worstHere)); }
}
