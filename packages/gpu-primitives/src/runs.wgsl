// The second dispatch of operations that write runs. A head writes the key and the position of its own run, closes the
// run before it and writes that run's total. They are ordered in workgroup memory first, so that the writes are
// contiguous. `writeAlone` does the same with one invocation per share, without barriers.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{combine, neutral, wordOfOperand};
import package::segments::{
  HEAD, Segment, isHead, join, keys, operandAt, ownSegment, params, scanSegments, segmentBefore, segmentBeforeShare,
  stageTile
};
import package::tiles::{BLOCK, ITEMS, MAX_ITEMS, Span, TILE, WIDTH, spanOf, staged};

@group(0) @binding(4) var<storage, read_write> uniqueKeys: array<u32>;
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> totals: array<u32>;
@group(0) @binding(7) var<storage, read_write> runCount: array<u32>;

const WANTS_KEYS: u32 = 1u;
const WANTS_STARTS: u32 = 2u;
const WANTS_TOTALS: u32 = 4u;

fn wants(what: u32) -> bool {
  return (params.wanted & what) != 0u;
}

fn openRun(run: u32, i: u32) {
  if (wants(WANTS_STARTS)) { starts[run] = i; }
  if (!wants(WANTS_KEYS)) { return; }
  if (HEAD == 0u) {
    uniqueKeys[run] = keys[i];
  } else {
    uniqueKeys[2u * run] = keys[2u * i];
    uniqueKeys[2u * run + 1u] = keys[2u * i + 1u];
  }
}

fn closeRun(next: u32, operand: u32) {
  if (next > 0u && wants(WANTS_TOTALS)) { totals[next - 1u] = wordOfOperand(operand); }
}

// For one invocation, after share `share`: the share that holds the last element closes the last run.
fn finish(share: u32, span: Span, count: u32, open: Segment) {
  if (span.begin < span.end && span.end == count) {
    closeRun(open.heads, open.operand);
    runCount[0] = open.heads;
  }
  if (share == 0u && count == 0u) { runCount[0] = 0u; }
}

@compute @workgroup_size(256)
fn writeRuns(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let share = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(share, params.groupLength, count);
  var open = segmentBefore(lane, min(share, params.groups));
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    let heads = stageTile(lane, tile, span.end);
    open = writeTile(lane, tile, heads, open);
  }
  if (lane == 0u) { finish(share, span, count, open); }
}

// Writes the runs that the heads of a tile open and close. Returns the run that is open after it. Ends with a barrier.
fn writeTile(lane: u32, tile: u32, heads: u32, open: Segment) -> Segment {
  var items: array<u32, MAX_ITEMS>;
  for (var k = 0u; k < ITEMS; k++) { items[k] = staged[lane * ITEMS + k]; }
  // Its barriers separate the reads above from the writes below.
  let scanned = scanSegments(lane, ownSegment(lane, heads));
  var place = scanned.before.heads;
  for (var k = 0u; k < ITEMS; k++) {
    if (((heads >> k) & 1u) == 1u) {
      staged[place] = lane * ITEMS + k;
      place++;
    }
  }
  workgroupBarrier();
  for (var p = lane; p < scanned.total.heads; p += WIDTH) { openRun(open.heads + p, tile + staged[p]); }
  workgroupBarrier();
  place = scanned.before.heads;
  var running = join(open, scanned.before).operand;
  for (var k = 0u; k < ITEMS; k++) {
    if (((heads >> k) & 1u) == 1u) {
      staged[place] = running;
      place++;
      running = items[k];
    } else {
      running = combine(running, items[k]);
    }
  }
  workgroupBarrier();
  for (var p = lane; p < scanned.total.heads; p += WIDTH) { closeRun(open.heads + p, staged[p]); }
  workgroupBarrier();
  return join(open, scanned.total);
}

@compute @workgroup_size(16)
fn writeAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(id.x, params.groupLength, count);
  var open = segmentBeforeShare(id.x);
  for (var begin = span.begin; begin < span.end; begin += BLOCK) {
    var recent = Segment(0u, neutral());
    let end = min(begin + BLOCK, span.end);
    for (var i = begin; i < end; i++) {
      let opens = isHead(i);
      if (opens) {
        let closed = join(open, recent);
        closeRun(closed.heads, closed.operand);
        openRun(closed.heads, i);
      }
      recent = join(recent, Segment(u32(opens), operandAt(i)));
    }
    open = join(open, recent);
  }
  finish(id.x, span, count, open);
}
