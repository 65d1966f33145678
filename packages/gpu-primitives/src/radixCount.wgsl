// The first two dispatches of a radix sort pass. A chunk is a group of neighbouring tiles.
//   countDigits    one workgroup per chunk: counts each digit in the chunk before each of its tiles, and in the whole
//                  chunk
//   scanDigits     one workgroup per digit: counts the digit in all chunks before each, and in the whole input
//   scanFewDigits  the same in one workgroup with one invocation per digit, for few chunks
// The counts of one tile are one row in memory. Their number is 1/16 of the number of keys, and writing them as
// scattered words costs as much as reading all keys.
// Source: Satish, Harris and Garland 2009, §3.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::count::elementCount;
import package::radixDigits::{
  Items, KEY_WORDS, MAX_DIGITS, QUADS, WIDTH, chunkStarts, digitCount, digitOf, digitTotals, loadKeys, params,
  tileCounts, tileLength
};
import package::workgroupScan::scanWorkgroup;

// The keys as quads, for whole tiles, where their order does not matter. Not used for keys of two words.
@group(0) @binding(7) var<storage, read> keyQuads: array<vec4u>;
// By digit and chunk: the digit's count in the chunk.
@group(0) @binding(4) var<storage, read_write> chunkCounts: array<u32>;

// Neighbouring lanes often have the same digit; copies reduce contention on one counter.
const COPIES: u32 = 4u;
const TALLIES: u32 = MAX_DIGITS * COPIES;
var<workgroup> tally: array<atomic<u32>, TALLIES>;

fn tallyQuad(copy: u32, words: vec4u) {
  atomicAdd(&tally[copy + digitOf(words.x)], 1u);
  atomicAdd(&tally[copy + digitOf(words.y)], 1u);
  atomicAdd(&tally[copy + digitOf(words.z)], 1u);
  atomicAdd(&tally[copy + digitOf(words.w)], 1u);
}

// Counts keys i, i + WIDTH …, if below `end`.
fn tallyInside(copy: u32, i: u32, end: u32, words: vec4u) {
  if (i < end) { atomicAdd(&tally[copy + digitOf(words.x)], 1u); }
  if (i + WIDTH < end) { atomicAdd(&tally[copy + digitOf(words.y)], 1u); }
  if (i + 2u * WIDTH < end) { atomicAdd(&tally[copy + digitOf(words.z)], 1u); }
  if (i + 3u * WIDTH < end) { atomicAdd(&tally[copy + digitOf(words.w)], 1u); }
}

// The words of a tile that this invocation counts: quads for a whole tile, else single words.
fn loadTile(lane: u32, begin: u32, isWhole: bool, end: u32) -> Items {
  if (KEY_WORDS != 1u || !isWhole) { return loadKeys(begin + lane, WIDTH, end, params.word); }
  var items: Items;
  let quad = begin / 4u + lane;
  items.a = keyQuads[quad];
  if (QUADS > 1u) { items.b = keyQuads[quad + WIDTH]; }
  if (QUADS > 2u) { items.c = keyQuads[quad + 2u * WIDTH]; }
  return items;
}

fn tallied(lane: u32) -> u32 {
  var total = 0u;
  for (var c = 0u; c < COPIES; c++) { total += atomicLoad(&tally[c * MAX_DIGITS + lane]); }
  return total;
}

@compute @workgroup_size(WIDTH)
fn countDigits(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let chunk = workgroupNumber(at);
  let copy = (lane % COPIES) * MAX_DIGITS;
  let end = elementCount(params.atMost, params.countWord);
  let stop = min((chunk + 1u) * params.chunkTiles, params.tiles);
  for (var tile = chunk * params.chunkTiles; tile < stop; tile++) {
    let begin = tile * tileLength();
    let isWhole = begin + tileLength() <= end;
    let words = loadTile(lane, begin, isWhole, end);
    if (lane < digitCount()) { tileCounts[tile * digitCount() + lane] = tallied(lane); }
    workgroupBarrier();
    if (isWhole) {
      tallyQuad(copy, words.a);
      if (QUADS > 1u) { tallyQuad(copy, words.b); }
      if (QUADS > 2u) { tallyQuad(copy, words.c); }
    } else {
      tallyInside(copy, begin + lane, end, words.a);
      if (QUADS > 1u) { tallyInside(copy, begin + lane + 4u * WIDTH, end, words.b); }
      if (QUADS > 2u) { tallyInside(copy, begin + lane + 8u * WIDTH, end, words.c); }
    }
    workgroupBarrier();
  }
  if (chunk < params.chunks && lane < digitCount()) { chunkCounts[lane * params.pitch + chunk] = tallied(lane); }
}

// The same counts as quads; rows begin at multiples of four words.
@group(0) @binding(8) var<storage, read> countQuads: array<vec4u>;

// Quad k of the row that begins at quad `row`; 0 past the last chunk.
fn loadCounts(row: u32, k: u32) -> vec4u {
  if (4u * k >= params.chunks) { return vec4u(0u); }
  return select(vec4u(0u), countQuads[row + k], vec4u(4u * k) + vec4u(0u, 1u, 2u, 3u) < vec4u(params.chunks));
}

fn sumOf(counts: vec4u) -> u32 {
  return counts.x + counts.y + counts.z + counts.w;
}

// Writes the exclusive sums of quad k, which start at `before`. Returns the sum up to the end of the quad.
fn storeBefore(digit: u32, k: u32, before: u32, counts: vec4u) -> u32 {
  let second = before + counts.x;
  let third = second + counts.y;
  storeStart(digit, 4u * k, before);
  storeStart(digit, 4u * k + 1u, second);
  storeStart(digit, 4u * k + 2u, third);
  storeStart(digit, 4u * k + 3u, third + counts.z);
  return before + sumOf(counts);
}

fn storeStart(digit: u32, chunk: u32, start: u32) {
  if (chunk < params.chunks) { chunkStarts[chunk * digitCount() + digit] = start; }
}

// Up to 4096 chunks, 16 per invocation. Quads instead of an array, for the reason given at `Items`.
@compute @workgroup_size(256)
fn scanDigits(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let digit = groupId.x;
  let row = digit * (params.pitch / 4u);
  let first = 4u * lane;
  let a = loadCounts(row, first);
  let b = loadCounts(row, first + 1u);
  let c = loadCounts(row, first + 2u);
  let d = loadCounts(row, first + 3u);
  let scanned = scanWorkgroup(lane, sumOf(a) + sumOf(b) + sumOf(c) + sumOf(d));
  var before = scanned.before;
  before = storeBefore(digit, first, before, a);
  before = storeBefore(digit, first + 1u, before, b);
  before = storeBefore(digit, first + 2u, before, c);
  before = storeBefore(digit, first + 3u, before, d);
  if (lane == 0u) { digitTotals[digit] = scanned.total; }
}

@compute @workgroup_size(256)
fn scanFewDigits(@builtin(local_invocation_index) lane: u32) {
  if (lane >= digitCount()) { return; }
  var running = 0u;
  for (var chunk = 0u; chunk < params.chunks; chunk++) {
    chunkStarts[chunk * digitCount() + lane] = running;
    running += chunkCounts[lane * params.pitch + chunk];
  }
  digitTotals[lane] = running;
}
