// Writes labels and core flags in the caller's order.

import gpu::dispatch::{Workgroup, workgroupNumber};
import spatial_grid::gpu::grid::grid;
import package::gpu::search::{clusterOf, isUnclaimed};

@group(0) @binding(0) var<storage, read> labels: array<u32>;
@group(0) @binding(1) var<storage, read> positions: array<u32>;
// int32 labels; −1 is noise.
@group(0) @binding(2) var<storage, read_write> labelsOut: array<u32>;
// One byte per point, four to a word.
@group(0) @binding(3) var<storage, read_write> coreMaskOut: array<u32>;

@compute @workgroup_size(256)
fn writeResults(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let word = workgroupNumber(at) * 256u + lane;
  if (word * 4u >= grid.n) { return; }
  var flags = 0u;
  for (var k = 0u; k < 4u && word * 4u + k < grid.n; k++) {
    let i = word * 4u + k;
    let label = labels[positions[i]];
    labelsOut[i] = select(clusterOf(label), 0xffffffffu, isUnclaimed(label));
    flags |= (label >> 31u) << (8u * k);
  }
  coreMaskOut[word] = flags;
}
