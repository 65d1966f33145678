// Combinations that restart at every head. A stretch of the input is a pair: its heads, and the combination of the
// values from the last head on, or of all values if it has no head. Joining pairs is associative.
// Source: Blelloch 1990, §1.5 (segmented scans as scans of pairs)

import package::operators::{combine, neutral, operandOf};
import package::runHeads::{
  CHUNK, CHUNKS, HEAD, Heads, ITEMS, MAX_ITEMS, SLOTS, TILE, WIDTH, groupHeads, isHead, reduceHeads
};
import package::tiles::Span;

@group(0) @binding(3) var<storage, read> values: array<u32>;
// By workgroup: the combination from its last head on.
@group(0) @binding(4) var<storage, read_write> groupOperands: array<u32>;

struct Segment {
  heads: u32,
  operand: u32,
}

struct ScannedSegments {
  // The joined pairs of all lower lanes.
  before: Segment,
  total: Segment,
}

// Head flags of a tile, then its operands.
var<workgroup> staged: array<u32, TILE>;

var<workgroup> operands: array<u32, SLOTS>;
var<workgroup> headCounts: array<u32, SLOTS>;
var<workgroup> chunkSegments: array<Segment, CHUNKS>;

fn join(a: Segment, b: Segment) -> Segment {
  if (b.heads != 0u) { return Segment(a.heads + b.heads, b.operand); }
  return Segment(a.heads, combine(a.operand, b.operand));
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

// The combination of the operands of all invocations.
fn combineOperands(lane: u32, operand: u32) -> u32 {
  return scanSegments(lane, Segment(0u, operand)).total.operand;
}

// The combination of a workgroup's values from its last head on; it does not read the values before.
fn operandSinceHead(lane: u32, span: Span, heads: Heads) -> u32 {
  var operand = neutral();
  var i = max(span.begin, max(heads.last, 1u) - 1u) + lane;
  for (; i + (ITEMS - 1u) * WIDTH < span.end; i += TILE) {
    var words: array<u32, MAX_ITEMS>;
    for (var k = 0u; k < ITEMS; k++) { words[k] = values[i + k * WIDTH]; }
    for (var k = 0u; k < ITEMS; k++) { operand = combine(operand, operandOf(words[k])); }
  }
  for (; i < span.end; i += WIDTH) { operand = combine(operand, operandOf(values[i])); }
  return combineOperands(lane, operand);
}

// Everything before workgroup `group`: its heads, and the combination of the run that is still open.
fn segmentBefore(lane: u32, group: u32) -> Segment {
  var heads = Heads(0u, 0u);
  for (var g = lane; g < group; g += WIDTH) {
    let found = groupHeads[g].x;
    if (found != 0u) { heads = Heads(heads.count + found, g + 1u); }
  }
  let before = reduceHeads(lane, heads);
  var operand = neutral();
  for (var g = max(before.last, 1u) - 1u + lane; g < group; g += WIDTH) {
    operand = combine(operand, groupOperands[g]);
  }
  return Segment(before.count, combineOperands(lane, operand));
}

// The same for one invocation.
fn segmentBeforeShare(share: u32) -> Segment {
  var open = Segment(0u, neutral());
  for (var g = 0u; g < share; g++) { open = join(open, Segment(groupHeads[g].x, groupOperands[g])); }
  return open;
}

// Loads the operands of a tile into workgroup memory. Returns the heads among this lane's items, one bit each. Ends
// with a barrier.
fn stageTile(lane: u32, tile: u32, end: u32) -> u32 {
  var words: array<u32, MAX_ITEMS>;
  for (var k = 0u; k < ITEMS; k++) {
    let i = tile + k * WIDTH + lane;
    words[k] = neutral();
    var flag = 0u;
    if (i < end) {
      words[k] = operandOf(values[i]);
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
