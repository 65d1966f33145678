// Exclusive scan over the 256 invocations of a workgroup, with three barriers: 16 invocations scan chunks of 16 values
// each, then every invocation sums the chunks before its own. A tree has fewer steps but one barrier per step, and
// barriers are slow on software adapters.
// @published: prepended to kernels that are not linked here.

import package::operators::{combine, neutral};

const WIDTH: u32 = 256u;
const CHUNK: u32 = 16u;
const CHUNKS: u32 = WIDTH / CHUNK;

// One word of padding per chunk avoids bank conflicts between the 16 scanning invocations.
const SLOTS: u32 = WIDTH + CHUNKS;
var<workgroup> running: array<u32, SLOTS>;
var<workgroup> chunkTotals: array<u32, CHUNKS>;

struct Scanned {
  before: u32,
  total: u32,
}

// All invocations of the workgroup must call it.
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
