// The first dispatch of operations on runs, over each workgroup's share of the input.
//   countGroups   number of heads, and position of the last one
//   reduceGroups  the same, and the combination of the values from the last head on
//   countAlone, reduceAlone  the same with one invocation per share, without barriers

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{combine, neutral, operandOf};
import package::runHeads::{Heads, groupHeads, headsIn, isHead, params};
import package::segments::{groupOperands, operandSinceHead, values};
import package::tiles::{BLOCK, spanOf};

@compute @workgroup_size(256)
fn countGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let heads = headsIn(lane, spanOf(group, params.groupLength, elementCount(params.atMost, params.countWord)));
  if (lane == 0u && group < params.groups) { groupHeads[group] = vec2u(heads.count, heads.last); }
}

@compute @workgroup_size(256)
fn reduceGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let span = spanOf(group, params.groupLength, elementCount(params.atMost, params.countWord));
  let heads = headsIn(lane, span);
  let operand = operandSinceHead(lane, span, heads);
  if (lane == 0u && group < params.groups) {
    groupHeads[group] = vec2u(heads.count, heads.last);
    groupOperands[group] = operand;
  }
}

@compute @workgroup_size(16)
fn countAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var heads = Heads(0u, 0u);
  for (var i = span.begin; i < span.end; i++) {
    if (isHead(i)) { heads = Heads(heads.count + 1u, i + 1u); }
  }
  groupHeads[id.x] = vec2u(heads.count, heads.last);
}

@compute @workgroup_size(16)
fn reduceAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var heads = Heads(0u, 0u);
  var operand = neutral();
  for (var begin = span.begin; begin < span.end; begin += BLOCK) {
    var recent = neutral();
    let end = min(begin + BLOCK, span.end);
    for (var i = begin; i < end; i++) {
      if (isHead(i)) {
        heads = Heads(heads.count + 1u, i + 1u);
        operand = neutral();
        recent = neutral();
      }
      recent = combine(recent, operandOf(values[i]));
    }
    operand = combine(operand, recent);
  }
  groupHeads[id.x] = vec2u(heads.count, heads.last);
  groupOperands[id.x] = operand;
}
