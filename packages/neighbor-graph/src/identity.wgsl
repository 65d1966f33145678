// Without an index a point's position is its index.

import gpu::dispatch::{Workgroup, workgroupNumber};

@group(0) @binding(0) var<storage, read_write> positions: array<u32>;

@compute @workgroup_size(256)
fn fillIdentity(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i < arrayLength(&positions)) { positions[i] = i; }
}
