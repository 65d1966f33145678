// Copies weights into cell order, with a 0 behind them.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::grid::grid;

@group(0) @binding(0) var<storage, read> weights: array<i32>;
@group(0) @binding(1) var<storage, read> pointOrder: array<u32>;
@group(0) @binding(2) var<storage, read_write> sortedWeights: array<i32>;

@compute @workgroup_size(256)
fn orderWeights(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k < grid.n) { sortedWeights[k] = weights[pointOrder[k]]; }
  if (k == grid.n) { sortedWeights[k] = 0; }
}
