// The first dispatch of operations on runs: what each workgroup finds in its share of the input.
//   countGroups   how many heads, and where the last one is
//   reduceGroups  the same, and the combination of the values from the last head on

import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::runHeads::{groupHeads, headsIn, params, spanOf};
import package::segments::{groupOperands, operandSinceHead};

@compute @workgroup_size(256)
fn countGroups(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  let heads = headsIn(lane, spanOf(group, elementCount(params.atMost, params.countWord)));
  if (lane == 0u && group < params.groups) { groupHeads[group] = vec2u(heads.count, heads.last); }
}

@compute @workgroup_size(256)
fn reduceGroups(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let group = linearWorkgroup(groupId, groupCount);
  let span = spanOf(group, elementCount(params.atMost, params.countWord));
  let heads = headsIn(lane, span);
  let operand = operandSinceHead(lane, span, heads);
  if (lane == 0u && group < params.groups) {
    groupHeads[group] = vec2u(heads.count, heads.last);
    groupOperands[group] = operand;
  }
}
