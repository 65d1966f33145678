// The second dispatch of run-length encoding. A head writes its key and its position, and the length of the run before
// it, which is the distance between the two heads. Heads are ordered in workgroup memory first, so that the writes are
// contiguous. `writeAlone` does the same with one invocation per share, without barriers.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::runHeads::{HEAD, Heads, ITEMS, MAX_ITEMS, TILE, WIDTH, groupHeads, isHead, keys, params, reduceHeads};
import package::tiles::{Span, spanOf};
import package::workgroupScan::scanWorkgroup;

@group(0) @binding(3) var<storage, read_write> uniqueKeys: array<u32>;
@group(0) @binding(4) var<storage, read_write> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(6) var<storage, read_write> runCount: array<u32>;

const WANTS_KEYS: u32 = 1u;
const WANTS_STARTS: u32 = 2u;
const WANTS_LENGTHS: u32 = 4u;

// Head flags of the tile, then the offsets of its heads.
var<workgroup> staged: array<u32, TILE>;

fn wants(what: u32) -> bool {
  return (params.wanted & what) != 0u;
}

@compute @workgroup_size(256)
fn writeRuns(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(group, params.groupLength, count);
  var heads = Heads(0u, 0u);
  for (var g = lane; g < min(group, params.groups); g += WIDTH) { heads = addHeadsOf(heads, g); }
  heads = reduceHeads(lane, heads);
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    for (var k = 0u; k < ITEMS; k++) {
      let i = tile + k * WIDTH + lane;
      var flag = 0u;
      if (i < span.end) { flag = u32(isHead(i)); }
      staged[k * WIDTH + lane] = flag;
    }
    workgroupBarrier();
    let headsInTile = orderHeads(lane);
    for (var p = lane; p < headsInTile; p += WIDTH) { writeHead(tile, p, heads); }
    if (headsInTile > 0u) { heads = Heads(heads.count + headsInTile, tile + staged[headsInTile - 1u] + 1u); }
    workgroupBarrier();
  }
  if (lane == 0u) { finish(group, span, count, heads); }
}

fn addHeadsOf(heads: Heads, group: u32) -> Heads {
  return Heads(heads.count + groupHeads[group].x, max(heads.last, groupHeads[group].y));
}

// For one invocation, after share `share`: the share that holds the last element closes the last run.
fn finish(share: u32, span: Span, count: u32, heads: Heads) {
  if (span.begin < span.end && span.end == count) {
    if (wants(WANTS_LENGTHS)) { lengths[heads.count - 1u] = count - (heads.last - 1u); }
    runCount[0] = heads.count;
  }
  if (share == 0u && count == 0u) { runCount[0] = 0u; }
}

// Writes the outputs of head `p` of a tile, which follows the heads `before`.
fn writeHead(tile: u32, p: u32, before: Heads) {
  var startBefore = before.last - 1u;
  if (p > 0u) { startBefore = tile + staged[p - 1u]; }
  writeRun(before.count + p, tile + staged[p], startBefore);
}

// Writes the run that begins at `start`, and the length of the run before it, which begins at `startBefore`.
fn writeRun(run: u32, start: u32, startBefore: u32) {
  if (wants(WANTS_KEYS)) {
    if (HEAD == 0u) {
      uniqueKeys[run] = keys[start];
    } else {
      uniqueKeys[2u * run] = keys[2u * start];
      uniqueKeys[2u * run + 1u] = keys[2u * start + 1u];
    }
  }
  if (wants(WANTS_STARTS)) { starts[run] = start; }
  if (wants(WANTS_LENGTHS) && run > 0u) { lengths[run - 1u] = start - startBefore; }
}

// Replaces the flags in workgroup memory by the offsets of the flagged items, in order. Returns their number. Ends with
// a barrier.
fn orderHeads(lane: u32) -> u32 {
  var flags: array<u32, MAX_ITEMS>;
  var sum = 0u;
  for (var k = 0u; k < ITEMS; k++) {
    flags[k] = staged[lane * ITEMS + k];
    sum += flags[k];
  }
  // The barriers of scanWorkgroup separate the reads above from the writes below.
  let scanned = scanWorkgroup(lane, sum);
  var place = scanned.before;
  for (var k = 0u; k < ITEMS; k++) {
    if (flags[k] == 1u) {
      staged[place] = lane * ITEMS + k;
      place++;
    }
  }
  workgroupBarrier();
  return scanned.total;
}

@compute @workgroup_size(16)
fn writeAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(id.x, params.groupLength, count);
  var heads = Heads(0u, 0u);
  for (var g = 0u; g < id.x; g++) { heads = addHeadsOf(heads, g); }
  for (var i = span.begin; i < span.end; i++) {
    if (isHead(i)) {
      writeRun(heads.count, i, heads.last - 1u);
      heads = Heads(heads.count + 1u, i + 1u);
    }
  }
  finish(id.x, span, count, heads);
}
