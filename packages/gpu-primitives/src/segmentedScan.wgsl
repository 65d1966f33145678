// The second dispatch of a segmented scan: every workgroup continues the run that is open at its begin, then scans its
// tiles one by one. `scanAlone` does the same with one invocation per share, without barriers.
// Source: Blelloch 1990, §1.5; Merrill and Garland 2016, §2 (reduce-then-scan)

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{combine, identity, neutral, wordOfOperand};
import package::segments::{
  Segment, isHead, join, operandAt, ownSegment, params, scanSegments, segmentBefore, segmentBeforeShare, stageTile
};
import package::tiles::{BLOCK, ITEMS, TILE, WIDTH, spanOf, staged};

@group(0) @binding(4) var<storage, read_write> output: array<u32>;

override IS_INCLUSIVE: bool = false;

@compute @workgroup_size(256)
fn scanGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let share = workgroupNumber(at);
  let span = spanOf(share, params.groupLength, elementCount(params.atMost, params.countWord));
  var open = segmentBefore(lane, min(share, params.groups));
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    let heads = stageTile(lane, tile, span.end);
    open = scanStagedTile(lane, heads, open);
    for (var k = 0u; k < ITEMS; k++) {
      let i = tile + k * WIDTH + lane;
      if (i < span.end) { output[i] = wordOfOperand(staged[k * WIDTH + lane]); }
    }
    workgroupBarrier();
  }
}

// Scans the tile in workgroup memory after `open`. Returns the run that is open after it. Ends with a barrier.
fn scanStagedTile(lane: u32, heads: u32, open: Segment) -> Segment {
  let scanned = scanSegments(lane, ownSegment(lane, heads));
  var running = join(open, scanned.before).operand;
  for (var k = 0u; k < ITEMS; k++) {
    let startsAgain = ((heads >> k) & 1u) == 1u;
    let item = staged[lane * ITEMS + k];
    let before = select(running, identity(), startsAgain);
    running = select(combine(running, item), item, startsAgain);
    staged[lane * ITEMS + k] = select(before, running, IS_INCLUSIVE);
  }
  workgroupBarrier();
  return join(open, scanned.total);
}

@compute @workgroup_size(16)
fn scanAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var open = segmentBeforeShare(id.x);
  for (var begin = span.begin; begin < span.end; begin += BLOCK) {
    var recent = Segment(0u, neutral());
    let end = min(begin + BLOCK, span.end);
    for (var i = begin; i < end; i++) {
      let startsAgain = isHead(i);
      let before = select(join(open, recent).operand, identity(), startsAgain);
      recent = join(recent, Segment(u32(startsAgain), operandAt(i)));
      output[i] = wordOfOperand(select(before, join(open, recent).operand, IS_INCLUSIVE));
    }
    open = join(open, recent);
  }
}
