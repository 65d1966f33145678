// Packs a word for each position: the index of its point, and whether it is a core point.

import gpu::dispatch::{Workgroup, workgroupNumber};
import neighbor_graph::rows::degrees;

const CORE: u32 = 0x80000000u;

struct PackParams {
  n: u32,
  minPts: u32,
}

@group(0) @binding(0) var<uniform> params: PackParams;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read_write> packed: array<u32>;

@compute @workgroup_size(256)
fn packPoints(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let i = workgroupNumber(at) * 256u + lane;
  if (i >= params.n) { return; }
  // The degree leaves out the point itself.
  packed[i] = pointOrder[i] | select(0u, CORE, degrees[i] + 1u >= params.minPts);
}
