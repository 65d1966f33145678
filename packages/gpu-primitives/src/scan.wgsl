// Scan in two dispatches, reduce-then-scan: no workgroup waits for another. Source: Merrill and Garland 2016, §2.
//   reduceGroups  one operand per workgroup, over all of its tiles
//   scanGroups    every workgroup combines the operands of the workgroups before it, then scans its tiles one by one
// Two passes over the input and one over the output: 3 n words of traffic; look-back needs 2 n.
//   reduceAlone, scanAlone  the same with one invocation per share, without barriers

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::operators::{combine, identity, neutral, operandOf, wordOfOperand};
import package::tiles::{BLOCK, ITEMS, MAX_ITEMS, TILE, WIDTH, spanOf, staged};
import package::workgroupScan::scanWorkgroup;

struct ScanParams {
  atMost: u32,
  countWord: u32,
  // Workgroups or, without cooperation, invocations, and words per share.
  groups: u32,
  groupLength: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read_write> groupTotals: array<u32>;
@group(0) @binding(3) var<uniform> params: ScanParams;

override IS_INCLUSIVE: bool = false;

@compute @workgroup_size(256)
fn reduceGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let span = spanOf(group, params.groupLength, elementCount(params.atMost, params.countWord));
  var total = neutral();
  var i = span.begin + lane;
  // Whole tiles: independent loads.
  for (; i + (ITEMS - 1u) * WIDTH < span.end; i += TILE) {
    var words: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) { words[k] = input[i + k * WIDTH]; }
    for (var k = 0u; k < ITEMS; k++) { total = combine(total, operandOf(words[k])); }
  }
  for (; i < span.end; i += WIDTH) { total = combine(total, operandOf(input[i])); }
  let scanned = scanWorkgroup(lane, total);
  if (lane == 0u && group < params.groups) { groupTotals[group] = scanned.total; }
}

@compute @workgroup_size(256)
fn scanGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let span = spanOf(group, params.groupLength, elementCount(params.atMost, params.countWord));
  // The combination of all words before this workgroup.
  var before = neutral();
  for (var g = lane; g < group && g < params.groups; g += WIDTH) { before = combine(before, groupTotals[g]); }
  var carry = scanWorkgroup(lane, before).total;
  var words: array<u32, MAX_ITEMS>;
  loadTile(span.begin, span.end, lane, &words);
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    for (var k = 0u; k < ITEMS; k++) { staged[k * WIDTH + lane] = words[k]; }
    workgroupBarrier();
    // The loads of the next tile overlap the scan of this one.
    loadTile(tile + TILE, span.end, lane, &words);
    carry = scanStagedTile(lane, carry);
    for (var k = 0u; k < ITEMS; k++) {
      let i = tile + k * WIDTH + lane;
      let isFirst = i == 0u && !IS_INCLUSIVE;
      if (i < span.end) { output[i] = wordOfOperand(select(staged[k * WIDTH + lane], identity(), isFirst)); }
    }
    workgroupBarrier();
  }
}

fn loadTile(tile: u32, end: u32, lane: u32, words: ptr<function, array<u32, MAX_ITEMS>>) {
  for (var k = 0u; k < ITEMS; k++) {
    let i = tile + k * WIDTH + lane;
    (*words)[k] = neutral();
    if (i < end) { (*words)[k] = operandOf(input[i]); }
  }
}

// Scans the tile in workgroup memory from `carry` on. Returns the carry for the next tile. Ends with a barrier.
fn scanStagedTile(lane: u32, carry: u32) -> u32 {
  var items: array<u32, MAX_ITEMS>;
  var sum = neutral();
  for (var k = 0u; k < ITEMS; k++) {
    items[k] = staged[lane * ITEMS + k];
    sum = combine(sum, items[k]);
  }
  let scanned = scanWorkgroup(lane, sum);
  var running = combine(carry, scanned.before);
  for (var k = 0u; k < ITEMS; k++) {
    let before = running;
    running = combine(running, items[k]);
    staged[lane * ITEMS + k] = select(before, running, IS_INCLUSIVE);
  }
  workgroupBarrier();
  return combine(carry, scanned.total);
}

@compute @workgroup_size(16)
fn reduceAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var total = neutral();
  for (var begin = span.begin; begin < span.end; begin += BLOCK) {
    var recent = neutral();
    let end = min(begin + BLOCK, span.end);
    for (var i = begin; i < end; i++) { recent = combine(recent, operandOf(input[i])); }
    total = combine(total, recent);
  }
  groupTotals[id.x] = total;
}

@compute @workgroup_size(16)
fn scanAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var running = neutral();
  for (var g = 0u; g < id.x; g++) { running = combine(running, groupTotals[g]); }
  for (var begin = span.begin; begin < span.end; begin += BLOCK) {
    var recent = neutral();
    let end = min(begin + BLOCK, span.end);
    for (var i = begin; i < end; i++) {
      let before = select(combine(running, recent), identity(), i == 0u);
      recent = combine(recent, operandOf(input[i]));
      output[i] = wordOfOperand(select(before, combine(running, recent), IS_INCLUSIVE));
    }
    running = combine(running, recent);
  }
}
