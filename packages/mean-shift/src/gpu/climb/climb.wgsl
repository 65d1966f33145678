// One step of every active trajectory, one invocation each. Trajectories lie in the order of their points in the grid,
// so neighbouring invocations read the same candidates.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::climb::trajectory::{
  activeCounts, moveTrajectory, nextList, params, positionOf, sumAround, trajectoryOf
};

var<workgroup> keptCount: atomic<u32>;
var<workgroup> keptAt: u32;

@compute @workgroup_size(256)
fn climb(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let item = params.first + workgroupNumber(at) * 256u + lane;
  var isActive = false;
  var k = 0u;
  if (item < atomicLoad(&activeCounts[params.word])) {
    k = trajectoryOf(item);
    let position = positionOf(k);
    isActive = moveTrajectory(k, position, sumAround(position, 0u, 1u));
  }
  // One reservation for each workgroup keeps neighbours together in the list.
  if (lane == 0u) { atomicStore(&keptCount, 0u); }
  workgroupBarrier();
  var own = 0u;
  if (isActive) { own = atomicAdd(&keptCount, 1u); }
  workgroupBarrier();
  if (lane == 0u) { keptAt = atomicAdd(&activeCounts[params.word + 1u], atomicLoad(&keptCount)); }
  workgroupBarrier();
  if (isActive) { nextList[keptAt + own] = k; }
}
