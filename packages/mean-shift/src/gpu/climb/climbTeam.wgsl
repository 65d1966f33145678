// One step of every climb that goes on, a workgroup each: where few climbs are left, an invocation each would leave most of the device idle while
// those few add up their candidates one after another.

import gpu::dispatch::linearWorkgroup;
import package::gpu::climb::ascent::{climbOf, follow, goingOn, lengths, params, pullAround, positionOf};
import package::gpu::points::place::{Pull, bothPulls, noPull};

const TEAM: u32 = 64u;

var<workgroup> pulls: array<Pull, TEAM>;

@compute @workgroup_size(TEAM)
fn climbTogether(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let item = params.first + linearWorkgroup(groupId, groupCount);
  let isOn = item < atomicLoad(&lengths[params.word]);
  var k = 0u;
  var own = noPull();
  if (isOn) {
    k = climbOf(item);
    own = pullAround(positionOf(k), lane, TEAM);
  }
  pulls[lane] = own;
  workgroupBarrier();
  for (var width = TEAM / 2u; width > 0u; width /= 2u) {
    if (lane < width) { pulls[lane] = bothPulls(pulls[lane], pulls[lane + width]); }
    workgroupBarrier();
  }
  if (lane == 0u && isOn) {
    if (follow(k, positionOf(k), pulls[0])) { goingOn[atomicAdd(&lengths[params.word + 1u], 1u)] = k; }
  }
}
