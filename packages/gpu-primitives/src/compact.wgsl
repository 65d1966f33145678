// Compaction and partition by flags in two dispatches, reduce-then-scan as in scan.wgsl.
//   countGroups  counts the elements that each workgroup keeps
//   writeGroups  derives places from the counts of the workgroups before; a tile is ordered in workgroup memory first,
//                so that the writes are contiguous
//   countAlone, writeAlone  the same with one invocation per share, without barriers

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::tiles::{ITEMS, MAX_ITEMS, TILE, WIDTH, spanOf, staged};
import package::workgroupScan::scanWorkgroup;

struct CompactParams {
  atMost: u32,
  countWord: u32,
  groups: u32,
  groupLength: u32,
}

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> output: array<u32>;
@group(0) @binding(3) var<storage, read_write> keptCount: array<u32>;
@group(0) @binding(4) var<storage, read_write> groupTotals: array<u32>;
@group(0) @binding(5) var<uniform> params: CompactParams;

// Whether the dropped elements follow the kept ones.
override IS_PARTITION: bool = false;
// Whether an element is its own index; `values` is then not read.
override IS_INDEX: bool = false;

@compute @workgroup_size(256)
fn countGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(group, params.groupLength, count);
  var kept = 0u;
  var i = span.begin + lane;
  for (; i + (ITEMS - 1u) * WIDTH < span.end; i += TILE) {
    var words: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) { words[k] = flags[i + k * WIDTH]; }
    for (var k = 0u; k < ITEMS; k++) { kept += u32(words[k] != 0u); }
  }
  for (; i < span.end; i += WIDTH) { kept += u32(flags[i] != 0u); }
  let scanned = scanWorkgroup(lane, kept);
  if (lane == 0u && group < params.groups) { groupTotals[group] = scanned.total; }
}

// Kept elements: of all workgroups, and of the workgroups before this one.
struct Kept {
  total: u32,
  before: u32,
}

fn countKept(lane: u32, group: u32) -> Kept {
  var total = 0u;
  var before = 0u;
  for (var g = lane; g < params.groups; g += WIDTH) {
    total += groupTotals[g];
    if (g < group) { before += groupTotals[g]; }
  }
  let allBefore = scanWorkgroup(lane, before).total;
  return Kept(scanWorkgroup(lane, total).total, allBefore);
}

@compute @workgroup_size(256)
fn writeGroups(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let group = workgroupNumber(at);
  let count = elementCount(params.atMost, params.countWord);
  let span = spanOf(group, params.groupLength, count);
  let kept = countKept(lane, group);
  if (lane == 0u && group == 0u) { keptCount[0] = kept.total; }
  var keptPlace = kept.before;
  for (var tile = span.begin; tile < span.end; tile += TILE) {
    let inTile = min(TILE, span.end - tile);
    for (var k = 0u; k < ITEMS; k++) {
      let place = k * WIDTH + lane;
      // Flags of the tile, then its elements in their new order.
      staged[place] = select(0u, 1u, place < inTile && flags[min(tile + place, count - 1u)] != 0u);
    }
    workgroupBarrier();
    let keptInTile = orderTile(lane, inTile);
    for (var k = 0u; k < ITEMS; k++) {
      let place = k * WIDTH + lane;
      if (place < keptInTile) {
        output[keptPlace + place] = elementAt(tile, staged[place]);
      } else if (IS_PARTITION && place < inTile) {
        output[kept.total + (tile - keptPlace) + (place - keptInTile)] = elementAt(tile, staged[place]);
      }
    }
    keptPlace += keptInTile;
    workgroupBarrier();
  }
}

fn elementAt(tile: u32, offset: u32) -> u32 {
  if (IS_INDEX) { return tile + offset; }
  return values[tile + offset];
}

// Replaces the flags in workgroup memory by the tile's offsets: kept ones first, both parts in order. Returns the
// number of kept elements. Ends with a barrier.
fn orderTile(lane: u32, inTile: u32) -> u32 {
  var kept: array<u32, MAX_ITEMS>;
  var sum = 0u;
  for (var k = 0u; k < ITEMS; k++) {
    kept[k] = staged[lane * ITEMS + k];
    sum += kept[k];
  }
  let scanned = scanWorkgroup(lane, sum);
  var rank = scanned.before;
  for (var k = 0u; k < ITEMS; k++) {
    let offset = lane * ITEMS + k;
    if (kept[k] == 1u) {
      staged[rank] = offset;
      rank++;
    } else if (IS_PARTITION && offset < inTile) {
      staged[scanned.total + offset - rank] = offset;
    }
  }
  workgroupBarrier();
  return scanned.total;
}

@compute @workgroup_size(16)
fn countAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var kept = 0u;
  for (var i = span.begin; i < span.end; i++) { kept += u32(flags[i] != 0u); }
  groupTotals[id.x] = kept;
}

@compute @workgroup_size(16)
fn writeAlone(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.groups) { return; }
  let span = spanOf(id.x, params.groupLength, elementCount(params.atMost, params.countWord));
  var kept = Kept(0u, 0u);
  for (var g = 0u; g < params.groups; g++) {
    kept.total += groupTotals[g];
    if (g < id.x) { kept.before += groupTotals[g]; }
  }
  if (id.x == 0u) { keptCount[0] = kept.total; }
  for (var i = span.begin; i < span.end; i++) {
    if (flags[i] != 0u) {
      output[kept.before] = elementAt(i, 0u);
      kept.before++;
    } else if (IS_PARTITION) {
      output[kept.total + (i - kept.before)] = elementAt(i, 0u);
    }
  }
}
