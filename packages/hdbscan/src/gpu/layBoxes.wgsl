// Boxes of the tree, one level a dispatch, from the leaves up.

import gpu::dispatch::{Workgroup, workgroupNumber};
import package::gpu::boxTree::{FANOUT, LEAF_POINTS, levelSize, levelStart, relative, tree};

struct LevelParams {
  level: u32,
}

@group(0) @binding(0) var<uniform> params: LevelParams;
@group(0) @binding(1) var<storage, read_write> boxesOut: array<f32>;

@compute @workgroup_size(256)
fn layLeafBoxes(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let leaf = workgroupNumber(at) * 256u + lane;
  if (leaf >= levelSize(0u)) { return; }
  let dim = tree.dim;
  let first = leaf * LEAF_POINTS;
  let end = min(first + LEAF_POINTS, tree.n);
  for (var d = 0u; d < dim; d++) {
    var low = relative[first * dim + d];
    var high = low;
    for (var p = first + 1u; p < end; p++) {
      low = min(low, relative[p * dim + d]);
      high = max(high, relative[p * dim + d]);
    }
    boxesOut[leaf * 2u * dim + d] = low;
    boxesOut[leaf * 2u * dim + dim + d] = high;
  }
}

@compute @workgroup_size(256)
fn layLevelBoxes(at: Workgroup, @builtin(local_invocation_index) lane: u32) {
  let k = workgroupNumber(at) * 256u + lane;
  if (k >= levelSize(params.level)) { return; }
  let dim = tree.dim;
  let node = levelStart(params.level) + k;
  let first = levelStart(params.level - 1u) + k * FANOUT;
  let end = min(first + FANOUT, levelStart(params.level));
  for (var d = 0u; d < dim; d++) {
    var low = boxesOut[first * 2u * dim + d];
    var high = boxesOut[first * 2u * dim + dim + d];
    for (var child = first + 1u; child < end; child++) {
      low = min(low, boxesOut[child * 2u * dim + d]);
      high = max(high, boxesOut[child * 2u * dim + dim + d]);
    }
    boxesOut[node * 2u * dim + d] = low;
    boxesOut[node * 2u * dim + dim + d] = high;
  }
}
