// One pass of a least-significant-digit radix sort, 4 bits, stable. Source: Satish, Harris and Garland 2009, §3.
//   countDigits    how often each of 16 digits occurs in a tile; digit-major, so that one scan over all
//                  counts gives every tile its place for every digit
//   scatterTiles   ranks inside the tile, then writes

import gpu::dispatch::linearWorkgroup;

struct RadixParams {
  length: u32,
  tiles: u32,
  shift: u32,
  // 2^bits − 1, at most 15.
  digitMask: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> payloads: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> sortedKeys: array<u32>;
@group(0) @binding(4) var<storage, read_write> sortedPayloads: array<u32>;
@group(0) @binding(5) var<uniform> params: RadixParams;

const WIDTH: u32 = 256u;
const ITEMS: u32 = 8u;
const TILE: u32 = WIDTH * ITEMS;
const DIGITS: u32 = 16u;
// Two 16-bit counts a word: a tile holds 2048 < 2^16 keys.
const WORDS: u32 = DIGITS / 2u;

var<workgroup> tally: array<atomic<u32>, DIGITS>;
// Packed counts, word by word; within a word a lane after the other, in chunks of 16 with one word of padding.
const CHUNK: u32 = 16u;
const CHUNKS: u32 = WIDTH / CHUNK;
const STRIDE: u32 = WIDTH + CHUNKS;
var<workgroup> running: array<u32, WORDS * STRIDE>;
var<workgroup> chunkTotals: array<u32, WORDS * CHUNKS>;

fn slotOf(word: u32, lane: u32) -> u32 {
  return word * STRIDE + lane + lane / CHUNK;
}

fn digitOf(key: u32) -> u32 {
  return (key >> params.shift) & params.digitMask;
}

@compute @workgroup_size(256)
fn countDigits(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  let end = min((tile + 1u) * TILE, params.length);
  for (var i = tile * TILE + lane; i < end; i += WIDTH) { atomicAdd(&tally[digitOf(keys[i])], 1u); }
  workgroupBarrier();
  if (lane < DIGITS && tile < params.tiles) { counts[lane * params.tiles + tile] = atomicLoad(&tally[lane]); }
}

// Exclusive scan of the packed counts over the lanes, word by word, in two levels: 128 invocations scan a chunk of 16
// lanes of one word each, then 8 scan the totals of one word's chunks.
fn scanPackedCounts(lane: u32) {
  if (lane < WORDS * CHUNKS) {
    var sum = 0u;
    for (var k = 0u; k < CHUNK; k++) {
      let slot = slotOf(lane / CHUNKS, (lane % CHUNKS) * CHUNK + k);
      let count = running[slot];
      running[slot] = sum;
      sum += count;
    }
    chunkTotals[lane] = sum;
  }
  workgroupBarrier();
  if (lane < WORDS) {
    var sum = 0u;
    for (var k = 0u; k < CHUNKS; k++) {
      let count = chunkTotals[lane * CHUNKS + k];
      chunkTotals[lane * CHUNKS + k] = sum;
      sum += count;
    }
  }
  workgroupBarrier();
}

@compute @workgroup_size(256)
fn scatterTiles(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  // A lane's items are neighbours, and lanes follow one another: ranks in this order keep the sort stable.
  let first = tile * TILE + lane * ITEMS;
  for (var w = 0u; w < WORDS; w++) { running[slotOf(w, lane)] = 0u; }
  for (var k = 0u; k < ITEMS && first + k < params.length; k++) {
    let digit = digitOf(keys[first + k]);
    running[slotOf(digit / 2u, lane)] += 1u << (16u * (digit & 1u));
  }
  workgroupBarrier();
  scanPackedCounts(lane);

  var before: array<u32, WORDS>;
  for (var w = 0u; w < WORDS; w++) { before[w] = running[slotOf(w, lane)] + chunkTotals[w * CHUNKS + lane / CHUNK]; }
  for (var k = 0u; k < ITEMS && first + k < params.length; k++) {
    let key = keys[first + k];
    let digit = digitOf(key);
    let half = 16u * (digit & 1u);
    let rank = (before[digit / 2u] >> half) & 0xffffu;
    before[digit / 2u] += 1u << half;
    let place = counts[digit * params.tiles + tile] + rank;
    sortedKeys[place] = key;
    sortedPayloads[place] = payloads[first + k];
  }
}
