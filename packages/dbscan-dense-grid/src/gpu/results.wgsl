// The core mask of callers on the device: one byte a point, four to a word, from one bit a point.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::grid;

@group(0) @binding(0) var<storage, read> coreBits: array<u32>;
@group(0) @binding(1) var<storage, read_write> coreMaskOut: array<u32>;

@compute @workgroup_size(256)
fn writeCoreMask(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let word = workgroupNumber(at) * 256u + lane;
  if (word * 4u >= grid.n) { return; }
  let bits = coreBits[word / 8u] >> (4u * (word & 7u));
  coreMaskOut[word] = (bits & 1u) | ((bits & 2u) << 7u) | ((bits & 4u) << 14u) | ((bits & 8u) << 21u);
}
