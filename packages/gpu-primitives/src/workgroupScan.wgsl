// Exclusive scan over the 256 invocations of a workgroup, with three barriers: 16 invocations scan chunks of 16 values
// each, one after the other, then everyone adds up the chunks before its own. A tree has fewer steps but a barrier a
// step, and barriers are what software adapters are slowest at.
// @published: stands in front of kernels that are not linked here.

import package::operators::{combine, neutral};

const WIDTH: u32 = 256u;
const CHUNK: u32 = 16u;
const CHUNKS: u32 = WIDTH / CHUNK;

// One word of padding a chunk keeps the 16 scanning invocations off each other's memory banks.
const SLOTS: u32 = WIDTH + CHUNKS;
var<workgroup> running: array<u32, SLOTS>;
var<workgroup> chunkTotals: array<u32, CHUNKS>;

struct Scanned {
  // Combination of the values of all lower lanes.
  before: u32,
  total: u32,
}

// To be called by all invocations of the workgroup.
fn scanWorkgroup(lane: u32, value: u32) -> Scanned {
  let chunk = lane / CHUNK;
  workgroupBarrier();
  running[lane + chunk] = value;
  workgroupBarrier();
  if (lane < CHUNKS) {
    var sum = neutral();
    for (var k = 0u; k < CHUNK; k++) {
      let slot = lane * (CHUNK + 1u) + k;
      let next = combine(sum, running[slot]);
      running[slot] = sum;
      sum = next;
    }
    chunkTotals[lane] = sum;
  }
  workgroupBarrier();
  var before = neutral();
  var total = neutral();
  for (var k = 0u; k < CHUNKS; k++) {
    if (k == chunk) { before = total; }
    total = combine(total, chunkTotals[k]);
  }
  return Scanned(combine(before, running[lane + chunk]), total);
}
