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
  tileCounts[lane * params.pitch + tile] = total;
}

// The counts four at a time: rows begin at multiples of four.
@group(0) @binding(8) var<storage, read_write> countQuads: array<vec4u>;

// Quads of counts that a workgroup scans at a time, four an invocation. No array: see Items.
const ROW: u32 = 4u * 256u;

// Quad k of the row that begins at quad `row`; 0 for tiles that there are not.
fn loadCounts(row: u32, k: u32) -> vec4u {
  if (4u * k >= params.tiles) { return vec4u(0u); }
  return select(vec4u(0u), countQuads[row + k], vec4u(4u * k) + vec4u(0u, 1u, 2u, 3u) < vec4u(params.tiles));
}

fn sumOf(counts: vec4u) -> u32 {
  return counts.x + counts.y + counts.z + counts.w;
}

// Writes what comes before each count of quad k, `before` what comes before the quad. Returns what comes before the next one.
fn storeBefore(row: u32, k: u32, before: u32, counts: vec4u) -> u32 {
  let pair = before + counts.x + counts.y;
  if (4u * k < params.tiles) { countQuads[row + k] = vec4u(before, before + counts.x, pair, pair + counts.z); }
  return pair + counts.z + counts.w;
}

@compute @workgroup_size(256)
fn scanDigits(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = groupId.x * (params.pitch / 4u);
  var carry = 0u;
  for (var start = 0u; 4u * start < params.tiles; start += ROW) {
    let first = start + 4u * lane;
    let a = loadCounts(row, first);
    let b = loadCounts(row, first + 1u);
    let c = loadCounts(row, first + 2u);
    let d = loadCounts(row, first + 3u);
    let scanned = scanWorkgroup(lane, sumOf(a) + sumOf(b) + sumOf(c) + sumOf(d));
    var before = carry + scanned.before;
    before = storeBefore(row, first, before, a);
    before = storeBefore(row, first + 1u, before, b);
    before = storeBefore(row, first + 2u, before, c);
    before = storeBefore(row, first + 3u, before, d);
    carry += scanned.total;
  }
  if (lane == 0u) { digitTotals[groupId.x] = carry; }
}

@compute @workgroup_size(256)
fn scanFewDigits(@builtin(local_invocation_index) lane: u32) {
  if (lane >= 1u << DIGIT_BITS) { return; }
  var running = 0u;
  for (var tile = 0u; tile < params.tiles; tile++) {
    let count = tileCounts[lane * params.pitch + tile];
    tileCounts[lane * params.pitch + tile] = running;
    running += count;
  }
  digitTotals[lane] = running;
}
