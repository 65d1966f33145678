// The first two dispatches of a radix sort's pass.
//   countDigits    how often each digit occurs in a tile
//   scanDigits     one workgroup a digit: how often it occurs in the tiles before each, and in all
//   scanFewDigits  the same by one workgroup, an invocation a digit, where tiles are few
// Source: Satish, Harris and Garland 2009, §3.

import gpu::dispatch::linearWorkgroup;
import package::count::elementCount;
import package::radixDigits::{DIGIT_BITS, KEY_WORDS, MAX_DIGITS, QUADS, WIDTH, digitOf, digitTotals, loadKeys, params, tileCounts, tileLength};
import package::workgroupScan::scanWorkgroup;

// The keys four words at a time: of whole tiles, in which their order does not count. Not read of keys of two words.
@group(0) @binding(7) var<storage, read> keyQuads: array<vec4u>;

// Neighbouring lanes often meet the same digit; copies keep them from queueing for one counter.
const COPIES: u32 = 4u;
const TALLIES: u32 = MAX_DIGITS * COPIES;
var<workgroup> tally: array<atomic<u32>, TALLIES>;

fn tallyQuad(copy: u32, words: vec4u) {
  atomicAdd(&tally[copy + digitOf(words.x)], 1u);
  atomicAdd(&tally[copy + digitOf(words.y)], 1u);
  atomicAdd(&tally[copy + digitOf(words.z)], 1u);
  atomicAdd(&tally[copy + digitOf(words.w)], 1u);
}

// Of keys i, i + WIDTH …, those below `count`.
fn tallyInside(copy: u32, i: u32, count: u32, words: vec4u) {
  if (i < count) { atomicAdd(&tally[copy + digitOf(words.x)], 1u); }
  if (i + WIDTH < count) { atomicAdd(&tally[copy + digitOf(words.y)], 1u); }
  if (i + 2u * WIDTH < count) { atomicAdd(&tally[copy + digitOf(words.z)], 1u); }
  if (i + 3u * WIDTH < count) { atomicAdd(&tally[copy + digitOf(words.w)], 1u); }
}

@compute @workgroup_size(WIDTH)
fn countDigits(
  @builtin(workgroup_id) groupId: vec3u,
  @builtin(num_workgroups) groupCount: vec3u,
  @builtin(local_invocation_index) lane: u32
) {
  let tile = linearWorkgroup(groupId, groupCount);
  let count = elementCount(params.atMost, params.countWord);
  let copy = (lane % COPIES) * MAX_DIGITS;
  let begin = tile * tileLength();
  if (KEY_WORDS == 1u && begin + tileLength() <= count) {
    let quad = keyQuads[begin / 4u + lane];
    if (QUADS == 2u) { tallyQuad(copy, keyQuads[begin / 4u + WIDTH + lane]); }
    tallyQuad(copy, quad);
  } else {
    let first = begin + lane;
    let words = loadKeys(first, WIDTH, count, params.word);
    tallyInside(copy, first, count, words.a);
    if (QUADS == 2u) { tallyInside(copy, first + 4u * WIDTH, count, words.b); }
  }
  workgroupBarrier();
  if (tile >= params.tiles || lane >= 1u << DIGIT_BITS) { return; }
  var total = 0u;
  for (var c = 0u; c < COPIES; c++) { total += atomicLoad(&tally[c * MAX_DIGITS + lane]); }
  tileCounts[lane * params.tiles + tile] = total;
}

// Counts that an invocation, and a workgroup, scan at a time.
const RUN: u32 = 16u;
const ROW: u32 = 256u * RUN;

@compute @workgroup_size(256)
fn scanDigits(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = groupId.x * params.tiles;
  var carry = 0u;
  for (var start = 0u; start < params.tiles; start += ROW) {
    let first = start + lane * RUN;
    var counts: array<u32, RUN>;
    var sum = 0u;
    for (var k = 0u; k < RUN; k++) {
      // Lavapipe keeps what an array declared in a loop held the round before.
      counts[k] = 0u;
      if (first + k < params.tiles) { counts[k] = tileCounts[row + first + k]; }
      sum += counts[k];
    }
    let scanned = scanWorkgroup(lane, sum);
    var running = carry + scanned.before;
    for (var k = 0u; k < RUN && first + k < params.tiles; k++) {
      tileCounts[row + first + k] = running;
      running += counts[k];
    }
    carry += scanned.total;
  }
  if (lane == 0u) { digitTotals[groupId.x] = carry; }
}

@compute @workgroup_size(256)
fn scanFewDigits(@builtin(local_invocation_index) lane: u32) {
  if (lane >= 1u << DIGIT_BITS) { return; }
  var running = 0u;
  for (var tile = 0u; tile < params.tiles; tile++) {
    let count = tileCounts[lane * params.tiles + tile];
    tileCounts[lane * params.tiles + tile] = running;
    running += count;
  }
  digitTotals[lane] = running;
}
