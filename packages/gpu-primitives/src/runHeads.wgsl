// Runs of equal neighbouring keys, and where they begin: at their heads. An input is cut into tiles, of which every workgroup
// takes as many neighbouring ones; what it finds in them is kept for the workgroups after it.

import package::tiles::Span;

struct RunsParams {
  // Elements at most; `deviceCount` says how many.
  atMost: u32,
  countWord: u32,
  // Workgroups, and the elements of each.
  groups: u32,
  groupLength: u32,
  // Which outputs are wanted, a bit each.
  wanted: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> params: RunsParams;
// By workgroup: how many heads, and the position after the last one, or 0.
@group(0) @binding(2) var<storage, read_write> groupHeads: array<vec2u>;

// What makes a head. 0: a key of one word that differs from the one before; 1: likewise of two words; 2: a flag.
override HEAD: u32 = 0u;

const FLAG: u32 = 2u;
const WIDTH: u32 = 256u;
// Elements of an invocation in a tile. Odd, so that lanes which walk through their own in workgroup memory keep off each other's
// banks. Software adapters unroll the rows, so they take few.
override ITEMS: u32 = 7u;
const MAX_ITEMS: u32 = 7u;
override TILE: u32 = WIDTH * ITEMS;

fn isHead(i: u32) -> bool {
  if (i == 0u) { return true; }
  if (HEAD == FLAG) { return keys[i] != 0u; }
  if (HEAD == 0u) { return keys[i] != keys[i - 1u]; }
  return keys[2u * i] != keys[2u * i - 2u] || keys[2u * i + 1u] != keys[2u * i - 1u];
}

// How many heads, and a place after the last of them, or 0.
struct Heads {
  count: u32,
  last: u32,
}

const CHUNK: u32 = 16u;
const CHUNKS: u32 = WIDTH / CHUNK;
// One word of padding a chunk keeps the reading invocations off each other's memory banks.
const SLOTS: u32 = WIDTH + CHUNKS;
var<workgroup> counts: array<u32, SLOTS>;
var<workgroup> lasts: array<u32, SLOTS>;
var<workgroup> chunkHeads: array<Heads, CHUNKS>;

fn addHeads(a: Heads, b: Heads) -> Heads {
  return Heads(a.count + b.count, max(a.last, b.last));
}

// All heads of the workgroup. To be called by all of its invocations.
fn reduceHeads(lane: u32, heads: Heads) -> Heads {
  workgroupBarrier();
  counts[lane + lane / CHUNK] = heads.count;
  lasts[lane + lane / CHUNK] = heads.last;
  workgroupBarrier();
  if (lane < CHUNKS) {
    var sum = Heads(0u, 0u);
    for (var k = 0u; k < CHUNK; k++) {
      let slot = lane * (CHUNK + 1u) + k;
      sum = addHeads(sum, Heads(counts[slot], lasts[slot]));
    }
    chunkHeads[lane] = sum;
  }
  workgroupBarrier();
  var total = Heads(0u, 0u);
  for (var k = 0u; k < CHUNKS; k++) { total = addHeads(total, chunkHeads[k]); }
  return total;
}

// Heads of a workgroup's share of the input.
fn headsIn(lane: u32, span: Span) -> Heads {
  var heads = Heads(0u, 0u);
  var i = span.begin + lane;
  // Whole tiles: loads that do not wait for one another.
  for (; i + (ITEMS - 1u) * WIDTH < span.end; i += TILE) {
    var found: array<bool, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) { found[k] = isHead(i + k * WIDTH); }
    for (var k = 0u; k < ITEMS; k++) {
      if (found[k]) { heads = Heads(heads.count + 1u, i + k * WIDTH + 1u); }
    }
  }
  for (; i < span.end; i += WIDTH) {
    if (isHead(i)) { heads = Heads(heads.count + 1u, i + 1u); }
  }
  return reduceHeads(lane, heads);
}
