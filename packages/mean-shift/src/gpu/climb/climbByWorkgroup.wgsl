// One step of every active trajectory, one workgroup each. With few trajectories, one invocation each would leave most
// of the device idle while those few add up their candidates one after another.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::climb::trajectory::{
  activeCounts, moveTrajectory, nextList, params, positionOf, sumAround, trajectoryOf
};
import package::gpu::points::vector::{WeightedSum, addSums, zeroSum};

const WIDTH: u32 = 64u;

var<workgroup> sums: array<WeightedSum, WIDTH>;

@compute @workgroup_size(WIDTH)
fn climbByWorkgroup(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let item = params.first + workgroupNumber(at);
  let isActive = item < atomicLoad(&activeCounts[params.word]);
  var k = 0u;
  var own = zeroSum();
  if (isActive) {
    k = trajectoryOf(item);
    own = sumAround(positionOf(k), lane, WIDTH);
  }
  sums[lane] = own;
  workgroupBarrier();
  for (var width = WIDTH / 2u; width > 0u; width /= 2u) {
    if (lane < width) { sums[lane] = addSums(sums[lane], sums[lane + width]); }
    workgroupBarrier();
  }
  if (lane == 0u && isActive) {
    if (moveTrajectory(k, positionOf(k), sums[0])) { nextList[atomicAdd(&activeCounts[params.word + 1u], 1u)] = k; }
  }
}
