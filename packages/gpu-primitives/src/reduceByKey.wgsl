// The second dispatch of a reduction by key. A head writes its own key, closes the run before it and writes that run's
// total. Both are ordered in workgroup memory first, so that the writes are contiguous. `writeAlone` does the same with
// one invocation per share, without barriers.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{combine, neutral, operandOf, wordOfOperand};
import package::runHeads::{HEAD, ITEMS, MAX_ITEMS, TILE, WIDTH, isHead, keys, params};
import package::segments::{Segment, join, scanSegments, segmentBefore, segmentBeforeShare, stageTile, staged, values};
import package::tiles::{BLOCK, Span, spanOf};

@group(0) @binding(5) var<storage, read_write> uniqueKeys: array<u32>;
@group(0) @binding(6) var<storage, read_write> totals: array<u32>;
@group(0) @binding(7) var<storage, read_write> runCount: array<u32>;

const WANTS_KEYS: u32 = 1u;

@compute @workgroup_size(256)
fn writeRuns(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(group, params.groupLength, count);
  var open = segmentBefore(lane, min(group, params.groups));
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    let heads = stageTile(lane, tile, span.end);
    open = writeTile(lane, tile, heads, open);
  }
  if (lane == 0u) { finish(group, span, count, open); }
}

// For one invocation, after share `share`: the share that holds the last element closes the last run.
fn finish(share: u32, span: Span, count: u32, open: Segment) {
  if (span.begin < span.end && span.end == count) {
    totals[open.heads - 1u] = wordOfOperand(open.operand);
    runCount[0] = open.heads;
  }
  if (share == 0u && count == 0u) { runCount[0] = 0u; }
}

// Writes the runs that the heads of a tile open and close. Returns the run that is open after it. Ends with a barrier.
fn writeTile(lane: u32, tile: u32, heads: u32, open: Segment) -> Segment {
  var items: array<u32, MAX_ITEMS>;
  var sum = Segment(0u, neutral());
  for (var k = 0u; k < ITEMS; k++) {
    items[k] = staged[lane * ITEMS + k];
    sum = join(sum, Segment((heads >> k) & 1u, items[k]));
  }
  let scanned = scanSegments(lane, sum);
  let rank = scanned.before.heads;
  if ((params.wanted & WANTS_KEYS) != 0u) {
    writeKeys(lane, tile, heads, rank, open.heads, scanned.total.heads);
  }
  var place = rank;
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
  for (var p = lane; p < scanned.total.heads; p += WIDTH) {
    // Before the first head no run is open.
    if (open.heads + p > 0u) { totals[open.heads + p - 1u] = wordOfOperand(staged[p]); }
  }
  workgroupBarrier();
  return join(open, scanned.total);
}

fn writeKeys(lane: u32, tile: u32, heads: u32, rank: u32, firstRun: u32, headsInTile: u32) {
  var place = rank;
  for (var k = 0u; k < ITEMS; k++) {
    if (((heads >> k) & 1u) == 1u) {
      staged[place] = lane * ITEMS + k;
      place++;
    }
  }
  workgroupBarrier();
  for (var p = lane; p < headsInTile; p += WIDTH) { writeKey(firstRun + p, tile + staged[p]); }
  workgroupBarrier();
}

fn writeKey(run: u32, i: u32) {
  if (HEAD == 0u) {
    uniqueKeys[run] = keys[i];
  } else {
    uniqueKeys[2u * run] = keys[2u * i];
    uniqueKeys[2u * run + 1u] = keys[2u * i + 1u];
  }
}

// At the head `i`: writes the total of the run before it, and the key of its own run.
fn closeRun(closed: Segment, i: u32) {
  if (closed.heads > 0u) { totals[closed.heads - 1u] = wordOfOperand(closed.operand); }
  if ((params.wanted & WANTS_KEYS) != 0u) { writeKey(closed.heads, i); }
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
      if (opens) { closeRun(join(open, recent), i); }
      recent = join(recent, Segment(u32(opens), operandOf(values[i])));
    }
    open = join(open, recent);
  }
  finish(id.x, span, count, open);
}
