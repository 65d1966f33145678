// Exclusive scan over the 256 invocations of a workgroup (Hillis and Steele 1986), barriers only.

import package::operators::{combine, identity};

const WIDTH: u32 = 256u;

var<workgroup> running: array<u32, WIDTH>;

struct Scanned {
  // Combination of the values of all lower lanes.
  before: u32,
  total: u32,
}

// To be called by all invocations of the workgroup.
fn scanWorkgroup(lane: u32, value: u32) -> Scanned {
  workgroupBarrier();
  running[lane] = value;
  workgroupBarrier();
  for (var reach = 1u; reach < WIDTH; reach *= 2u) {
    var sum = running[lane];
    if (lane >= reach) { sum = combine(running[lane - reach], sum); }
    workgroupBarrier();
    running[lane] = sum;
    workgroupBarrier();
  }
  var before = identity();
  if (lane > 0u) { before = running[lane - 1u]; }
  return Scanned(before, running[WIDTH - 1u]);
}
