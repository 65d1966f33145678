// Scan in three dispatches, reduce-then-scan: no workgroup waits for another. Source: Merrill and Garland 2016, §2.
//   reduceTiles  one word a tile of 2048
//   scanSums     exclusive scan of those words by a single workgroup
//   scanTiles    every tile scanned again from its own start

import gpu::dispatch::linearWorkgroup;
import package::operators::{combine, identity};
import package::workgroupScan::scanWorkgroup;

struct ScanParams {
  length: u32,
  tiles: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<u32>;
@group(0) @binding(3) var<uniform> params: ScanParams;

override IS_INCLUSIVE: bool = false;

const WIDTH: u32 = 256u;
const ITEMS: u32 = 8u;
const TILE: u32 = WIDTH * ITEMS;

fn load(i: u32) -> u32 {
  if (i < params.length) { return input[i]; }
  return identity();
}

@compute @workgroup_size(256)
fn reduceTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  let first = tile * TILE + lane * ITEMS;
  var sum = identity();
  for (var k = 0u; k < ITEMS; k++) { sum = combine(sum, load(first + k)); }
  let scanned = scanWorkgroup(lane, sum);
  if (lane == 0u && tile < params.tiles) { sums[tile] = scanned.total; }
}

@compute @workgroup_size(256)
fn scanSums(@builtin(local_invocation_index) lane: u32) {
  var carry = identity();
  for (var start = 0u; start < params.tiles; start += WIDTH) {
    let i = start + lane;
    var sum = identity();
    if (i < params.tiles) { sum = sums[i]; }
    let scanned = scanWorkgroup(lane, sum);
    if (i < params.tiles) { sums[i] = combine(carry, scanned.before); }
    carry = combine(carry, scanned.total);
  }
}

@compute @workgroup_size(256)
fn scanTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  let first = tile * TILE + lane * ITEMS;
  var items: array<u32, ITEMS>;
  var sum = identity();
  for (var k = 0u; k < ITEMS; k++) {
    items[k] = load(first + k);
    sum = combine(sum, items[k]);
  }
  let scanned = scanWorkgroup(lane, sum);
  if (tile >= params.tiles) { return; }
  var running = combine(sums[tile], scanned.before);
  for (var k = 0u; k < ITEMS && first + k < params.length; k++) {
    let before = running;
    running = combine(running, items[k]);
    output[first + k] = select(before, running, IS_INCLUSIVE);
  }
}
