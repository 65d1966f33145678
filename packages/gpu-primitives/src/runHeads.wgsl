// Runs of equal neighbouring keys. The first position of a run is its head. An input is divided into tiles, and every
// workgroup takes the same number of neighbouring tiles; its results are stored for the workgroups after it.

import package::tiles::Span;

struct RunsParams {
  // Upper bound of the count; the count itself is in `deviceCount`.
  atMost: u32,
  countWord: u32,
  // Workgroups, and elements per workgroup.
  groups: u32,
  groupLength: u32,
  // Requested outputs, one bit each.
  wanted: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> params: RunsParams;
// By workgroup: number of heads, and the position after the last one, or 0.
@group(0) @binding(2) var<storage, read_write> groupHeads: array<vec2u>;

// Definition of a head. 0: a key of one word that differs from the one before; 1: the same for two words; 2: a flag.
override HEAD: u32 = 0u;

const FLAG: u32 = 2u;
const WIDTH: u32 = 256u;
// Elements per invocation and tile. Odd, to avoid bank conflicts between lanes that read their own items in workgroup
// memory. Software adapters unroll the rows, so they take few.
override ITEMS: u32 = 7u;
const MAX_ITEMS: u32 = 7u;
override TILE: u32 = WIDTH * ITEMS;

fn isHead(i: u32) -> bool {
  if (i == 0u) { return true; }
  if (HEAD == FLAG) { return keys[i] != 0u; }
  if (HEAD == 0u) { return keys[i] != keys[i - 1u]; }
  return keys[2u * i] != keys[2u * i - 2u] || keys[2u * i + 1u] != keys[2u * i - 1u];
}

// Number of heads, and the position after the last of them, or 0.
struct Heads {
  count: u32,
  last: u32,
}

const CHUNK: u32 = 16u;
const CHUNKS: u32 = WIDTH / CHUNK;
// One word of padding per chunk avoids bank conflicts between the reading invocations.
const SLOTS: u32 = WIDTH + CHUNKS;
var<workgroup> counts: array<u32, SLOTS>;
var<workgroup> lasts: array<u32, SLOTS>;
var<workgroup> chunkHeads: array<Heads, CHUNKS>;

fn addHeads(a: Heads, b: Heads) -> Heads {
  return Heads(a.count + b.count, max(a.last, b.last));
}

// Heads of the whole workgroup. All of its invocations must call it.
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
  // Whole tiles: independent loads.
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
