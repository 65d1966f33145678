// Runs of equal neighbouring keys, each with a combination of values. The first position of a run is its head. A
// stretch of the input is a pair: its heads, and the combination of the values from the last head on, or of all values
// if it has no head. Joining pairs is associative. Every workgroup, or every invocation that works alone, takes a share
// of the input, and its pair is stored for the shares after it.
// Source: Blelloch 1990, §1.5 (segmented scans as scans of pairs)

import package::operators::{combine, neutral, operandOf};
import package::tiles::{ITEMS, MAX_ITEMS, WIDTH, staged};

struct RunsParams {
  atMost: u32,
  countWord: u32,
  // Shares, and elements per share.
  groups: u32,
  groupLength: u32,
  // Requested outputs, one bit each.
  wanted: u32,
}

struct Segment {
  heads: u32,
  operand: u32,
}

@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<uniform> params: RunsParams;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<storage, read_write> shareSegments: array<Segment>;

// Definition of a head. 0: a key of one word that differs from the one before; 1: the same for two words; 2: a flag.
override HEAD: u32 = 0u;
const FLAG: u32 = 2u;
// Whether every value is 1, so that sums are lengths; `values` is then not read.
override IS_LENGTH: bool = false;

const CHUNK: u32 = 16u;
const CHUNKS: u32 = WIDTH / CHUNK;
// One word of padding per chunk avoids bank conflicts between the reading invocations.
const SLOTS: u32 = WIDTH + CHUNKS;
var<workgroup> operands: array<u32, SLOTS>;
var<workgroup> headCounts: array<u32, SLOTS>;
var<workgroup> chunkSegments: array<Segment, CHUNKS>;

fn isHead(i: u32) -> bool {
  if (i == 0u) { return true; }
  if (HEAD == FLAG) { return keys[i] != 0u; }
  if (HEAD == 0u) { return keys[i] != keys[i - 1u]; }
  return keys[2u * i] != keys[2u * i - 2u] || keys[2u * i + 1u] != keys[2u * i - 1u];
}

fn operandAt(i: u32) -> u32 {
  if (IS_LENGTH) { return 1u; }
  return operandOf(values[i]);
}

fn join(a: Segment, b: Segment) -> Segment {
  if (b.heads != 0u) { return Segment(a.heads + b.heads, b.operand); }
  return Segment(a.heads, combine(a.operand, b.operand));
}

struct ScannedSegments {
  before: Segment,
  total: Segment,
}

// Exclusive scan over the pairs of a workgroup, like `scanWorkgroup`. All of its invocations must call it.
fn scanSegments(lane: u32, segment: Segment) -> ScannedSegments {
  let chunk = lane / CHUNK;
  workgroupBarrier();
  headCounts[lane + chunk] = segment.heads;
  operands[lane + chunk] = segment.operand;
  workgroupBarrier();
  if (lane < CHUNKS) {
    var sum = Segment(0u, neutral());
    for (var k = 0u; k < CHUNK; k++) {
      let slot = lane * (CHUNK + 1u) + k;
      let next = join(sum, Segment(headCounts[slot], operands[slot]));
      headCounts[slot] = sum.heads;
      operands[slot] = sum.operand;
      sum = next;
    }
    chunkSegments[lane] = sum;
  }
  workgroupBarrier();
  var before = Segment(0u, neutral());
  var total = before;
  for (var k = 0u; k < CHUNKS; k++) {
    if (k == chunk) { before = total; }
    total = join(total, chunkSegments[k]);
  }
  return ScannedSegments(join(before, Segment(headCounts[lane + chunk], operands[lane + chunk])), total);
}

// Everything before share `share`, for a workgroup. A lane takes neighbouring shares, because the order matters.
fn segmentBefore(lane: u32, share: u32) -> Segment {
  let each = (share + WIDTH - 1u) / WIDTH;
  var sum = Segment(0u, neutral());
  for (var g = lane * each; g < min((lane + 1u) * each, share); g++) { sum = join(sum, shareSegments[g]); }
  return scanSegments(lane, sum).total;
}

// The same for one invocation.
fn segmentBeforeShare(share: u32) -> Segment {
  var open = Segment(0u, neutral());
  for (var g = 0u; g < share; g++) { open = join(open, shareSegments[g]); }
  return open;
}

// Stages the head flags of a tile, then its operands. Returns the heads among this lane's items, one bit each. Ends
// with a barrier.
fn stageTile(lane: u32, tile: u32, end: u32) -> u32 {
  var words: array<u32, MAX_ITEMS>;
  for (var k = 0u; k < ITEMS; k++) {
    let i = tile + k * WIDTH + lane;
    words[k] = neutral();
    var flag = 0u;
    if (i < end) {
      words[k] = operandAt(i);
      flag = u32(isHead(i));
    }
    staged[k * WIDTH + lane] = flag;
  }
  workgroupBarrier();
  var heads = 0u;
  for (var k = 0u; k < ITEMS; k++) { heads |= staged[lane * ITEMS + k] << k; }
  workgroupBarrier();
  for (var k = 0u; k < ITEMS; k++) { staged[k * WIDTH + lane] = words[k]; }
  workgroupBarrier();
  return heads;
}

fn ownSegment(lane: u32, heads: u32) -> Segment {
  var sum = Segment(0u, neutral());
  for (var k = 0u; k < ITEMS; k++) { sum = join(sum, Segment((heads >> k) & 1u, staged[lane * ITEMS + k])); }
  return sum;
}
