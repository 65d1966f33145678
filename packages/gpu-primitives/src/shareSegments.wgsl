// The first dispatch of operations on runs: the pair of every share. `reduceAlone` does the same with one invocation
// per share, without barriers.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::neutral;
import package::segments::{
  Segment, isHead, join, operandAt, ownSegment, params, scanSegments, shareSegments, stageTile
};
import package::tiles::{BLOCK, TILE, spanOf};

@compute @workgroup_size(256)
fn reduceGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let share = workgroupNumber(at);
  let span = spanOf(share, params.groupLength, elementCount(params.atMost, params.countWord));
  var sum = Segment(0u, neutral());
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    let heads = stageTile(lane, tile, span.end);
    sum = join(sum, scanSegments(lane, ownSegment(lane, heads)).total);
  }
  if (lane == 0u && share < params.groups) { shareSegments[share] = sum; }
}

@compute @workgroup_size(16)
fn reduceAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var sum = Segment(0u, neutral());
  for (var begin = span.begin; begin < span.end; begin += BLOCK) {
    var recent = Segment(0u, neutral());
    let end = min(begin + BLOCK, span.end);
    for (var i = begin; i < end; i++) { recent = join(recent, Segment(u32(isHead(i)), operandAt(i))); }
    sum = join(sum, recent);
  }
  shareSegments[id.x] = sum;
}
