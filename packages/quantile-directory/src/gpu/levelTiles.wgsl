// Fractionated sorting (Böhm et al. 2009, section 6) of one level: a stable sort of each partition, in two dispatches.
// First, tiles of the partition are sorted in workgroup memory. Then each element finds its place by binary searches in
// the other tiles of its partition. A radix sort of (partition, key) takes three dispatches for each of four or five
// digits. That costs the host and the device more, unless partitions have very many tiles.

import gpu::dispatch::linearWorkgroup;
import gpu_primitives::order::keyOfWord;

struct TileParams {
  // Words between the first keys of consecutive points, and the index of the key of this level.
  stride: u32,
  column: u32,
  // Partitions of the level, and leaves in each.
  partitions: u32,
  span: u32,
  // Tiles of the longest partition. Elements of a tile: a power of two, 2 … MAX_TILE.
  tiles: u32,
  tileLength: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
// Points by position, before the sort of this level. The first level reads the points in the caller's order.
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> tileKeys: array<u32>;
@group(0) @binding(4) var<storage, read_write> tileOrder: array<u32>;
@group(0) @binding(5) var<storage, read_write> sortedOrder: array<u32>;
@group(0) @binding(6) var<uniform> params: TileParams;

const F32: u32 = 2u;
const WIDTH: u32 = 256u;
const MAX_TILE: u32 = 2048u;
// Greater than the key of every number.
const BEYOND: u32 = 0xffffffffu;

var<workgroup> sortedKeys: array<u32, MAX_TILE>;
// Places in the tile before the sort. They decide between equal keys, so the sort is stable.
var<workgroup> slots: array<u32, MAX_TILE>;

fn pointAt(position: u32) -> u32 {
  if (params.column == 0u) { return position; }
  return pointOrder[position];
}

// Exchanges the elements at two places of the tile if they are not in the given order.
fn exchange(low: u32, high: u32, isAscending: bool) {
  let a = vec2u(sortedKeys[low], slots[low]);
  let b = vec2u(sortedKeys[high], slots[high]);
  let isGreater = a.x > b.x || (a.x == b.x && a.y > b.y);
  if (isGreater != isAscending) { return; }
  sortedKeys[low] = b.x;
  slots[low] = b.y;
  sortedKeys[high] = a.x;
  slots[high] = a.y;
}

// Bitonic sort of the tiles, one workgroup each.
@compute @workgroup_size(WIDTH)
fn sortTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  let whole = tile / params.tiles;
  if (whole >= params.partitions) { return; }
  let begin = starts[whole * params.span] + tile % params.tiles * params.tileLength;
  let end = min(starts[(whole + 1u) * params.span], begin + params.tileLength);
  if (begin >= end) { return; }
  for (var k = lane; k < params.tileLength; k += WIDTH) {
    var key = BEYOND;
    if (begin + k < end) { key = keyOfWord(keys[pointAt(begin + k) * params.stride + params.column], F32); }
    sortedKeys[k] = key;
    slots[k] = k;
  }
  workgroupBarrier();
  for (var run = 2u; run <= params.tileLength; run *= 2u) {
    for (var apart = run / 2u; apart > 0u; apart /= 2u) {
      for (var t = lane; t < params.tileLength / 2u; t += WIDTH) {
        let low = 2u * t - (t & (apart - 1u));
        exchange(low, low + apart, (low & run) == 0u);
      }
      workgroupBarrier();
    }
  }
  for (var k = lane; begin + k < end; k += WIDTH) {
    tileKeys[begin + k] = sortedKeys[k];
    tileOrder[begin + k] = pointAt(begin + slots[k]);
  }
}

// Number of keys at [first, first + length) that are less than a limit, for four sorted tiles at a time, so that loads
// overlap.
fn countsBelow(firsts: vec4u, lengths: vec4u, limits: vec4u) -> vec4u {
  var counts = vec4u();
  for (var step = params.tileLength; step > 0u; step /= 2u) {
    let probes = counts + step;
    let isInside = probes <= lengths;
    let places = select(vec4u(), firsts + probes - 1u, isInside);
    let found = vec4u(tileKeys[places.x], tileKeys[places.y], tileKeys[places.z], tileKeys[places.w]);
    counts = select(counts, probes, isInside & (found < limits));
  }
  return counts;
}

// Writes each element to its place in its partition: after the smaller elements of all tiles and the equal elements of
// earlier tiles.
@compute @workgroup_size(WIDTH)
fn mergeTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let chunk = linearWorkgroup(groupId, groupCount);
  let chunksOfTile = (params.tileLength + WIDTH - 1u) / WIDTH;
  let tile = chunk / chunksOfTile;
  let whole = tile / params.tiles;
  if (whole >= params.partitions) { return; }
  let start = starts[whole * params.span];
  let end = starts[(whole + 1u) * params.span];
  let own = tile % params.tiles;
  let k = chunk % chunksOfTile * WIDTH + lane;
  let position = start + own * params.tileLength + k;
  if (k >= params.tileLength || position >= end) { return; }
  let key = tileKeys[position];
  var place = start + k;
  for (var first = 0u; first < params.tiles; first += 4u) {
    let others = vec4u(first, first + 1u, first + 2u, first + 3u);
    let begins = min(start + others * params.tileLength, vec4u(end));
    let lengths = select(min(vec4u(end) - begins, vec4u(params.tileLength)), vec4u(), others == vec4u(own));
    let counts = countsBelow(begins, lengths, select(vec4u(key), vec4u(key + 1u), others < vec4u(own)));
    place += counts.x + counts.y + counts.z + counts.w;
  }
  sortedOrder[place] = tileOrder[position];
}
